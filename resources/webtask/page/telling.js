// What the page tells by itself, and when.

const TOKEN = "@TOKEN@";
const GAP_MS = 50; // between two accounts of a page that somebody looks at
const NEVER_DRAWN_MS = 1000;

const SENT_MS = 500;
const SENDERS = 'input[type="submit"], input[type="image"], button';

let watching = false;
let sent = -SENT_MS;
let awaited = false;
let gap = GAP_MS;
const counts = { up: 0, key: 0, wheel: 0 };

/** Later; the page could end a timer, since it shares their numbers. */
const later = (task, delay) => void scheduler.postTask(task, { delay });
const tell = (what) => console.info(TOKEN + JSON.stringify(what));

function changed() {
  if (!watching || awaited) return;
  awaited = true;
  later(() => {
    awaited = false;
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

/** What the browser says of the first field that keeps a form from being sent; scripts ask for it much more often. */
function invalid(event) {
  if (performance.now() - sent < SENT_MS) tell({ said: event.target.validationMessage });
  sent = -SENT_MS;
}

/** The Enter key in a field is a click on the form's button, too. */
function sends(event) {
  if (event.isTrusted && event.target.closest?.(SENDERS)) sent = performance.now();
}

const count = (name) => () => { counts[name] += 1; };
const LISTENERS = [
  ["pointerup", count("up"), true], ["keyup", count("key"), true], ["wheel", count("wheel"), true],
  ["mousedown", opensList, true], ["keydown", opensList, true], ["invalid", invalid, true],
  ["click", sends, true],
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
  later(done, NEVER_DRAWN_MS);
  wait(frames);
}
