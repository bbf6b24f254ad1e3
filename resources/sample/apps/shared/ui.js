// Building blocks of the sample apps. Each returns an element; none keeps state of its own.
"use strict";

const ui = {
  icon: (name, size) => h("span", { html: svg(name, size) }),
  iconButton: ({ id, icon, label, tap, cls, badge, size }) =>
    h(
      "button.ib",
      { id, label, tap, cls, as: "android.widget.ImageButton" },
      ui.icon(icon, size || 24),
      badge ? h("span.badge", { text: badge }) : null,
    ),
  appBar: ({ title, id, back, actions = [], cls, lead, tap }) =>
    h(
      "div.appbar",
      { id: "toolbar", cls: (cls || "") + (back || lead ? " hasback" : "") },
      lead ||
        (back &&
          ui.iconButton({
            id: "navigate_up",
            icon: back === "close" ? "close" : "back",
            label: back === "close" ? "Close" : "Navigate up",
            tap: () => Shell.pop(),
          })),
      h("h1", { id: id || "toolbar_title", text: title, tap }),
      actions.map((a) => ui.iconButton(a)),
    ),
  button: ({ id, text, kind = "text", icon, tap, disabled, cls, label }) =>
    h("button.btn", { id, tap, disabled, label, cls: `${kind} ${cls || ""}` }, icon && ui.icon(icon, 18), h("span", { text })),
  fab: ({ id, icon, label, text, tap, cls }) =>
    h(
      "button.fab",
      { id, label, tap, cls, as: text ? "android.widget.Button" : "android.widget.ImageButton" },
      ui.icon(icon),
      text && h("span", { text }),
    ),
  chip: ({ id, text, on, tap, icon }) =>
    h(
      "button.chip",
      { id, tap, cls: on ? "on" : "", as: "android.widget.RadioButton", "aria-checked": String(Boolean(on)) },
      icon && ui.icon(icon, 18),
      h("span", { text }),
    ),
  tabs: (items, current, pick) =>
    h(
      "div.tabs",
      { id: "tabs", as: "android.widget.HorizontalScrollView" },
      items.map(([key, text]) =>
        h("button", {
          id: "tab_" + key,
          text,
          cls: key === current ? "on" : "",
          tap: () => pick(key),
          "aria-selected": String(key === current),
          as: "android.widget.LinearLayout",
        }),
      ),
    ),
  bottomNav: (items, current, pick) =>
    h(
      "div.bottomnav",
      { id: "bottom_navigation" },
      items.map(([key, text, icon, badge]) =>
        h(
          "button",
          {
            id: "nav_" + key,
            cls: key === current ? "on" : "",
            tap: () => pick(key),
            "aria-selected": String(key === current),
            as: "android.widget.FrameLayout",
            label: text,
          },
          h("span.pill", null, ui.icon(icon), badge ? h("span.badge", { text: badge }) : null),
          h("span", { text }),
        ),
      ),
    ),
  row: ({ id, icon, lead, title, titleId, sub, subId, end, tap, hold, swipe, cls, label }) =>
    h(
      "div.row",
      { id, tap, hold, swipe, cls, label },
      lead || (icon && h("span.lead", { html: svg(icon) })),
      h(
        "div.mid",
        null,
        h("div.t", { id: titleId || "title", text: title }),
        sub ? h("div.s", { id: subId || "summary", text: sub }) : null,
      ),
      end && (typeof end === "string" ? h("span.end", { id: "value", text: end }) : end),
    ),
  head: (text, id) => h("div.head", { text, id: id || "section_title" }),
  card: (...kids) => h("div.card", null, ...kids),
  toggle: ({ id, on, label, change }) =>
    h("button.switch", {
      id,
      label,
      role: "switch",
      "aria-checked": String(on),
      tap: () => {
        change(!on);
        Shell.refresh();
      },
    }),
  /** A list row whose whole width flips the switch, as settings rows do. */
  switchRow: ({ id, icon, title, sub, on, change, lead, off }) =>
    ui.row({
      id,
      icon,
      lead,
      title,
      sub,
      cls: off ? "off" : "",
      tap: off
        ? undefined
        : () => {
            change(!on);
            Shell.refresh();
          },
      end: h("span.switch", {
        id: id + "_switch",
        role: "switch",
        label: title,
        "aria-checked": String(on),
        "aria-disabled": off ? "true" : undefined,
      }),
    }),
  box: ({ id, on, round, tap, label }) =>
    h(`span.box${round ? ".round" : ""}`, {
      id,
      tap,
      label,
      role: round ? "radio" : "checkbox",
      "aria-checked": String(on),
      html: on && !round ? svg("check", 16) : "",
    }),
  slider: ({ id, value, min = 0, max = 100, label, change, text }) => {
    const at = ((value - min) / (max - min)) * 100;
    return h(
      "div.slider",
      {
        id,
        label,
        role: "slider",
        "aria-valuenow": value,
        "aria-valuetext": text || String(value),
        drag: (x, y, el, done) => {
          const box = el.getBoundingClientRect();
          const part = Math.min(1, Math.max(0, (x - box.left) / box.width));
          const [fill, knob] = [el.querySelector(".fill"), el.querySelector(".knob")];
          fill.style.width = knob.style.left = part * 100 + "%";
          if (done) {
            change(Math.round(min + part * (max - min)));
            Shell.refresh();
          }
        },
      },
      h("i"),
      h("i.fill", { style: `width:${at}%` }),
      h("i.knob", { style: `left:${at}%` }),
    );
  },
  field: ({ id, label, value, type = "text", mode, change, enter, area, placeholder, error, icon, focus, max }) => {
    const input = h(area ? "textarea" : "input", {
      id,
      type: area ? null : type,
      value,
      placeholder,
      inputmode: mode,
      input: change,
      "data-autofocus": focus,
      maxlength: max,
      autocomplete: "off",
      spellcheck: "false",
      "aria-label": label,
    });
    if (enter) input._enter = enter;
    return h(
      "div.fieldwrap",
      null,
      h("div.field", { cls: error ? "bad" : "" }, icon && ui.icon(icon, 22), h("label", { text: label, id: id + "_label" }), input),
      error ? h("div.help", { id: id + "_error", text: error }) : null,
    );
  },
  /** A search bar to type in; with tap it is only a button that looks like one. */
  searchBar: ({ id, placeholder, value, change, enter, back, tap, focus, end }) => {
    if (tap)
      return h(
        "div.searchbar",
        { id, tap, as: "android.widget.TextView", "data-leaf": "1" },
        ui.icon("search"),
        h("span.grow", { text: placeholder }),
        end,
      );
    const input = h("input", {
      id,
      type: "text",
      placeholder,
      value,
      input: change,
      "data-autofocus": focus,
      autocomplete: "off",
      spellcheck: "false",
    });
    input._enter =
      enter ||
      (() => {
        Shell.dismissedKeyboard = true;
      });
    return h(
      "div.searchbar",
      { cls: back ? "hasback" : "" },
      back ? ui.iconButton({ id: "navigate_up", icon: "back", label: "Navigate up", tap: () => Shell.pop() }) : ui.icon("search"),
      input,
      value
        ? ui.iconButton({
            id: "clear_search",
            icon: "close",
            label: "Clear",
            tap: () => {
              change("");
              Shell.refresh();
            },
          })
        : end,
    );
  },
  empty: (icon, text, extra) => h("div.empty", { id: "empty_view" }, ui.icon(icon, 72), h("div", { id: "empty_text", text }), extra),
  tile: (text, hue, size, label) =>
    h("span.tile", {
      style: `background:hsl(${hue} 42% ${phone.dark ? 38 : 52}%);${size ? `width:${size}px;height:${size}px;border-radius:${size / 2}px;font-size:${Math.round(size * 0.42)}px` : ""}`,
      text,
      label,
      as: "android.widget.ImageView",
    }),
  iconTile: (icon, hue) => h("span.tile", { style: `background:hsl(${hue} 48% ${phone.dark ? 38 : 50}%)`, html: svg(icon, 22) }),

  // --- layers: each opens itself and closes with back or a touch outside ---
  scrim: (clear) => h("div.scrim", { id: "touch_outside", label: "Close", cls: clear ? "clear" : "", tap: () => Shell.close() }),
  dialog: ({ name, title, body, flush, actions }) =>
    Shell.open(name, () => [
      ui.scrim(),
      h(
        "div.dialog",
        { id: "dialog" },
        title && h("h2", { id: "alert_title", text: title }),
        h(
          "div.body",
          { cls: flush ? "flush" : "", id: "dialog_body" },
          typeof body === "function" ? body() : h("div", { id: "message", text: body }),
        ),
        h(
          "div.actions",
          null,
          actions.map((a) =>
            ui.button({
              id: a.id,
              text: a.text,
              disabled: a.disabled && a.disabled(),
              tap: () => {
                if (!a.tap || a.tap() !== false) Shell.close();
              },
            }),
          ),
        ),
      ),
    ]),
  confirm: (name, title, body, yes, act) =>
    ui.dialog({
      name,
      title,
      body,
      actions: [
        { id: "button_cancel", text: "Cancel" },
        { id: "button_ok", text: yes, tap: () => act() },
      ],
    }),
  /** One choice out of several; picking closes the dialog. */
  choose: (name, title, options, current, pick) =>
    ui.dialog({
      name,
      title,
      flush: true,
      actions: [{ id: "button_cancel", text: "Cancel" }],
      body: () =>
        options.map((o, i) =>
          h(
            "div.row",
            {
              id: "option_" + i,
              tap: () => {
                Shell.layers.pop();
                pick(o);
                Shell.refresh();
              },
            },
            ui.box({ id: "radio_" + i, on: o === current, round: true }),
            h("div.mid", null, h("div.t", { id: "option_text", text: o })),
          ),
        ),
    }),
  sheet: ({ name, title, body, fixed }) =>
    Shell.open(name, () => [
      ui.scrim(),
      h(
        "div.sheet",
        { id: "bottom_sheet", swipe: { down: () => Shell.close() } },
        title && h("h2", { id: "sheet_title", text: title }),
        h("div.scroll", { id: "sheet_list", style: "flex:0 1 auto" }, body()),
        fixed && fixed(),
      ),
    ]),
  /** Popup menu at an element; it stays inside the screen. */
  menu: (anchor, items, name = "Menu") => {
    const box = anchor.getBoundingClientRect();
    const height = items.length * 48 + 16;
    const top = Math.min(Math.max(30, box.top + 8), innerHeight - 60 - height);
    const side =
      box.left + box.width / 2 > innerWidth / 2
        ? `right:${Math.max(8, innerWidth - box.right + 4)}px`
        : `left:${Math.max(12, box.left + 12)}px`;
    Shell.open(name, () => [
      ui.scrim(true),
      h(
        "div.menu",
        { id: "popup_menu", style: `top:${top}px;${side}`, as: "android.widget.ListView" },
        items.map((it) =>
          h(
            "button",
            {
              id: it.id,
              tap: () => {
                Shell.layers.pop();
                it.tap();
                Shell.refresh();
              },
              as: "android.widget.TextView",
            },
            it.icon && ui.icon(it.icon, 22),
            h("span", { text: it.text }),
          ),
        ),
      ),
    ]);
  },
};
