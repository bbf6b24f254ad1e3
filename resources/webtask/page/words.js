// What a person would read as the label of a field or of an option.

const WORDS = 300; // of a label

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
