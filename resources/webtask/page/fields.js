// The fields of a page by name: their elements, options and values.

const CONTROLS = "input, select, textarea";
const NO_FIELDS = new Set(["submit", "button", "image", "reset", "file"]);
const KINDS = { checkbox: "checkbox", radio: "radio", range: "range", hidden: "hidden" };

// An element with a name such as "body" hides the document's own property of that name.
const own = (name) => Object.getOwnPropertyDescriptor(Document.prototype, name).get.call(document);
const all = (selector) => Document.prototype.querySelectorAll.call(document, selector);
const tidy = (words) => (words || "").replace(/\s+/g, " ").trim();

class Refusal extends Error {}

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
