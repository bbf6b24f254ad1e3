// The modify actions, as `docs/webtasks.md` tells them.

const ACTIONS = {
  text: "modify_text", textarea: "modify_text", hidden: "modify_text", checkbox: "modify_checkbox",
  radio: "modify_radio", select: "modify_select", range: "modify_range",
};

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
