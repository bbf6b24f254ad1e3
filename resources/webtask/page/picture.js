// The page as text and as a picture.

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

const at = () => [scrollX * scale, scrollY * scale];
const scroll = ([x, y]) => { scrollTo({ left: x / scale, top: y / scale, behavior: "instant" }); };

let sheet = null;

/** One pixel of that colour at the top left of the screen, by which is known what a picture has; without a colour, none.
 * No element is added, so that the page's scripts are told of nothing. False where the page draws that part itself. */
function mark(colour) {
  const sheets = own("adoptedStyleSheets"), place = sheets.indexOf(sheet);
  if (place >= 0) sheets.splice(place, 1);
  if (!colour || getComputedStyle(own("documentElement"), "::after").content !== "none") return false;
  sheet = new CSSStyleSheet();
  sheet.replaceSync(`:root::after {
    all: initial !important; content: "" !important; position: fixed !important; top: 0 !important; left: 0 !important;
    width: ${Math.max(1, 1 / scale)}px !important; height: ${Math.max(1, 1 / scale)}px !important;
    z-index: 2147483647 !important; background: ${colour} !important;
  }`);
  sheets.push(sheet);
  return true;
}

/** The page for a picture, in one go, since each go may be a frame of its own: at `to`, `alone` without what stays in its
 * place on the screen, with a mark. */
function show({ to, alone, colour }) {
  if (alone) hold(true);
  if (to) scroll(to);
  return { marked: mark(colour), at: at() };
}
