// Notes: the parts that pages share. Cards of notes, menus, and dialogs that ask for words.
"use strict";

const TABS = [
  ["notes", "Notes", "note"],
  ["notebooks", "Notebooks", "notebook"],
  ["archive", "Archive", "archive"],
  ["trash", "Trash", "trash"],
];
const TAB_PAGES = { notes: "NotesPage", notebooks: "NotebooksPage", archive: "ArchivePage", trash: "TrashPage" };

const tabBar = (current) =>
  ui.bottomNav(TABS, current, (key) => {
    state.selected = [];
    Shell.stack.length = 1;
    if (key === "notes") Shell.refresh();
    else Shell.push(TAB_PAGES[key]);
  });

/** A dialog with one field; `act` gets the words when they are confirmed. */
function askText({ name, title, label, value = "", yes, mode }, act) {
  const draft = { text: value, error: "" };
  const finish = () => {
    if (!draft.text.trim() || (mode === "numeric" && draft.text.length !== 4)) {
      draft.error = mode === "numeric" ? "Four digits are needed" : "A name is needed";
      Shell.refresh();
      return false;
    }
    Shell.layers.pop();
    act(draft.text.trim());
    Shell.refresh();
    return false;
  };
  ui.dialog({
    name,
    title,
    body: () =>
      ui.field({
        id: "dialog_input",
        label,
        value: draft.text,
        mode,
        focus: true,
        error: draft.error,
        max: mode === "numeric" ? 4 : undefined,
        change: (x) => {
          draft.text = x;
        },
        enter: finish,
      }),
    actions: [
      { id: "button_cancel", text: "Cancel" },
      { id: "button_ok", text: yes, tap: finish },
    ],
  });
}

const tint = (note) => (note.colour ? { cls: "tint", style: `--hue:${hueOf(note.colour)}` } : { cls: "", style: null });

function noteMenu(note) {
  return (el) =>
    ui.menu(
      el,
      [
        { id: "menu_pin", icon: "pin", text: note.pinned ? "Unpin" : "Pin", tap: () => pinNotes([note.id]) },
        { id: "menu_copy", icon: "copy", text: "Make a copy", tap: () => copyNote(note) },
        { id: "menu_move", icon: "notebook", text: "Move to notebook", tap: () => notebookSheet(note) },
        { id: "menu_archive", icon: "archive", text: "Archive", tap: () => place([note.id], "archive") },
        { id: "menu_trash", icon: "trash", text: "Move to trash", tap: () => throwAway([note.id]) },
        {
          id: "menu_select",
          icon: "check",
          text: "Select",
          tap: () => {
            state.selected = [note.id];
          },
        },
      ],
      "NoteMenu",
    );
}

function copyNote(note) {
  const copy = JSON.parse(JSON.stringify(note));
  Object.assign(copy, { id: state.nextNote++, title: `${note.title} (copy)`, pinned: false });
  touched(copy);
  state.notes.push(copy);
  Shell.snack("Note copied");
}

function notebookSheet(note) {
  const choice = (id, name) =>
    ui.row({
      id: "choose_notebook_" + (id === null ? "none" : id),
      icon: "notebook",
      title: name,
      tap: () => {
        note.notebook = id;
        Shell.layers.pop();
        Shell.snack(id === null ? "Taken out of its notebook" : `Moved to ${name}`);
      },
      end: ui.box({ id: "radio_" + id, on: note.notebook === id, round: true }),
    });
  ui.sheet({
    name: "NotebookSheet",
    title: "Move to notebook",
    body: () => [state.notebooks.map((n) => choice(n.id, n.name)), choice(null, "No notebook")],
  });
}

/** One note in a list. `on` overrides what touching it does. */
function card(note, on = {}) {
  const picked = state.selected.includes(note.id);
  const pick = () => {
    state.selected = picked ? state.selected.filter((x) => x !== note.id) : state.selected.concat(note.id);
    Shell.refresh();
  };
  const book = note.notebook === null ? "" : notebookOf(note.notebook).name;
  const look = tint(note);
  return h(
    "div.note",
    {
      id: "note_" + note.id,
      cls: look.cls + (picked ? " picked" : ""),
      style: look.style,
      "aria-selected": picked ? "true" : null,
      tap: state.selected.length ? pick : on.tap || (() => openNote(note)),
      hold: on.tap ? null : state.selected.length ? pick : noteMenu(note),
      swipe: on.swipe || (state.settings.swipe ? { left: () => place([note.id], "archive"), right: () => place([note.id], "archive") } : null),
    },
    h(
      "div.flex",
      { style: "gap:6px" },
      h("span.nt", { id: "note_title", text: note.title || "Untitled" }),
      h(
        "span.marks",
        null,
        note.locked && h("span", { id: "locked_icon", label: "Locked", html: svg("lock", 16) }),
        note.pinned && h("span", { id: "pinned_icon", label: "Pinned", html: svg("pin", 16) }),
      ),
    ),
    h("div.nb", { id: "note_preview", text: previewText(note) }),
    h("div.nf", null, book && h("span", { id: "note_notebook", text: book }), state.settings.dates && h("span", { id: "note_date", text: whenText(note) })),
  );
}

const cards = (id, list, empty, on) =>
  h("div.scroll", { id }, list.length ? h("div.notes", { cls: state.grid ? "grid" : "" }, list.map((n) => card(n, on && on(n)))) : empty);

function selectionBar() {
  const ids = state.selected;
  return ui.appBar({
    title: `${ids.length} selected`,
    id: "selection_title",
    cls: "selecting",
    lead: ui.iconButton({
      id: "clear_selection",
      icon: "close",
      label: "Clear selection",
      tap: () => {
        state.selected = [];
        Shell.refresh();
      },
    }),
    actions: [
      { id: "action_pin", icon: "pin", label: "Pin", tap: () => pinNotes(ids) },
      { id: "action_archive", icon: "archive", label: "Archive", tap: () => place(ids, "archive") },
      { id: "action_trash", icon: "trash", label: "Move to trash", tap: () => throwAway(ids) },
    ],
  });
}

/** What the round button offers. */
function newSheet() {
  const start = (list) => () => {
    Shell.layers.pop();
    newNote(list);
  };
  ui.sheet({
    name: "NewSheet",
    title: "New",
    body: () => [
      ui.row({ id: "new_text_note", icon: "note", title: "Text note", tap: start(false) }),
      ui.row({ id: "new_checklist", icon: "list", title: "Checklist", tap: start(true) }),
    ],
  });
}
