// What can be asked of the page. This is the last of the files.

const calls = {
  look,
  values,
  html,
  tree,
  counts: () => ({ ...counts }),
  at,
  state: () => own("readyState"),
  has: (name) => groups().has(name),
  focused: () => Boolean(own("activeElement") && own("activeElement") !== own("body")),
  setScale: (value) => { scale = value; },
  watch: (on) => { watching = on; },
  modify: (action) => modify[action.do](action),
  hold,
  mark,
  show,
  scroll,
  reveal: (name) => { target(name).scrollIntoView({ block: "center", inline: "nearest", behavior: "instant" }); },
  box: (name) => account(group(name), new Map()).box,
  painted,
};

globalThis.stepscope = (name, argument) => {
  try {
    return JSON.stringify({ value: calls[name](argument) ?? null });
  } catch (error) {
    return JSON.stringify({ error: error instanceof Refusal ? error.message : String(error), known: error instanceof Refusal });
  }
};
listen();
