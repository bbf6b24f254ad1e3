// The phone around every sample app: seed and time, navigation stack, layers, gestures and keyboard.
// An app calls Shell.start({pages, home, state}) once; everything on screen is rebuilt from its state by refresh().
"use strict";

/** Small seeded generator: the same seed gives the same screen for ever. */
function mulberry32(seed) {
  let a = seed >>> 0;
  return () => {
    a = (a + 0x6d2b79f5) >>> 0;
    let t = Math.imul(a ^ (a >>> 15), a | 1);
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61);
    return ((t ^ (t >>> 14)) >>> 0) / 4294967296;
  };
}

/** Convenience draws over one generator. */
function makeRandom(seed) {
  const next = mulberry32(seed);
  const int = (lo, hi) => lo + Math.floor(next() * (hi - lo + 1));
  const shuffle = (list) => {
    const out = list.slice();
    for (let i = out.length - 1; i > 0; i--) {
      const j = int(0, i);
      [out[i], out[j]] = [out[j], out[i]];
    }
    return out;
  };
  return { next, int, shuffle, pick: (l) => l[int(0, l.length - 1)], some: (l, n) => shuffle(l).slice(0, n), chance: (p) => next() < p };
}

const pad2 = (n) => String(n).padStart(2, "0");

/** Build an element. Props: id, tap, hold, swipe, label, as (Android class), html, text; the rest become attributes. */
function h(spec, props, ...kids) {
  const [tag, ...classes] = spec.split(".");
  const el = document.createElement(tag || "div");
  if (classes.length) el.className = classes.join(" ");
  for (const [key, value] of Object.entries(props || {})) {
    if (value === undefined || value === null || value === false) continue;
    if (key === "id") el.dataset.id = value.includes(":") ? value : `${Shell.pkg}:id/${value}`;
    else if (key === "tap") {
      el._tap = value;
      el.dataset.clickable = "1";
    } else if (key === "hold") {
      el._hold = value;
      el.dataset.longClickable = "1";
    } else if (key === "swipe") el._swipe = value;
    else if (key === "drag") el._drag = value;
    else if (key === "label") el.setAttribute("aria-label", value);
    else if (key === "as") el.dataset.class = value;
    else if (key === "text") el.textContent = value;
    else if (key === "html") el.innerHTML = value;
    else if (key === "cls") {
      if (value) el.classList.add(...String(value).split(" ").filter(Boolean));
    } else if (key === "input") el.addEventListener("input", () => value(el.value));
    else if (key === "value") el.value = value;
    else el.setAttribute(key, value === true ? "" : value);
  }
  for (const kid of kids.flat(Infinity)) if (kid !== null && kid !== undefined && kid !== false) el.append(kid);
  return el;
}

const SYSTEM = "com.android.systemui:id/";
const KEYBOARD = "com.stepscope.sample.keyboard:id/";
const TICK_PER_INPUT = 2000; // the phone's own clock moves on by this much with each touch, never by itself (unless live)
const APPS = {
  clock: { title: "Clock", icon: "clock", hue: 262 },
  settings: { title: "Settings", icon: "settings", hue: 212 },
  shop: { title: "Shop", icon: "bag", hue: 16 },
  messages: { title: "Messages", icon: "mail", hue: 164 },
  player: { title: "Player", icon: "music", hue: 328 },
  calendar: { title: "Calendar", icon: "calendar", hue: 196 },
  market: { title: "Market", icon: "basket", hue: 92 },
  mail: { title: "Mail", icon: "letter", hue: 228 },
  podcasts: { title: "Podcasts", icon: "mic", hue: 288 },
  notes: { title: "Notes", icon: "note", hue: 42 },
  tasks: { title: "Tasks", icon: "checklist", hue: 140 },
};

const Shell = {
  params: new URLSearchParams(location.search),
  name: document.documentElement.dataset.app,
  stack: [],
  layers: [],
  state: {},
  elapsed: parseInt(new URLSearchParams(location.search).get("elapsed") || "0", 10) || 0,
  listeners: [],
  snackbar: null,
  dismissedKeyboard: false,
  /** The phone's own clock runs by itself; then what is drawn is built anew only where it has changed. */
  live: new URLSearchParams(location.search).get("live") === "1",
  touched: false,
  built: "",

  /** pages: {PageName: (arg) => element}; home: first page; state: plain data the app owns. */
  start(app) {
    Object.assign(this, { app, state: app.state });
    this.stack = [{ name: app.home, arg: app.arg }];
    this.phone = document.getElementById("phone");
    for (const id of ["status", "stage", "layers", "kbd", "nav"]) this.phone.append(Object.assign(h("div"), { id }));
    bindGestures();
    hideElements((this.params.get("without") || "").split(",").filter(Boolean));
    const start = this.params.get("page");
    if (start && app.pages[start]) this.stack.push({ name: start });
    this.refresh();
    if (this.live) {
      document.documentElement.dataset.live = "1";
      setInterval(() => {
        this.tick(1000);
        if (!this.touched && this.build().html !== this.built) this.refresh();
      }, 1000);
    }
    // Text must be laid out with the bundled font before the first picture.
    document.fonts.load("16px Roboto").then(
      () => {
        window.stepscope.ready = true;
      },
      () => {
        window.stepscope.ready = true;
      },
    );
  },

  get page() {
    return this.stack[this.stack.length - 1];
  },
  push(name, arg) {
    this.snackbar = null;
    this.stack.push({ name, arg });
    this.blur();
    this.refresh();
  },
  pop(count = 1) {
    this.snackbar = null;
    this.stack.length = Math.max(1, this.stack.length - count);
    this.blur();
    this.refresh();
  },
  /** Layers are functions too, so an open dialog follows the state. */
  open(name, build) {
    this.blur();
    this.layers.push({ name, build });
    this.refresh();
  },
  close() {
    this.layers.pop();
    this.blur();
    this.refresh();
  },
  snack(text, action, undo) {
    this.snackbar = { text, action, undo, until: this.elapsed + 4500 };
    this.refresh();
  },
  blur() {
    if (document.activeElement && document.activeElement !== document.body) document.activeElement.blur();
    this.dismissedKeyboard = false;
  },

  /** Phone time as minutes since midnight; starts from the seed and follows the phone's own clock. */
  get minutes() {
    return (phone.start + Math.floor(this.elapsed / 60000)) % 1440;
  },
  tick(ms) {
    const minutes = this.minutes;
    this.elapsed += ms;
    if (this.snackbar && this.elapsed > this.snackbar.until) {
      this.snackbar = null;
      this.drawSnack();
    }
    for (const fn of this.listeners) fn(ms);
    if (!this.live || this.minutes !== minutes) drawStatus();
  },

  back() {
    if (this.phone.classList.contains("kbd")) {
      this.dismissedKeyboard = true;
      syncKeyboard();
      return true;
    }
    if (this.layers.length) {
      this.close();
      return true;
    }
    if (this.app.onBack && this.app.onBack()) {
      this.refresh();
      return true;
    }
    if (this.stack.length > 1) {
      this.pop();
      return true;
    }
    return false;
  },
  /** Go to another app's page; the phone's clock runs on there. */
  launch(name, page) {
    const q = new URLSearchParams(this.params);
    if (page) q.set("page", page);
    else q.delete("page");
    q.set("elapsed", this.elapsed);
    window.stepscope.ready = false; // this page is on its way out
    location.href = `../${name}/index.html?${q}`;
  },
  home() {
    if (this.name === "launcher") {
      this.layers = [];
      this.pop(99);
    } else this.launch("launcher");
  },

  /** Rebuild page and layers from the state, keeping scroll offsets and the text cursor. */
  refresh() {
    const offsets = {};
    for (const el of this.phone.querySelectorAll(".scroll,.hscroll,.body")) {
      offsets[el.dataset.page + el.dataset.id] = [el.scrollLeft, el.scrollTop];
    }
    const active = document.activeElement;
    const focus = active && active.dataset && active.dataset.id;
    const cursor = focus && active.selectionStart;
    document.documentElement.dataset.theme = phone.dark ? "dark" : "light";
    const stage = document.getElementById("stage");
    const { current, layers, html } = this.build();
    this.built = html;
    stage.replaceChildren(current);
    document.getElementById("layers").replaceChildren(...layers);
    // Rebuilding a page makes its lists new elements: mark them with the page so that offsets do not leak to another one.
    for (const el of this.phone.querySelectorAll(".scroll,.hscroll,.body")) {
      const layer = el.closest("#layers") ? this.layers.length : 0; // the page below a menu stays where it is
      el.dataset.page = this.stack.length + this.page.name + JSON.stringify(this.page.arg || 0) + layer;
      const at = offsets[el.dataset.page + el.dataset.id];
      if (at) [el.scrollLeft, el.scrollTop] = at;
      else if (el.dataset.stick === "end") el.scrollTop = el.scrollHeight;
    }
    const again = focus && this.phone.querySelector(`[data-id="${CSS.escape(focus)}"]`);
    if (again && again.matches("input,textarea")) {
      again.focus({ preventScroll: true });
      if (again.type !== "number") again.setSelectionRange(cursor, cursor);
    }
    // A page or dialog takes the focus by itself only once, when it opens.
    const owner = this.layers[this.layers.length - 1] || this.page;
    const first = this.phone.querySelector(this.layers.length ? "#layers [data-autofocus]" : "[data-autofocus]");
    if (first && !owner.welcomed) first.focus({ preventScroll: true });
    owner.welcomed = true;
    this.drawSnack();
    drawStatus();
    drawNav();
    syncKeyboard();
  },
  /** Page and layers of the present state, not yet shown; `html` tells on a live phone whether anything is new. */
  build() {
    const current = this.app.pages[this.page.name](this.page.arg);
    current.classList.add("page");
    const layers = this.layers.map((l) => l.build()).flat();
    return { current, layers, html: this.live ? [current, ...layers].map((el) => el.outerHTML).join("") : "" };
  },
  drawSnack() {
    const old = this.phone.querySelector(".snack");
    if (old) old.remove();
    if (!this.snackbar) return;
    const { text, action, undo } = this.snackbar;
    const high = this.phone.querySelector(".bottomnav,.composer,.buybar,.fab");
    document.getElementById("stage").append(
      h(
        "div.snack",
        { id: "snackbar", cls: high ? "above" : "" },
        h("span", { id: "snackbar_text", text }),
        action &&
          h("button.btn.text", {
            id: "snackbar_action",
            text: action,
            tap: () => {
              this.snackbar = null;
              undo();
              this.refresh();
            },
          }),
      ),
    );
  },
};

Shell.pkg = `com.stepscope.sample.${Shell.name}`;
Shell.seed = parseInt(Shell.params.get("seed") || "1", 10) || 0;

/** Facts of the phone that all apps share for one seed. */
const phone = (() => {
  const r = makeRandom(Shell.seed * 7919 + 17);
  const model = r.pick(["Heron 6", "Heron 6 Pro", "Lumen A2", "Kestrel Mini", "Tarn 12", "Tarn 12 Lite"]);
  const start = r.int(7 * 60, 22 * 60);
  const theme = Shell.params.get("theme");
  return {
    model,
    start,
    dark: theme ? theme === "dark" : ((Shell.seed % 4) + 4) % 4 === 3,
    battery: r.int(18, 98),
    wifi: r.chance(0.8),
    airplane: false,
    bluetooth: r.chance(0.5),
    bars: r.int(2, 4),
    dnd: r.chance(0.2),
    weekday: r.int(0, 6),
    day: r.int(1, 28),
    month: r.int(0, 11),
  };
})();

/** A phone that lacks a function: elements with these short ids are neither drawn nor in the tree, on any page. */
function hideElements(ids) {
  if (!ids.length) return;
  const rules = ids.map((id) => `[data-id$="${CSS.escape(":id/" + id)}"] { display: none !important; }`);
  document.head.append(Object.assign(document.createElement("style"), { textContent: rules.join("\n") }));
}

function drawStatus() {
  const bar = document.getElementById("status");
  const m = Shell.minutes;
  bar.style.color = Shell.name === "launcher" && !Shell.layers.length && Shell.stack.length === 1 ? "#fff" : "";
  const item = (name, label, icon) => h("span", { id: SYSTEM + name, label, as: "android.widget.ImageView", html: svg(icon, 15) });
  bar.replaceChildren(
    h("span", { id: SYSTEM + "clock", text: `${Math.floor(m / 60)}:${pad2(m % 60)}` }),
    h("span.gap"),
    phone.dnd && item("zen", "Do not disturb on", "belloff"),
    phone.bluetooth && item("bluetooth", "Bluetooth on", "bluetooth"),
    phone.wifi && item("wifi_signal", "Wi-Fi connected", "wifi"),
    phone.airplane ? item("airplane", "Airplane mode", "plane") : item("mobile_signal", `Phone signal ${phone.bars} bars`, "signal"),
    h("span", { id: SYSTEM + "battery_level", text: `${phone.battery}%` }),
  );
  for (const kid of [...bar.childNodes]) if (kid.nodeType === 3) kid.remove(); // replaceChildren prints a bare false as text
}

function drawNav() {
  const nav = document.getElementById("nav");
  if (Shell.name === "launcher" && !Shell.phone.classList.contains("kbd")) nav.classList.add("plain");
  const typing = Shell.phone.classList.contains("kbd");
  const shape = (d) =>
    `<svg class="ic" width="20" height="20" viewBox="0 0 20 20" fill="none" stroke="currentColor" stroke-width="2" stroke-linejoin="round"><path d="${d}"/></svg>`;
  nav.replaceChildren(
    h("button", {
      id: SYSTEM + "back",
      label: "Back",
      html: shape(typing ? "M3 6l7 8 7-8z" : "M14.5 3v14L4 10z"),
      tap: () => {
        if (!Shell.back()) Shell.home();
      },
    }),
    h("button", {
      id: SYSTEM + "home_button",
      label: "Home",
      html: shape("M10 3a7 7 0 1 0 0 14 7 7 0 0 0 0-14z"),
      tap: () => Shell.home(),
    }),
    h("button", { id: SYSTEM + "recent_apps", label: "Overview", html: shape("M4 4h12v12H4z"), tap: () => openRecents() }),
  );
}

function openRecents() {
  if (Shell.layers.some((l) => l.name === "Recents")) {
    Shell.close();
    return;
  }
  const names = Object.keys(APPS)
    .sort((a, b) => (b === Shell.name) - (a === Shell.name))
    .slice(0, 4);
  Shell.open("Recents", () =>
    h(
      "div.recents",
      { id: SYSTEM + "overview" },
      h(
        "div.hscroll",
        { id: SYSTEM + "overview_list" },
        names.map((n) =>
          h(
            "div.task",
            { id: SYSTEM + "task_" + n, label: APPS[n].title, tap: () => (n === Shell.name ? Shell.close() : Shell.launch(n)) },
            h("span.appicon", { style: `background:hsl(${APPS[n].hue} 52% 45%)`, html: svg(APPS[n].icon, 30) }),
            h("span", { text: APPS[n].title }),
          ),
        ),
      ),
      h(
        "div",
        { style: "text-align:center" },
        h("button.btn.tonal", {
          id: SYSTEM + "clear_all",
          text: "Clear all",
          tap: () => {
            Shell.layers = [];
            Shell.home();
            Shell.refresh();
          },
        }),
      ),
    ),
  );
}

// --- touch ---------------------------------------------------------------------------------------------------------

/** One set of listeners for taps, long presses, swipes and drag-scrolling; elements only carry their handlers. */
function bindGestures() {
  let press = null,
    swallow = false;
  const up = (el, key) => {
    while (el && el !== document) {
      if (el[key]) return el;
      el = el.parentNode;
    }
    return null;
  };
  const scrollable = (el, axis) => {
    for (; el && el !== document; el = el.parentNode) {
      if (axis === "y" && el.matches(".scroll,.body") && el.scrollHeight > el.clientHeight + 1) return el;
      if (axis === "x" && el.matches(".hscroll") && el.scrollWidth > el.clientWidth + 1) return el;
    }
    return null;
  };
  document.addEventListener("pointerdown", (e) => {
    swallow = false;
    if (!Shell.live) Shell.tick(TICK_PER_INPUT);
    Shell.touched = true;
    press = {
      x: e.clientX,
      y: e.clientY,
      lastX: e.clientX,
      lastY: e.clientY,
      target: e.target,
      mouse: e.pointerType === "mouse",
      axis: null,
    };
    const held = up(e.target, "_hold");
    if (held)
      press.timer = setTimeout(() => {
        if (press && !press.axis && window.stepscope.holds) {
          swallow = true;
          held._hold(held);
        }
      }, 500);
    const dragged = up(e.target, "_drag");
    if (dragged) {
      press.drag = dragged;
      dragged._drag(e.clientX, e.clientY, dragged, false);
    }
  });
  // As on a phone, touching a button takes neither the focus nor the keyboard away from a field.
  document.addEventListener("mousedown", (e) => {
    if (!e.target.matches("input,textarea")) e.preventDefault();
  });
  document.addEventListener("pointermove", (e) => {
    if (!press) return;
    const dx = e.clientX - press.x,
      dy = e.clientY - press.y;
    if (press.drag) {
      press.drag._drag(e.clientX, e.clientY, press.drag, false);
      return;
    }
    if (!press.axis && Math.hypot(dx, dy) > 10) {
      press.axis = Math.abs(dx) > Math.abs(dy) ? "x" : "y";
      clearTimeout(press.timer);
      press.scroller = press.mouse && !press.target.matches("input,textarea") && scrollable(press.target, press.axis);
    }
    if (press.scroller) {
      press.scroller.scrollBy(press.axis === "x" ? press.lastX - e.clientX : 0, press.axis === "y" ? press.lastY - e.clientY : 0);
    }
    [press.lastX, press.lastY] = [e.clientX, e.clientY];
  });
  document.addEventListener("pointerup", (e) => {
    Shell.touched = false;
    if (!press) return;
    clearTimeout(press.timer);
    const p = press,
      dx = e.clientX - p.x,
      dy = e.clientY - p.y;
    press = null;
    if (p.drag) {
      p.drag._drag(e.clientX, e.clientY, p.drag, true);
      swallow = true;
      return;
    }
    if (!p.axis && Math.hypot(dx, dy) <= 10) return;
    swallow = true;
    if (p.scroller && p.axis === "x") return;
    const way = Math.abs(dx) > Math.abs(dy) ? (dx < 0 ? "left" : "right") : dy < 0 ? "up" : "down";
    if (Math.max(Math.abs(dx), Math.abs(dy)) < 60) return;
    for (let el = up(p.target, "_swipe"); el; el = up(el.parentNode, "_swipe")) {
      if (el._swipe[way]) {
        el._swipe[way](el);
        return;
      }
    }
  });
  document.addEventListener("pointercancel", () => {
    Shell.touched = false;
    if (press) clearTimeout(press.timer);
    press = null;
  });
  document.addEventListener("click", (e) => {
    if (swallow) {
      e.preventDefault();
      e.stopPropagation();
      swallow = false;
      return;
    }
    const el = up(e.target, "_tap");
    if (el && !el.hasAttribute("disabled")) el._tap(el, e);
    if (e.target.matches("input,textarea")) Shell.dismissedKeyboard = false;
    syncKeyboard();
  });
  document.addEventListener("contextmenu", (e) => e.preventDefault());
  document.addEventListener("keydown", (e) => {
    if (e.key === "Escape") Shell.back();
    if (e.key === "Enter" && e.target.matches("input")) {
      e.preventDefault();
      if (e.target._enter) e.target._enter(e.target.value);
      else Shell.dismissedKeyboard = true;
      syncKeyboard();
    }
  });
  document.addEventListener("input", () => syncKeyboard());
  // Focus events are not sent to a page in a window without focus, so the click handler above looks for itself as well.
  document.addEventListener("focusin", () => syncKeyboard());
}

// --- keyboard --------------------------------------------------------------------------------------------------------

let shifted = false,
  symbols = false;

function focusedInput() {
  const el = document.activeElement;
  return el && el.matches("input,textarea") ? el : null;
}

/** Show or hide the drawn keyboard after the focus, and mark the field that has it. */
function syncKeyboard() {
  const el = focusedInput();
  const show = Boolean(el) && !Shell.dismissedKeyboard;
  const was = Shell.phone.classList.contains("kbd");
  for (const f of Shell.phone.querySelectorAll(".focused")) f.classList.remove("focused");
  if (el && el.closest(".field")) el.closest(".field").classList.add("focused");
  Shell.phone.classList.toggle("kbd", show);
  if (show) drawKeyboard(el);
  if (show !== was) drawNav();
  if (show && !was) {
    el.scrollIntoView({ block: "nearest" });
    for (const s of Shell.phone.querySelectorAll("[data-stick=end]")) s.scrollTop = s.scrollHeight;
  }
}

function typeText(text) {
  const el = focusedInput();
  if (!el) return false;
  const number = el.type === "number";
  if (text === "\b") {
    if (number) el.value = el.value.slice(0, -1);
    else {
      const [a, b] = [el.selectionStart, el.selectionEnd];
      el.setRangeText("", a === b ? Math.max(0, a - 1) : a, b, "end");
    }
  } else if (number) el.value += text;
  else el.setRangeText(text, el.selectionStart, el.selectionEnd, "end");
  el.dispatchEvent(new Event("input", { bubbles: true }));
  return true;
}

function drawKeyboard(el) {
  const digits = el.inputMode === "numeric" || el.type === "number";
  const upper = shifted || (el.value === "" && el.type === "text" && !el.closest(".searchbar"));
  const rows = digits ? ["123", "456", "789"] : symbols ? ["1234567890", "@#€_&-+()/", "*\"':;!?"] : ["qwertyuiop", "asdfghjkl", "zxcvbnm"];
  const key = (name, face, act, cls, label) =>
    h("button", { id: KEYBOARD + name, cls, label, tap: act, as: "android.widget.Button" }, h("span", { html: face }));
  const plain = (c) =>
    key(
      "key_" + c.codePointAt(0).toString(16),
      upper && !digits ? c.toUpperCase() : c,
      () => {
        typeText(upper ? c.toUpperCase() : c);
        shifted = false;
      },
      digits ? "mod" : "",
    );
  const erase = key("key_delete", svg("backspace", 20), () => typeText("\b"), "mod", "Delete");
  const go = key(
    "key_enter",
    svg(el._enter ? (el.closest(".searchbar") ? "search" : "check") : "enter", 20),
    () => {
      if (el._enter) el._enter(el.value);
      else if (el.matches("textarea")) typeText("\n");
      else {
        Shell.dismissedKeyboard = true;
      }
      syncKeyboard();
    },
    "mod go",
    "Enter",
  );
  const line = (...k) => h("div.keys", null, ...k);
  const words = ["the", "I", "and"];
  document.getElementById("kbd").replaceChildren(
    h(
      "div.strip",
      null,
      digits ? [] : words.map((w, i) => h("button", { id: KEYBOARD + "suggestion_" + i, text: w, tap: () => typeText(w + " ") })),
    ),
    ...(digits
      ? rows
          .map((r) => line([...r].map(plain)))
          .concat(
            line(
              key("key_dot", ".", () => typeText("."), "mod"),
              plain("0"),
              erase,
              go,
            ),
          )
      : [
          line([...rows[0]].map(plain)),
          line([...rows[1]].map(plain)),
          line(
            symbols
              ? []
              : key(
                  "key_shift",
                  svg("shift", 20),
                  () => {
                    shifted = !shifted;
                    syncKeyboard();
                  },
                  "mod",
                  "Shift",
                ),
            [...rows[2]].map(plain),
            erase,
          ),
          line(
            key(
              "key_symbols",
              symbols ? "ABC" : "?123",
              () => {
                symbols = !symbols;
                syncKeyboard();
              },
              "mod",
            ),
            plain(","),
            key("key_space", "English", () => typeText(" "), "space", "Space"),
            plain("."),
            go,
          ),
        ]),
  );
}

// --- what the outside may call -------------------------------------------------------------------------------------

window.stepscope = {
  ready: false,
  /** False: a finger that stays long is no long press. For programs whose taps may take long on a busy machine. */
  holds: true,
  back: () => Shell.back(),
  home: () => Shell.home(),
  /** Let the phone's own clock run on (timers, stopwatch, snackbars follow it). */
  tick: (ms) => {
    Shell.tick(ms);
    Shell.refresh();
  },
  /** Insert text into the focused field as the keyboard would. */
  type: (text) => typeText(text),
  clearText: () => {
    const el = focusedInput();
    if (!el) return false;
    el.value = "";
    el.dispatchEvent(new Event("input", { bubbles: true }));
    return true;
  },
  enter: () => {
    const el = focusedInput();
    if (!el || !el._enter) return false;
    el._enter(el.value);
    syncKeyboard();
    return true;
  },
  /** Scroll the list with this resource id (short or full), or the first one. Returns whether it moved. */
  scroll: (id, dy, dx = 0) => {
    const el = id ? findById(id) : document.querySelector("#layers .scroll, #layers .body") || document.querySelector(".scroll");
    if (!el) return false;
    const before = el.scrollTop + el.scrollLeft;
    el.scrollBy(dx, dy);
    return el.scrollTop + el.scrollLeft !== before;
  },
  /** Bring an element into view and return its visible centre in CSS pixels, or null. */
  reveal: (id) => {
    const el = findById(id);
    if (!el) return null;
    el.scrollIntoView({ block: "nearest", inline: "nearest" });
    return window.stepscope.center(id);
  },
  center: (id) => {
    const el = findById(id);
    if (!el) return null;
    const b = el.getBoundingClientRect();
    return [b.left + b.width / 2, b.top + b.height / 2];
  },
  state: () =>
    JSON.parse(
      JSON.stringify({
        app: Shell.pkg,
        seed: Shell.seed,
        page: Shell.page.name,
        arg: Shell.page.arg === undefined ? null : Shell.page.arg,
        stack: Shell.stack.map((p) => p.name),
        layer: Shell.layers.length ? Shell.layers[Shell.layers.length - 1].name : null,
        keyboard: Shell.phone.classList.contains("kbd"),
        snackbar: Shell.snackbar && Shell.snackbar.text,
        dark: phone.dark,
        minutes: Shell.minutes,
        elapsed: Shell.elapsed,
        data: Shell.app.report ? Shell.app.report() : Shell.state,
      }),
    ),
};

function findById(id) {
  return document.querySelector(`[data-id="${CSS.escape(id.includes(":") ? id : `${Shell.pkg}:id/${id}`)}"]`);
}
