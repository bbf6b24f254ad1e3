// Stand-ins for the crowd platform's elements (ours), after the public reference of Crowd HTML Elements: each puts a
// native field with the same name into itself, so that answers come out under the names that the platform used.
// An element is itself as soon as the browser meets it; what its children say is read when the page has been read.
(() => {
  "use strict";
  if (window.crowdStandIns || !window.customElements) return;
  window.crowdStandIns = true;

  const whenRead = (work) =>
    document.readyState === "loading" ? document.addEventListener("DOMContentLoaded", work, { once: true }) : work();
  const make = (tag, attributes = {}, words = "") => {
    const made = document.createElement(tag);
    for (const [name, value] of Object.entries(attributes)) {
      if (value !== null && value !== undefined && value !== false) made.setAttribute(name, value === true ? "" : value);
    }
    if (words) made.textContent = words;
    return made;
  };
  // Lists in attributes: JSON, or with single quotes as the reference's own examples have them.
  const listIn = (text) => {
    try {
      return JSON.parse(text || "[]").map(String);
    } catch {
      return Array.from((text || "").matchAll(/'((?:[^'\\]|\\.)*)'|"((?:[^"\\]|\\.)*)"/g), (one) =>
        (one[1] ?? one[2]).replace(/\\(.)/g, "$1"),
      );
    }
  };
  const isOn = (element, name) => element.hasAttribute(name) && element.getAttribute(name) !== "false";
  const define = (name, kind) => customElements.get(name) || customElements.define(name, kind);
  let made = 0;

  // A field: `native` is the real input within. Attributes of the element are those of the input, now and later.
  class Field extends HTMLElement {
    static switches = ["disabled", "required", "checked", "readonly", "multiple"];
    static texts = { value: "value", placeholder: "placeholder", min: "min", max: "max", step: "step", name: "name",
      rows: "rows", "max-length": "maxlength", "min-length": "minlength", maxlength: "maxlength", "aria-label": "aria-label",
      title: "title" };
    static get observedAttributes() {
      return [...this.switches, ...Object.keys(this.texts), "label"];
    }
    connectedCallback() {
      if (this.native) return;
      // A page that was put together again from its HTML has the input already.
      this.native = this.querySelector(":scope > .crowd-native") || this.build();
      this.native.classList.add("crowd-native");
      this.native.id = this.native.id || `crowd-field-${++made}`;
      if (this.native.parentNode !== this) this.prepend(this.native);
      for (const name of this.constructor.observedAttributes) this.attributeChangedCallback(name);
      if (isOn(this, "auto-focus") || isOn(this, "autofocus")) whenRead(() => this.native.focus());
    }
    attributeChangedCallback(name) {
      if (!this.native) return;
      if (this.constructor.switches.includes(name)) this.native[name === "readonly" ? "readOnly" : name] = isOn(this, name);
      else if (name === "label") this.say(this.getAttribute("label"));
      else if (this.hasAttribute(name)) this.take(this.constructor.texts[name], this.getAttribute(name));
    }
    take(name, text) {
      if (name === "value") this.native.value = text;
      this.native.setAttribute(name, text);
    }
    say(words) {
      let label = this.querySelector(":scope > .crowd-label");
      if (!words) return label && label.remove();
      if (!label) this.prepend((label = make("label", { class: "crowd-label", for: this.native.id })));
      label.textContent = words;
    }
    get value() {
      return this.native ? this.native.value : this.getAttribute("value") || "";
    }
    set value(text) {
      if (this.native) this.native.value = text;
      else this.setAttribute("value", text);
    }
    get disabled() {
      return isOn(this, "disabled");
    }
    set disabled(on) {
      this.toggleAttribute("disabled", Boolean(on));
    }
    get required() {
      return isOn(this, "required");
    }
    set required(on) {
      this.toggleAttribute("required", Boolean(on));
    }
    focus() {
      this.native && this.native.focus();
    }
    checkValidity() {
      return !this.native || this.native.checkValidity();
    }
  }

  define("crowd-input", class extends Field {
    build() {
      return make("input", { type: this.getAttribute("type") || "text", pattern: this.pattern() });
    }
    pattern() {
      const allowed = this.getAttribute("allowed-pattern");
      return allowed && isOn(this, "auto-validate") ? `(?:${allowed})*` : null;
    }
  });
  define("crowd-text-area", class extends Field {
    build() {
      return make("textarea", { rows: this.getAttribute("rows") || 3 });
    }
    take(name, text) {
      if (name === "value") this.native.defaultValue = text;
      else super.take(name, text);
    }
  });
  define("crowd-slider", class extends Field {
    build() {
      if (isOn(this, "pin")) this.pin();
      // The reference's own range, where none is told.
      return make("input", { type: "range", min: 0, max: 100 });
    }
    pin() {
      const shown = make("output", { class: "crowd-pin" });
      this.append(shown);
      const tell = () => (shown.textContent = this.value);
      this.addEventListener("input", tell);
      this.addEventListener("change", tell);
      queueMicrotask(tell);
    }
    connectedCallback() {
      super.connectedCallback();
      // A value beyond 100 was cut before the range was known.
      if (this.hasAttribute("value")) this.native.value = this.getAttribute("value");
    }
  });

  // A button or box with its words behind it, which become its label.
  class Choice extends Field {
    connectedCallback() {
      const fresh = !this.native;
      super.connectedCallback();
      if (fresh) whenRead(() => this.word());
    }
    word() {
      if (this.querySelector(":scope > .crowd-words")) return;
      const label = make("label", { class: "crowd-words", for: this.native.id });
      // An element that was not closed has the rest of the page in it.
      while (this.native.nextSibling && !this.holdsField(this.native.nextSibling)) label.append(this.native.nextSibling);
      if (label.textContent.trim() || label.querySelector("img, video, svg")) this.native.after(label);
      else this.append(...label.childNodes);
    }
    holdsField(node) {
      const fields = "input, select, textarea, button";
      return node.nodeType === 1 && (node.matches(fields) || node.querySelector(fields));
    }
    take(name, text) {
      // The `value` of a button or box is what it says when it is chosen.
      this.native.setAttribute(name, text);
    }
    get checked() {
      return Boolean(this.native && this.native.checked);
    }
    set checked(on) {
      if (this.native) this.native.checked = Boolean(on);
      else this.toggleAttribute("checked", Boolean(on));
    }
  }
  define("crowd-checkbox", class extends Choice {
    build() {
      return make("input", { type: "checkbox" });
    }
  });
  define("crowd-radio-button", class extends Choice {
    build() {
      return make("input", { type: "radio" });
    }
  });
  // One of a group, also where each button has a name of its own, as the reference wants it.
  define("crowd-radio-group", class extends HTMLElement {
    connectedCallback() {
      this.setAttribute("role", "radiogroup");
      if (this.listens) return;
      this.listens = true;
      this.addEventListener("change", (event) => {
        if (event.target.type !== "radio" || !event.target.checked) return;
        for (const other of this.querySelectorAll("input[type=radio]")) if (other !== event.target) other.checked = false;
      });
    }
  });

  define("crowd-form", class extends HTMLElement {
    get form() {
      return this.querySelector(":scope > form") || this.closest("form");
    }
    submit() {
      if (this.form) this.form.requestSubmit();
    }
    reset() {
      if (this.form) this.form.reset();
    }
  });
  define("crowd-button", class extends HTMLElement {
    connectedCallback() {
      if (this.listens) return;
      this.listens = true;
      this.setAttribute("role", "button");
      this.tabIndex = 0;
      this.addEventListener("click", (event) => this.press(event));
      this.addEventListener("keydown", (event) => (event.key === "Enter" || event.key === " ") && this.click());
      if (this.hasAttribute("href") && !this.textContent.trim()) whenRead(() => this.textContent || this.append("Link"));
    }
    press(event) {
      if (isOn(this, "disabled")) return event.stopImmediatePropagation();
      const form = this.closest("form");
      const what = this.getAttribute("form-action");
      if (form && what === "reset") form.reset();
      else if (form && what === "submit") form.requestSubmit();
      else if (this.hasAttribute("href")) window.open(this.getAttribute("href"), this.getAttribute("target") || "_blank");
    }
    get disabled() {
      return isOn(this, "disabled");
    }
    set disabled(on) {
      this.toggleAttribute("disabled", Boolean(on));
    }
  });
  define("crowd-icon-button", class extends HTMLElement {
    connectedCallback() {
      this.setAttribute("role", "button");
      this.setAttribute("aria-label", this.getAttribute("aria-label") || this.getAttribute("icon") || "");
    }
  });

  // Categories become radio buttons or boxes. The platform answers {name: {label: …}}: its column is `name.label`.
  class Classifier extends HTMLElement {
    connectedCallback() {
      if (this.built) return;
      this.built = true;
      const header = this.getAttribute("header");
      if (header && !this.querySelector(":scope > .crowd-header")) this.prepend(make("h3", { class: "crowd-header" }, header));
      if (!this.querySelector(":scope > .crowd-choices")) this.append(this.choices());
      const source = this.getAttribute("src");
      if (source && !this.querySelector(":scope > .crowd-picture")) this.append(make("img", { class: "crowd-picture", src: source, alt: "" }));
    }
    choices() {
      const field = make("fieldset", { class: "crowd-choices" });
      if (this.hasAttribute("header")) field.append(make("legend", { class: "crowd-unseen" }, this.getAttribute("header")));
      const several = this.constructor.several;
      const name = `${this.getAttribute("name") || ""}.${several ? "labels" : "label"}`;
      for (const category of [...listIn(this.getAttribute("categories")), ...this.none()]) {
        const label = make("label");
        label.append(make("input", { type: several ? "checkbox" : "radio", name, value: category, required: !several }), ` ${category}`);
        field.append(label);
      }
      return field;
    }
    none() {
      const said = this.constructor.several && /text['"]?\s*:\s*(?:'([^']*)'|"([^"]*)")/.exec(this.getAttribute("exclusion-category") || "");
      return said ? [said[1] ?? said[2]] : [];
    }
    get value() {
      const chosen = Array.from(this.querySelectorAll(".crowd-choices input:checked"), (one) => one.value);
      return this.constructor.several ? { labels: chosen } : { label: chosen[0] };
    }
  }
  define("crowd-classifier", class extends Classifier {});
  define("crowd-image-classifier", class extends Classifier {});
  define("crowd-classifier-multi-select", class extends Classifier {
    static several = true;
  });
  define("crowd-image-classifier-multi-select", class extends Classifier {
    static several = true;
  });

  // What is drawn or marked on the platform: the picture or text is shown, and that this is not offered.
  class Drawing extends HTMLElement {
    connectedCallback() {
      if (this.built) return;
      this.built = true;
      const header = this.getAttribute("header");
      if (header) this.prepend(make("h3", { class: "crowd-header" }, header));
      const labels = listIn(this.getAttribute("labels"));
      const source = this.getAttribute("src");
      if (source) this.append(make("img", { class: "crowd-picture", src: source, alt: "" }));
      if (this.hasAttribute("text")) this.append(make("p", { class: "crowd-text" }, this.getAttribute("text")));
      if (labels.length) this.append(make("p", {}, `Labels: ${labels.join(", ")}`));
      this.append(make("p", { class: "crowd-note" }, "Marking and drawing are not offered here."));
    }
  }
  for (const name of ["bounding-box", "polygon", "polyline", "keypoint", "semantic-segmentation", "instance-segmentation",
    "entity-annotation", "line", "3d-point-cloud", "bounding-box-v2"]) {
    define(`crowd-${name}`, class extends Drawing {});
  }

  define("crowd-card", class extends HTMLElement {
    connectedCallback() {
      if (this.built) return;
      this.built = true;
      const [header, image] = [this.getAttribute("heading"), this.getAttribute("image")];
      if (image) this.prepend(make("img", { src: image, alt: "" }));
      if (header) this.prepend(make("h3", { class: "crowd-header" }, header));
    }
  });
  define("crowd-alert", class extends HTMLElement {
    connectedCallback() {
      this.setAttribute("role", "alert");
      if (this.built || !isOn(this, "dismissible")) return;
      this.built = true;
      const button = make("button", { type: "button", class: "crowd-dismiss", "aria-label": "Dismiss" }, "×");
      button.addEventListener("click", () => this.remove());
      this.prepend(button);
    }
  });
  // Dialogs and toasts: not to be seen until they are opened.
  class Opens extends HTMLElement {
    open() {
      this.toggleAttribute(this.constructor.mark, true);
    }
    show() {
      this.open();
    }
    close() {
      this.toggleAttribute(this.constructor.mark, false);
    }
    hide() {
      this.close();
    }
    toggle() {
      this.toggleAttribute(this.constructor.mark);
    }
  }
  define("crowd-modal", class extends Opens {
    static mark = "open";
    connectedCallback() {
      this.setAttribute("role", "dialog");
    }
  });
  define("crowd-toast", class extends Opens {
    static mark = "opened";
    connectedCallback() {
      this.setAttribute("role", "status");
    }
  });
  define("crowd-tab", class extends HTMLElement {});
  define("crowd-tabs", class extends HTMLElement {
    connectedCallback() {
      if (this.built) return;
      this.built = true;
      whenRead(() => this.build());
    }
    build() {
      const tabs = Array.from(this.querySelectorAll(":scope > crowd-tab"));
      const row = make("div", { class: "crowd-tab-row", role: "tablist" });
      const choose = (chosen) => {
        tabs.forEach((tab, place) => {
          tab.hidden = place !== chosen;
          row.children[place].setAttribute("aria-selected", place === chosen);
        });
      };
      tabs.forEach((tab, place) => {
        const button = make("button", { type: "button", role: "tab" }, tab.getAttribute("header") || `Tab ${place + 1}`);
        button.addEventListener("click", () => choose(place));
        row.append(button);
      });
      this.prepend(row);
      if (tabs.length) choose(0);
    }
  });
  define("crowd-instructions", class extends HTMLElement {});
  define("crowd-badge", class extends HTMLElement {
    connectedCallback() {
      if (!this.textContent.trim() && this.hasAttribute("label")) this.textContent = this.getAttribute("label");
    }
  });
  define("crowd-fab", class extends HTMLElement {
    connectedCallback() {
      this.setAttribute("role", "button");
      if (!this.textContent.trim()) this.textContent = this.getAttribute("label") || this.getAttribute("title") || "";
    }
  });

  whenRead(() => document.dispatchEvent(new CustomEvent("all-crowd-elements-ready", { bubbles: true })));
})();
