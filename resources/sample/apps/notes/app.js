// Notes: the pages. State and actions are in model.js, the parts pages share in parts.js, one note in editor.js.
"use strict";

const overflow = (items) => ui.iconButton({ id: "menu_overflow", icon: "more", label: "More options", tap: (el) => ui.menu(el, items) });

const mainMenu = () => [
  {
    id: "menu_sort",
    icon: "sort",
    text: "Sort notes",
    tap: () =>
      ui.choose("SortDialog", "Sort notes by", SORTS, state.sort, (s) => {
        state.sort = s;
      }),
  },
  {
    id: "menu_layout",
    icon: state.grid ? "list" : "grid",
    text: state.grid ? "Show as list" : "Show as grid",
    tap: () => {
      state.grid = !state.grid;
    },
  },
  { id: "menu_settings", icon: "settings", text: "Settings", tap: () => Shell.push("SettingsPage") },
];

const fab = () => ui.fab({ id: "new_note", icon: "add", label: "New note", cls: "above", tap: newSheet });

function notebookMenu(book) {
  return (el) =>
    ui.menu(
      el,
      [
        {
          id: "menu_rename",
          icon: "edit",
          text: "Rename",
          tap: () =>
            askText({ name: "RenameDialog", title: "Rename notebook", label: "Name", value: book.name, yes: "Rename" }, (text) => {
              book.name = text;
            }),
        },
        {
          id: "menu_delete",
          icon: "trash",
          text: "Delete notebook",
          tap: () =>
            ui.confirm("DeleteNotebookDialog", `Delete ${book.name}?`, "Its notes stay, without a notebook.", "Delete", () => {
              for (const n of state.notes) if (n.notebook === book.id) n.notebook = null;
              state.notebooks = state.notebooks.filter((b) => b !== book);
              if (state.filter === book.id) state.filter = null;
              if (state.settings.home === book.id) state.settings.home = null;
              Shell.snack("Notebook deleted");
            }),
        },
      ],
      "NotebookMenu",
    );
}

function newNotebook() {
  askText({ name: "NewNotebookDialog", title: "New notebook", label: "Name", yes: "Create" }, (name) => {
    if (state.notebooks.some((b) => b.name.toLowerCase() === name.toLowerCase())) {
      Shell.snack(`There is already a notebook called ${name}`);
      return;
    }
    const id = state.nextNotebook++;
    state.notebooks.push({ id, name, hue: COLOURS[id % COLOURS.length][1] });
    Shell.snack("Notebook created");
  });
}

/** What becomes of a note in the trash. */
function trashedSheet(note) {
  const act = (what) => () => {
    Shell.layers.pop();
    what();
  };
  ui.sheet({
    name: "TrashSheet",
    title: note.title || "Untitled",
    body: () => [
      ui.row({ id: "restore_note", icon: "restart", title: "Restore", tap: act(() => place([note.id], "notes")) }),
      ui.row({
        id: "delete_forever",
        icon: "trash",
        title: "Delete for ever",
        tap: act(() =>
          ui.confirm("DeleteForeverDialog", "Delete for ever?", "This note cannot be brought back.", "Delete", () => {
            state.notes = state.notes.filter((n) => n !== note);
            Shell.snack("Note deleted");
          }),
        ),
      }),
    ],
  });
}

function emptyTrash() {
  const count = inPlace("trash").length;
  if (!count) {
    Shell.snack("The trash is empty already");
    return;
  }
  const what = count === 1 ? "1 note" : `${count} notes`;
  ui.confirm("EmptyTrashDialog", "Empty the trash?", `${what} will be deleted for ever.`, "Empty", () => {
    state.notes = state.notes.filter((n) => n.place !== "trash");
    Shell.snack("Trash emptied");
  });
}

function homeList() {
  const list = shownNotes();
  if (!list.length) return h("div.scroll", { id: "note_list" }, ui.empty("note", "No notes here"));
  const [pinned, others] = [list.filter((n) => n.pinned), list.filter((n) => !n.pinned)];
  return h(
    "div.scroll",
    { id: "note_list" },
    h(
      "div.notes",
      { cls: state.grid ? "grid" : "" },
      pinned.length ? [ui.head("Pinned", "pinned_head"), pinned.map((n) => card(n))] : null,
      pinned.length && others.length ? ui.head("Others", "others_head") : null,
      others.map((n) => card(n)),
    ),
  );
}

function filterChips() {
  const chip = (id, text, key) =>
    ui.chip({
      id,
      text,
      on: state.filter === key,
      tap: () => {
        state.filter = key;
        Shell.refresh();
      },
    });
  return h(
    "div.hscroll",
    { id: "notebook_filter", style: "padding-bottom:8px" },
    chip("filter_all", "All", null),
    state.notebooks.map((b) => chip("filter_" + b.id, b.name, b.id)),
  );
}

/** Notes whose words match, with the colour chosen when there is one. */
function searchPage() {
  const q = state.query.trim().toLowerCase();
  const words = (n) => `${n.title} ${n.locked ? "" : n.body} ${(n.items || []).map((i) => i.text).join(" ")}`.toLowerCase();
  const hits = q ? inOrder(state.notes.filter((n) => n.place !== "trash" && words(n).includes(q))) : [];
  return h(
    "div",
    null,
    ui.searchBar({
      id: "search_input",
      placeholder: "Search notes",
      back: true,
      focus: true,
      value: state.query,
      change: (x) => {
        state.query = x;
        Shell.refresh();
      },
    }),
    cards("search_results", hits, ui.empty("search", q ? "No notes found" : "Find words in your notes")),
  );
}

const pages = {
  NotesPage: () =>
    h(
      "div",
      null,
      state.selected.length
        ? selectionBar()
        : h(
            "div.topbar",
            null,
            ui.searchBar({
              id: "search_bar",
              placeholder: "Search notes",
              tap: () => {
                state.query = "";
                Shell.push("SearchPage");
              },
            }),
            overflow(mainMenu()),
          ),
      filterChips(),
      homeList(),
      fab(),
      tabBar("notes"),
    ),

  NotePage: editorPage,
  SearchPage: searchPage,
  SettingsPage: settingsPage,

  NotebooksPage: () =>
    h(
      "div",
      null,
      ui.appBar({ title: "Notebooks" }),
      h(
        "div.scroll",
        { id: "notebook_list", style: "padding-bottom:90px" },
        state.notebooks.map((b) => {
          const count = state.notes.filter((n) => n.notebook === b.id && n.place === "notes").length;
          return ui.row({
            id: "notebook_" + b.id,
            lead: ui.iconTile("notebook", b.hue),
            title: b.name,
            titleId: "notebook_name",
            sub: count === 1 ? "1 note" : `${count} notes`,
            tap: () => Shell.push("NotebookPage", b.id),
            hold: notebookMenu(b),
          });
        }),
      ),
      ui.fab({ id: "new_notebook", icon: "add", text: "New notebook", label: "New notebook", cls: "above", tap: newNotebook }),
      tabBar("notebooks"),
    ),

  NotebookPage: (id) => {
    const book = notebookOf(id);
    const list = inOrder(inPlace("notes").filter((n) => n.notebook === id));
    return h(
      "div",
      null,
      ui.appBar({ title: book ? book.name : "Notebook", back: true }),
      cards("notebook_notes", list, ui.empty("notebook", "This notebook has no notes")),
      ui.fab({ id: "new_note", icon: "add", label: "New note", tap: newSheet }),
    );
  },

  ArchivePage: () =>
    h(
      "div",
      null,
      ui.appBar({ title: "Archive" }),
      cards("archive_list", inOrder(inPlace("archive")), ui.empty("archive", "Nothing is archived"), (n) => ({
        swipe: { left: () => place([n.id], "notes"), right: () => place([n.id], "notes") },
      })),
      tabBar("archive"),
    ),

  TrashPage: () =>
    h(
      "div",
      null,
      ui.appBar({
        title: "Trash",
        actions: [
          {
            id: "trash_overflow",
            icon: "more",
            label: "More options",
            tap: (el) => ui.menu(el, [{ id: "menu_empty_trash", icon: "trash", text: "Empty trash", tap: emptyTrash }]),
          },
        ],
      }),
      cards("trash_list", inOrder(inPlace("trash")), ui.empty("trash", "The trash is empty"), (n) => ({
        tap: () => trashedSheet(n),
        swipe: {},
      })),
      tabBar("trash"),
    ),
};

Shell.start({
  pages,
  home: "NotesPage",
  state,
  report: () => ({ ...state, shown: shownNotes().map((n) => n.id), tops: tops() }),
  onBack: () => {
    if (Shell.page.name === "NotePage") {
      leaveNote();
      return true;
    }
    if (state.selected.length) {
      state.selected = [];
      return true;
    }
    return false;
  },
});
