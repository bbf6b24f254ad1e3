// Notes: the page of one note, as text or as a checklist.
"use strict";

function colourSheet(note) {
  const swatch = (name, hue) =>
    h("button.swatch", {
      id: "colour_" + (name || "none").toLowerCase(),
      label: name || "No colour",
      cls: (note.colour === name ? "on " : "") + (name ? "tint" : ""),
      style: name ? `--hue:${hue};background:hsl(${hue} ${phone.dark ? "45% 42%" : "82% 74%"})` : null,
      html: note.colour === name ? svg("check", 22) : name ? "" : svg("close", 22),
      tap: () => {
        note.colour = name;
        touched(note);
        Shell.close();
      },
    });
  ui.sheet({
    name: "ColourSheet",
    title: "Colour",
    body: () => h("div.swatches", null, swatch(null), COLOURS.map(([n, hue]) => swatch(n, hue))),
  });
}

function clearTicked(note) {
  const left = note.items.filter((i) => !i.done);
  if (left.length === note.items.length) {
    Shell.snack("Nothing is ticked in this list");
    return;
  }
  const gone = note.items.length - left.length;
  note.items = left;
  touched(note);
  Shell.snack(`${gone} ${gone === 1 ? "item" : "items"} cleared`);
}

function editorMenu(note) {
  const list = note.items !== null;
  return (el) =>
    ui.menu(
      el,
      [
        list && { id: "menu_clear_ticked", icon: "check", text: "Clear ticked items", tap: () => clearTicked(note) },
        { id: "menu_lock", icon: "lock", text: note.locked ? "Remove lock" : "Lock note", tap: () => lockNote(note) },
        { id: "menu_copy", icon: "copy", text: "Make a copy", tap: () => copyNote(note) },
        { id: "menu_details", icon: "info", text: "Details", tap: () => detailsOf(note) },
        { id: "menu_trash", icon: "trash", text: "Move to trash", tap: () => throwAway([note.id], () => Shell.pop()) },
      ].filter(Boolean),
      "EditorMenu",
    );
}

function detailsOf(note) {
  const words = `${note.title} ${note.body} ${(note.items || []).map((i) => i.text).join(" ")}`.trim().split(/\s+/);
  const book = note.notebook === null ? "None" : notebookOf(note.notebook).name;
  ui.dialog({
    name: "DetailsDialog",
    title: "Details",
    flush: true,
    body: () => [
      ui.row({ id: "details_words", title: "Words", end: String(words.length) }),
      ui.row({ id: "details_notebook", title: "Notebook", end: book }),
      ui.row({ id: "details_edited", title: "Edited", end: whenText(note) }),
    ],
    actions: [{ id: "button_ok", text: "OK" }],
  });
}

function checklist(note) {
  const rows = note.items.map((item, i) => [item, i]);
  if (state.settings.sink) rows.sort((a, b) => a[0].done - b[0].done || a[1] - b[1]);
  const flip = (item) => () => {
    item.done = !item.done;
    touched(note);
    Shell.refresh();
  };
  const input = h("input", {
    id: "add_item_input",
    type: "text",
    placeholder: "Add item",
    autocomplete: "off",
    spellcheck: "false",
    value: state.draft || "",
    input: (x) => {
      state.draft = x;
    },
  });
  input._enter = (text) => {
    if (!text.trim()) return;
    note.items.push({ text: text.trim(), done: false });
    state.draft = "";
    input.value = "";
    touched(note);
    Shell.refresh();
  };
  return h(
    "div.scroll",
    { id: "checklist", style: `--fs:${SIZE_FACTOR[state.settings.size]}` },
    rows.map(([item, i]) =>
      h(
        "div.item",
        { id: "item_" + i, cls: item.done ? "ticked" : "", tap: flip(item) },
        ui.box({ id: "item_box_" + i, on: item.done }),
        h("span.it", { id: "item_text", text: item.text }),
        ui.iconButton({
          id: "remove_item_" + i,
          icon: "close",
          size: 18,
          label: `Remove ${item.text}`,
          tap: () => {
            note.items = note.items.filter((x) => x !== item);
            touched(note);
            Shell.refresh();
          },
        }),
      ),
    ),
    h("div.item", null, ui.icon("add", 20), input),
  );
}

function editorPage(id) {
  const note = noteOf(id);
  if (!note) return h("div", null, ui.appBar({ title: "Note", back: true }), ui.empty("note", "This note was deleted"));
  const write = (key) => (x) => {
    note[key] = x;
    touched(note);
  };
  const common = { autocomplete: "off", spellcheck: "false" };
  const look = tint(note);
  const title = h("input.title", {
    id: "edit_title",
    type: "text",
    placeholder: "Title",
    value: note.title,
    input: write("title"),
    "data-autofocus": !note.title && !note.body,
    ...common,
  });
  const body = note.items
    ? checklist(note)
    : h("textarea", {
        id: "edit_body",
        placeholder: "Note",
        value: note.body,
        input: write("body"),
        style: `--fs:${SIZE_FACTOR[state.settings.size]}`,
        ...common,
      });
  const book = note.notebook === null ? "No notebook" : notebookOf(note.notebook).name;
  return h(
    "div",
    look,
    ui.appBar({
      title: "",
      id: "editor_title",
      lead: ui.iconButton({ id: "navigate_up", icon: "back", label: "Navigate up", tap: leaveNote }),
      actions: [
        { id: "pin_button", icon: "pin", label: note.pinned ? "Unpin" : "Pin", cls: note.pinned ? "on" : "", tap: () => pinNotes([id]) },
        {
          id: "archive_button",
          icon: "archive",
          label: "Archive",
          tap: () => {
            Shell.pop();
            place([id], "archive");
          },
        },
        { id: "editor_overflow", icon: "more", label: "More options", tap: (el) => editorMenu(note)(el) },
      ],
    }),
    h("div.editor", null, title, body),
    h(
      "div.toolbar",
      null,
      ui.iconButton({ id: "colour_button", icon: "palette", label: "Colour", tap: () => colourSheet(note) }),
      ui.button({ id: "notebook_button", icon: "notebook", text: book, kind: "text", tap: () => notebookSheet(note) }),
      h("span.when", { id: "edited_text", text: `Edited ${whenText(note)}` }),
    ),
  );
}
