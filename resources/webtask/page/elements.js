// All that is drawn, as a UI tree.

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
    resource_id: tidy(node.getAttribute("name") || node.getAttribute("id")),
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
