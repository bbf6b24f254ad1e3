// What the workbench knows of a page and does in it. It runs in a world of its own: it shares the elements with the
// page's scripts and nothing else, so that no page can change what is read here. Places are pixels of the page's
// picture: CSS pixels times `scale`, from the top left of the document.
"use strict";
(() => {
  const TOKEN = "@TOKEN@";
  const GAP_MS = 50; // between two accounts of a page that somebody looks at
  const NEVER_DRAWN_MS = 1000;
  const WORDS = 300; // of a label
  const CONTROLS = "input, select, textarea";
  const NO_FIELDS = new Set(["submit", "button", "image", "reset", "file"]);
  const KINDS = { checkbox: "checkbox", radio: "radio", range: "range", hidden: "hidden" };
  const ACTIONS = {
    text: "modify_text", textarea: "modify_text", hidden: "modify_text", checkbox: "modify_checkbox",
    radio: "modify_radio", select: "modify_select", range: "modify_range",
  };

  let scale = 1;
  let watching = false;
  let timer = 0;
  let gap = GAP_MS;
  const counts = { up: 0, key: 0, wheel: 0, input: 0 };

  const tell = (what) => console.info(TOKEN + JSON.stringify(what));
  // An element with a name such as "body" hides the document's own property of that name.
  const own = (name) => Object.getOwnPropertyDescriptor(Document.prototype, name).get.call(document);
  const all = (selector) => Document.prototype.querySelectorAll.call(document, selector);
  const tidy = (words) => (words || "").replace(/\s+/g, " ").trim();

  class Refusal extends Error {}

  // --- fields ---------------------------------------------------------------------------------------------------

  const kindOf = (element) => (element.localName === "input" ? KINDS[element.type] || "text" : element.localName);

  /** Elements by name, in page order: those of the kind that decides what the field is. */
  function groups() {
    const found = new Map();
    for (const element of all("input[name], select[name], textarea[name]")) {
      if (!element.name || (element.localName === "input" && NO_FIELDS.has(element.type))) continue;
      if (!found.has(element.name)) found.set(element.name, []);
      found.get(element.name).push(element);
    }
    const fields = new Map();
    for (const [name, elements] of found) {
      const kinds = elements.map(kindOf);
      const kind = ["checkbox", "radio", "select", "range"].find((one) => kinds.includes(one)) || kinds[0];
      const same = elements.filter((element) => kindOf(element) === kind);
      const many = kind === "checkbox" || kind === "radio";
      fields.set(name, { name, kind, elements: many ? same : [same.find((e) => !e.matches(":disabled")) || same[0]] });
    }
    return fields;
  }

  function group(name) {
    const field = groups().get(name);
    if (!field) throw new Refusal(`The page has no field “${name}”.`);
    return field;
  }

  const options = (field) => (field.kind === "select" ? [...field.elements[0].options] : field.elements);
  const chosen = (field, option) => (field.kind === "select" ? option.selected : option.checked);

  function valueOf(field) {
    if (field.kind === "select" || field.kind === "radio" || field.kind === "checkbox") {
      return options(field).filter((one) => chosen(field, one)).map((one) => one.value).join("|");
    }
    return field.elements[0].value;
  }

  // --- words ----------------------------------------------------------------------------------------------------

  function named(element) {
    const ids = (element.getAttribute("aria-labelledby") || "").split(/\s+/).filter(Boolean);
    const words = ids.map((id) => Document.prototype.getElementById.call(document, id)?.innerText).join(" ");
    return tidy(words) || tidy(element.getAttribute("aria-label"));
  }

  const labelled = (element) => tidy([...(element.labels || [])].map((label) => label.innerText).join(" "));
  const holdsControl = (node) => node.nodeType === 1 && (node.matches(CONTROLS) || node.querySelector(CONTROLS));

  function wordsOf(node) {
    if (node.nodeType === 3) return node.data;
    return node.nodeType === 1 && !node.matches("script, style, template") ? ` ${node.innerText || ""} ` : "";
  }

  /** The words that stand right behind a button or box. */
  function following(element) {
    let words = "";
    for (let node = element.nextSibling; node && !holdsControl(node) && node.localName !== "br"; node = node.nextSibling) {
      words += wordsOf(node);
    }
    if (tidy(words)) return tidy(words);
    const cell = element.closest("td, li");
    if (!cell || cell.querySelectorAll(CONTROLS).length !== 1) return "";
    const next = cell.nextElementSibling;
    return tidy(cell.innerText) || (next && !holdsControl(next) ? tidy(next.innerText) : "");
  }

  /** The nearest words in front of an element, unless they belong to another field. */
  function preceding(element) {
    const body = own("body");
    for (let node = element; node && node !== body; node = node.parentElement) {
      let words = "";
      for (let before = node.previousSibling; before; before = before.previousSibling) {
        if (holdsControl(before)) return tidy(words);
        words = wordsOf(before) + words;
        if (before.nodeType === 1 && tidy(words)) break;
      }
      if (tidy(words)) return tidy(words);
    }
    return "";
  }

  function legend(element) {
    const set = element.closest("fieldset, [role=radiogroup], [role=group]");
    if (!set) return "";
    return tidy(set.querySelector(":scope > legend")?.innerText) || named(set);
  }

  function labelOf(field) {
    const first = field.elements[0];
    if (field.kind === "hidden") return "";
    const words = field.elements.length > 1
      ? legend(first) || preceding(first)
      : labelled(first) || named(first) || legend(first) || preceding(first) || first.placeholder || first.title;
    return tidy(words).slice(-WORDS);
  }

  function optionLabel(field, option) {
    if (field.kind === "select") return tidy(option.label);
    return (labelled(option) || named(option) || following(option) || option.value).slice(0, WORDS);
  }

  // --- places ---------------------------------------------------------------------------------------------------

  const edges = (rect) => [rect.left, rect.top, rect.right, rect.bottom];
  const joined = (a, b) => (!a || !b ? a || b : [Math.min(a[0], b[0]), Math.min(a[1], b[1]), Math.max(a[2], b[2]), Math.max(a[3], b[3])]);
  const shared = (a, b) => [Math.max(a[0], b[0]), Math.max(a[1], b[1]), Math.min(a[2], b[2]), Math.min(a[3], b[3])];

  /** What of an element its scrolling ancestors leave to be seen, null for nothing; CSS pixels of the viewport. */
  function seen(element, clips) {
    if (!element.checkVisibility({ visibilityProperty: true })) return null;
    let box = edges(element.getBoundingClientRect());
    const root = own("documentElement"), body = own("body");
    for (let up = element.parentElement; up && up !== body && up !== root; up = up.parentElement) {
      if (!clips.has(up)) {
        clips.set(up, getComputedStyle(up).overflow === "visible" ? null : edges(up.getBoundingClientRect()));
      }
      const clip = clips.get(up);
      if (clip) box = shared(box, clip);
    }
    return box[2] > box[0] && box[3] > box[1] ? box : null;
  }

  function withLabels(element, clips) {
    return [...(element.labels || [])].reduce((box, label) => joined(box, seen(label, clips)), seen(element, clips));
  }

  const placed = (box) =>
    box && [(box[0] + scrollX) * scale, (box[1] + scrollY) * scale, (box[2] + scrollX) * scale, (box[3] + scrollY) * scale];

  function account(field, clips) {
    const boxes = field.elements.map((element) => withLabels(element, clips));
    const select = field.kind === "select", many = select || field.kind === "radio" || field.kind === "checkbox";
    return {
      name: field.name,
      type: field.kind,
      value: valueOf(field),
      label: labelOf(field),
      disabled: field.elements.every((element) => element.matches(":disabled") || element.readOnly === true),
      box: placed(boxes.reduce(joined, null)),
      options: !many ? [] : options(field).map((option, index) => ({
        value: option.value,
        label: optionLabel(field, option),
        chosen: chosen(field, option),
        box: select ? null : placed(boxes[index]),
      })),
    };
  }

  function look(names) {
    listen();
    const found = groups(), clips = new Map(), root = own("scrollingElement") || own("documentElement");
    const wanted = names || [...found.keys()];
    return {
      fields: wanted.filter((name) => found.has(name)).map((name) => account(found.get(name), clips)),
      missing: wanted.filter((name) => !found.has(name)),
      size: [root.scrollWidth * scale, root.scrollHeight * scale],
      viewport: [innerWidth * scale, innerHeight * scale],
      scroll: [scrollX * scale, scrollY * scale],
      inner: [root.clientWidth * scale, root.clientHeight * scale], // without scroll bars
      title: own("title"),
    };
  }

  // --- the modify actions ---------------------------------------------------------------------------------------

  /** "1.0" is "1", and case and white space are even (as the scoring rules read answers). */
  function even(words) {
    const text = tidy(words).toLowerCase();
    return text && Number.isFinite(Number(text)) ? String(Number(text)) : text;
  }

  function pick(field, wanted) {
    const all = options(field);
    const found =
      all.find((one) => one.value === wanted) ||
      all.find((one) => even(one.value) === even(wanted)) ||
      all.find((one) => even(optionLabel(field, one)) === even(wanted));
    if (found) return found;
    const known = all.map((one) => one.value).slice(0, 30).map((value) => `“${value}”`).join(", ");
    throw new Refusal(`Field “${field.name}” has no option “${wanted}”. It has ${known || "none"}.`);
  }

  function ready(name, action) {
    const field = group(name);
    if (ACTIONS[field.kind] !== action) {
      throw new Refusal(`Field “${name}” is a ${field.kind} field: use ${ACTIONS[field.kind]}.`);
    }
    return field;
  }

  function usable(field, element) {
    if (element.matches(":disabled")) throw new Refusal(`Field “${field.name}” cannot be changed: it is disabled.`);
    if (element.readOnly === true) throw new Refusal(`Field “${field.name}” cannot be changed: it is read-only.`);
    return element;
  }

  function heard(element, ...kinds) {
    for (const kind of kinds) {
      const event = kind === "input" ? InputEvent : kind === "keyup" ? KeyboardEvent : Event;
      element.dispatchEvent(new event(kind, { bubbles: true, cancelable: kind === "keyup", composed: true }));
    }
  }

  /** Click a button or box; a page that keeps the click to itself is overruled. */
  function tick(element, on) {
    element.focus({ preventScroll: true });
    element.click();
    if (element.checked !== on) {
      element.checked = on;
      heard(element, "input", "change");
    }
  }

  /** No button chosen, as some pages come and as no hand can bring about. */
  function untick(field) {
    const element = field.elements.find((one) => one.checked);
    if (element) {
      usable(field, element).checked = false;
      heard(element, "input", "change");
    }
    return "none";
  }

  const modify = {
    modify_text({ field: name, text }) {
      const field = ready(name, "modify_text"), element = usable(field, field.elements[0]), before = element.value;
      element.focus({ preventScroll: true });
      element.value = text;
      if (text && element.localName === "input" && !element.value) {
        element.value = before;
        throw new Refusal(`Field “${name}” takes a ${element.type}, and “${text}” is none.`);
      }
      if (field.kind === "hidden") heard(element, "input", "change");
      else heard(element, "input", "keyup", "change");
      return `${[...text].length} characters`;
    },
    modify_checkbox({ field: name, values }) {
      const field = ready(name, "modify_checkbox");
      const wanted = new Set(values.map((value) => pick(field, value)));
      const differing = field.elements.filter((element) => element.checked !== wanted.has(element));
      differing.forEach((element) => usable(field, element));
      differing.forEach((element) => tick(element, wanted.has(element)));
      return `${wanted.size} of ${field.elements.length} ticked`;
    },
    modify_radio({ field: name, value }) {
      const field = ready(name, "modify_radio");
      if (value === "" && field.elements.every((one) => one.value !== "")) return untick(field);
      const element = usable(field, pick(field, value));
      if (!element.checked) tick(element, true);
      return optionLabel(field, element);
    },
    modify_select({ field: name, value }) {
      const field = ready(name, "modify_select"), element = usable(field, field.elements[0]);
      const option = pick(field, value);
      if (option.disabled) throw new Refusal(`“${value}” of field “${name}” cannot be chosen: it is disabled.`);
      element.focus({ preventScroll: true });
      for (const one of element.options) one.selected = one === option;
      heard(element, "input", "change");
      return optionLabel(field, option);
    },
    modify_range({ field: name, value }) {
      const field = ready(name, "modify_range"), element = usable(field, field.elements[0]);
      element.focus({ preventScroll: true });
      element.value = String(value); // the browser itself takes the nearest that the slider can be put to
      heard(element, "input", "change");
      return element.value;
    },
  };

  // --- the page as text and as a picture -------------------------------------------------------------------------

  /** The document as it is now, with what is filled in as attributes. */
  function html() {
    const root = own("documentElement");
    const still = document.implementation.createHTMLDocument(""); // where no script runs, that of own elements neither
    const copy = still.importNode(root, true), live = root.querySelectorAll(`${CONTROLS}, option`);
    copy.querySelectorAll(`${CONTROLS}, option`).forEach((element, index) => {
      const now = live[index];
      if (element.localName === "textarea") element.textContent = now.value;
      else if (element.localName === "option") element.toggleAttribute("selected", now.selected);
      else if (now.type === "checkbox" || now.type === "radio") element.toggleAttribute("checked", now.checked);
      else if (element.localName === "input" && now.value !== (now.getAttribute("value") ?? "")) {
        element.setAttribute("value", now.value);
      }
    });
    return (own("doctype") ? "<!DOCTYPE html>\n" : "") + copy.outerHTML;
  }

  function target(name) {
    const field = group(name), clips = new Map();
    const drawn = field.elements.find((element) => withLabels(element, clips)) || field.elements[0];
    const label = [...(drawn.labels || [])].find((one) => one.checkVisibility());
    return drawn.checkVisibility() ? drawn : label || drawn;
  }

  let held = [];

  /** While a picture is put together from several, what stays in its place on the screen is shown once. */
  function hold(on) {
    for (const [element, style] of held) {
      if (style === null) element.removeAttribute("style");
      else element.setAttribute("style", style);
    }
    held = [];
    if (!on) return;
    for (const element of all("body *")) {
      const position = getComputedStyle(element).position;
      if (position !== "fixed" && position !== "sticky") continue;
      held.push([element, element.getAttribute("style")]);
      if (position === "fixed") element.style.setProperty("visibility", "hidden", "important");
      else element.style.setProperty("position", "static", "important");
    }
  }

  // --- all that is drawn ------------------------------------------------------------------------------------------

  const MOST_ELEMENTS = 5000;
  const PRESSED = new Set(["a", "button", "select", "label", "summary", "input", "textarea"]);
  const NOT_WRITTEN = new Set(["checkbox", "radio", "submit", "button", "image", "reset", "file", "range", "color"]);

  function element(node, parent, depth, box, index) {
    const written = node.localName === "textarea" || (node.localName === "input" && !NOT_WRITTEN.has(node.type));
    const ticked = node.localName === "input" && (node.type === "checkbox" || node.type === "radio");
    const texts = [...node.childNodes].filter((one) => one.nodeType === 3).map((one) => one.data).join(" ");
    const value = node.localName === "select" ? node.selectedOptions[0]?.label : written ? node.value : "";
    const secret = node.type === "password";
    const said = ["aria-label", "alt", "placeholder", "title"].map((name) => node.getAttribute(name)).find(Boolean);
    return {
      index, parent, depth, bounds: box,
      text: (secret ? "•".repeat(value.length) : tidy(written || value ? value : texts)).slice(0, WORDS),
      content_desc: tidy(said).slice(0, WORDS),
      resource_id: tidy(node.getAttribute("name") || node.id),
      class: ticked ? `${node.localName}:${node.type}` : node.localName,
      package: "",
      clickable: PRESSED.has(node.localName) || node.hasAttribute("onclick") || node.getAttribute("role") === "button",
      long_clickable: false,
      scrollable: node.scrollHeight > node.clientHeight + 1 && ["auto", "scroll"].includes(getComputedStyle(node).overflowY),
      checkable: ticked,
      checked: ticked && node.checked,
      editable: written,
      enabled: node.disabled !== true,
      focused: node === own("activeElement"),
      selected: false,
      password: secret,
    };
  }

  /** Elements that are drawn, in document order; one that is not leaves its children to the element around it. */
  function tree() {
    const elements = [], places = new Map(), clips = new Map(), body = own("body"), size = look([]).size;
    const inside = (box) => box && box[0] < size[0] && box[1] < size[1] && box[2] > 0 && box[3] > 0;
    const walker = body && document.createTreeWalker(body, NodeFilter.SHOW_ELEMENT);
    for (let node = body; node && elements.length < MOST_ELEMENTS; node = walker.nextNode()) {
      let [parent, depth] = places.get(node.parentElement) || [-1, -1];
      const box = ["script", "style"].includes(node.localName) ? null : placed(seen(node, clips));
      if (inside(box)) {
        elements.push(element(node, parent, depth + 1, box, elements.length));
        [parent, depth] = [elements.length - 1, depth + 1];
      }
      places.set(node, [parent, depth]);
    }
    return { size, app: "", activity: own("title"), elements };
  }

  // --- what is told by itself ------------------------------------------------------------------------------------

  function changed() {
    if (!watching || timer) return;
    timer = setTimeout(() => {
      timer = 0;
      const begun = performance.now();
      tell({ look: look(null) });
      gap = Math.max(GAP_MS, 4 * (performance.now() - begun));
    }, gap);
  }

  const values = () => Object.fromEntries([...groups().values()].map((field) => [field.name, valueOf(field)]));

  function submitted(event) {
    if (event.defaultPrevented) return;
    event.preventDefault();
    tell({ submitted: values() });
  }

  /** A submit button outside any form; that a bare <button> is one is known inside forms only. */
  function clicked(event) {
    const button = event.target.closest?.('input[type="submit"], input[type="image"], button[type="submit" i]');
    if (button && !button.form && !button.disabled) submitted(event);
    changed();
  }

  function opensList(event) {
    const list = event.target.closest?.("select");
    if (!list || list.multiple || list.size > 1 || list.disabled || !event.isTrusted) return;
    const keys = event.type === "keydown";
    if (keys && !([" ", "Enter", "F4"].includes(event.key) || (event.altKey && event.key.startsWith("Arrow")))) return;
    if (!keys && event.button !== 0) return;
    event.preventDefault(); // the browser would open a window of its own, which nobody sees
    list.focus({ preventScroll: true });
    const field = { name: list.name, kind: "select", elements: [list] };
    tell({ list: { ...account(field, new Map()), size: look([]).size } });
  }

  function invalid(event) {
    tell({ said: event.target.validationMessage });
  }

  const count = (name) => () => { counts[name] += 1; };
  const LISTENERS = [
    ["pointerup", count("up"), true], ["keyup", count("key"), true], ["wheel", count("wheel"), true],
    ["input", count("input"), true],
    ["mousedown", opensList, true], ["keydown", opensList, true], ["invalid", invalid, true],
    ["submit", submitted, false], ["click", clicked, false],
    ...["input", "change", "scroll", "resize", "keyup", "transitionend", "animationend", "toggle", "load"].map(
      (kind) => [kind, changed, true]),
  ];
  const mutations = new MutationObserver(changed);

  /** Again and again: `document.open` takes all listeners away. */
  function listen() {
    for (const [kind, listener, capture] of LISTENERS) {
      addEventListener(kind, listener, { capture, passive: kind === "wheel" || kind === "scroll" });
    }
    mutations.observe(document, { subtree: true, childList: true, attributes: true, characterData: true });
  }

  /** Told after so many frames; an empty document never has one. */
  function painted({ number, frames }) {
    let told = false;
    const done = () => {
      if (!told) tell({ painted: number });
      told = true;
    };
    const wait = (left) => (left ? requestAnimationFrame(() => wait(left - 1)) : done());
    setTimeout(done, NEVER_DRAWN_MS);
    wait(frames);
  }

  // --- calls -----------------------------------------------------------------------------------------------------

  const calls = {
    look,
    values,
    html,
    tree,
    counts: () => ({ ...counts }),
    at: () => [scrollX * scale, scrollY * scale],
    state: () => own("readyState"),
    has: (name) => groups().has(name),
    focused: () => Boolean(own("activeElement") && own("activeElement") !== own("body")),
    setScale: (value) => { scale = value; },
    watch: (on) => { watching = on; },
    modify: (action) => modify[action.do](action),
    hold,
    scroll: ([x, y]) => { scrollTo({ left: x / scale, top: y / scale, behavior: "instant" }); return calls.at(); },
    show: (name) => { target(name).scrollIntoView({ block: "center", inline: "nearest", behavior: "instant" }); },
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
})();
