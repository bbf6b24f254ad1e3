// The rendered page as an Android-like UI tree: window.stepscope.dump().
"use strict";

(() => {
  const BY_TAG = { input: "android.widget.EditText", textarea: "android.widget.EditText", img: "android.widget.ImageView" };
  const BY_ROLE = {
    switch: "android.widget.Switch",
    checkbox: "android.widget.CheckBox",
    radio: "android.widget.RadioButton",
    slider: "android.widget.SeekBar",
  };
  const line = (text) => (text || "").replace(/\s+/g, " ").trim();

  /** Text that belongs to the element itself; buttons speak for everything inside them. */
  function ownText(el) {
    if (el.matches("input,textarea")) return el.type === "password" ? "•".repeat(el.value.length) : line(el.value) || line(el.placeholder);
    if (isLeaf(el)) return line(el.innerText);
    return line(
      [...el.childNodes]
        .filter((n) => n.nodeType === 3)
        .map((n) => n.data)
        .join(" "),
    );
  }

  const isLeaf = (el) => el.tagName === "BUTTON" || el.dataset.leaf === "1" || BY_ROLE[el.getAttribute("role")] !== undefined;
  const isScroller = (el) =>
    (el.matches(".scroll,.body") && el.scrollHeight > el.clientHeight + 1) ||
    (el.matches(".hscroll") && el.scrollWidth > el.clientWidth + 1);

  function androidClass(el, text) {
    const tag = el.tagName.toLowerCase();
    if (el.dataset.class) return el.dataset.class;
    if (BY_TAG[tag]) return BY_TAG[tag];
    const role = BY_ROLE[el.getAttribute("role")];
    if (role) return role;
    if (tag === "button") return text ? "android.widget.Button" : "android.widget.ImageButton";
    if (el.matches(".scroll,.body")) return "androidx.recyclerview.widget.RecyclerView";
    if (el.matches(".hscroll")) return "android.widget.HorizontalScrollView";
    if (text) return "android.widget.TextView";
    return el.dataset.clickable ? "android.view.ViewGroup" : "android.widget.FrameLayout";
  }

  function clip(a, b) {
    return [Math.max(a[0], b[0]), Math.max(a[1], b[1]), Math.min(a[2], b[2]), Math.min(a[3], b[3])];
  }

  const round = (v) => Math.round(v * 100) / 100;

  function dump() {
    const elements = [];
    // A modal layer takes the page below out of reach, as a dialog window does on the device; only the last layer counts.
    const layers = [...document.getElementById("layers").children];
    const scrims = layers.filter((l) => l.matches(".scrim,.recents"));
    const top = scrims.length ? layers.slice(layers.indexOf(scrims[scrims.length - 1])) : null;
    const active = document.activeElement;
    let focus = null;

    function visit(el, parent, depth, window_) {
      if (el.nodeType !== 1 || el.tagName === "svg") return;
      if (top && (el.id === "stage" || (el.parentNode.id === "layers" && !top.includes(el)))) return;
      const style = getComputedStyle(el);
      if (style.display === "none" || style.visibility === "hidden") return;
      const b = el.getBoundingClientRect();
      const bounds = clip([b.left, b.top, b.right, b.bottom], window_);
      const empty = bounds[2] - bounds[0] < 1 || bounds[3] - bounds[1] < 1;
      const clips = style.overflowX !== "visible" || style.overflowY !== "visible";
      if (empty && (clips || !el.children.length)) return;
      const inner = clips ? bounds : window_;

      const text = ownText(el),
        label = el.getAttribute("aria-label") || "";
      const input = el.matches("input,textarea");
      const clickable = Boolean(el._tap) || input || el.tagName === "BUTTON";
      const scrollable = isScroller(el);
      const role = el.getAttribute("role");
      const meaning =
        text || label || el.dataset.id || clickable || el._hold || scrollable || role || el.dataset.class || el.id === "phone";
      let index = parent,
        deeper = depth;
      if (meaning && !empty) {
        index = elements.length;
        deeper = depth + 1;
        const checkable = el.hasAttribute("aria-checked");
        const focused = el === active;
        if (focused) focus = el.dataset.id || null;
        elements.push({
          index,
          parent,
          depth,
          class: androidClass(el, text),
          text,
          content_desc: label,
          resource_id: el.dataset.id || "",
          package: el.dataset.id ? el.dataset.id.split(":")[0] : parent >= 0 ? elements[parent].package : Shell.pkg,
          bounds: bounds.map(round),
          clickable,
          long_clickable: Boolean(el._hold),
          scrollable,
          checkable,
          checked: checkable && el.getAttribute("aria-checked") === "true",
          editable: input,
          enabled: !el.disabled && el.getAttribute("aria-disabled") !== "true",
          focused,
          selected: el.getAttribute("aria-selected") === "true",
          password: el.type === "password",
        });
      }
      if (isLeaf(el) && index !== parent) return;
      for (const kid of el.children) visit(kid, index, deeper, inner);
    }

    visit(document.getElementById("phone"), -1, 0, [0, 0, innerWidth, innerHeight]);
    const state = window.stepscope.state();
    return { size: [innerWidth, innerHeight], app: Shell.pkg, activity: Shell.page.name, window: state.layer, focus, elements };
  }

  window.stepscope.dump = dump;
})();
