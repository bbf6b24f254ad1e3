// Where things are drawn, and a field's whole account.

let scale = 1;

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
