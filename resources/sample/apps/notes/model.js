// Notes: what there is at a seed, and what can be done to it.
"use strict";

const rnd = makeRandom(Shell.seed * 617 + 1);
const SORTS = ["Last edited", "Oldest first", "Title", "Notebook"];
const SIZES = ["Small", "Normal", "Large", "Very large"];
const SIZE_FACTOR = { Small: 0.86, Normal: 1, Large: 1.22, "Very large": 1.45 };
const MONTHS = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"];

const state = (() => {
  const notebooks = rnd.some(NOTEBOOKS, rnd.int(5, 6)).map(([name, hue], id) => ({ id, name, hue }));
  const fitting = (name) => {
    const found = notebooks.find((n) => n.name === name);
    return found ? found.id : rnd.chance(0.5) ? rnd.pick(notebooks).id : null;
  };
  const drawn = rnd.shuffle([...rnd.some(TEXTS, rnd.int(13, 16)), ...rnd.some(LISTS, rnd.int(3, 4))]);
  let age = 0;
  const notes = drawn.map(([title, content, fit], id) => {
    age += id && rnd.chance(0.75) ? rnd.int(1, 4) : 0;
    const list = Array.isArray(content);
    return {
      id,
      title,
      body: list ? "" : content,
      items: list ? content.map((text) => ({ text, done: rnd.chance(0.3) })) : null,
      notebook: fitting(fit),
      colour: rnd.chance(0.45) ? rnd.pick(COLOURS)[0] : null,
      age,
      at: age ? rnd.int(7 * 60, 22 * 60) : rnd.int(60, phone.start - 1),
      pinned: false,
      locked: false,
      place: "notes",
    };
  });
  for (const note of rnd.some(notes, rnd.int(1, 2))) note.pinned = true;
  const loose = rnd.shuffle(notes.filter((n) => !n.pinned && !n.items));
  for (const note of loose.splice(0, rnd.int(2, 3))) note.place = "archive";
  const even = (n) => n % 2 === 0; // half of all seeds each: with and without a trash, a PIN, an account
  const thrown = even(Shell.seed >> 1) ? 0 : rnd.int(1, 3);
  for (const note of loose.splice(0, thrown)) note.place = "trash";
  const lists = notes.filter((n) => n.items && n.place === "notes");
  if (lists.length > 1) lists[0].items.forEach((i) => (i.done = false));
  if (lists.length) lists[lists.length - 1].items[1].done = true;
  return {
    notes,
    notebooks,
    nextNote: notes.length,
    nextNotebook: notebooks.length,
    filter: null,
    sort: "Last edited",
    grid: false,
    selected: [],
    query: "",
    pin: even(Shell.seed) ? String(rnd.int(1000, 9999)) : null,
    account: even((Shell.seed + 1) >> 1) ? "me@quill.example" : null,
    backup: null,
    opened: null,
    settings: {
      size: rnd.pick(["Small", "Normal", "Normal", "Large"]),
      swipe: true,
      dates: rnd.chance(0.7),
      ask: rnd.chance(0.4),
      spelling: rnd.chance(0.5),
      sink: rnd.chance(0.5),
      home: notebooks[0].id,
    },
  };
})();

const noteOf = (id) => state.notes.find((n) => n.id === id);
const notebookOf = (id) => state.notebooks.find((n) => n.id === id);
const hueOf = (name) => (COLOURS.find(([n]) => n === name) || [])[1];
const inPlace = (place) => state.notes.filter((n) => n.place === place);

/** When a note was last changed, as people write it. */
function whenText(note) {
  if (note.age === 0) return `Today ${Math.floor(note.at / 60)}:${pad2(note.at % 60)}`;
  if (note.age === 1) return "Yesterday";
  const day = new Date(Date.UTC(2025, phone.month, phone.day) - note.age * 86400000); // a date by counting, not by the clock
  return `${day.getUTCDate()} ${MONTHS[day.getUTCMonth()]}`;
}

function previewText(note) {
  if (note.locked) return "Locked";
  if (note.items) return note.items.map((i) => `${i.done ? "✓" : "–"} ${i.text}`).join("  ") || "Empty list";
  return note.body || "No text";
}

/** Notes in the chosen order, pinned ones first. */
function inOrder(list) {
  const fresh = (n) => n.age * 1440 - n.at;
  const book = (n) => (n.notebook === null ? "~" : notebookOf(n.notebook).name);
  const by = {
    "Last edited": (a, b) => fresh(a) - fresh(b),
    "Oldest first": (a, b) => fresh(b) - fresh(a),
    Title: (a, b) => a.title.localeCompare(b.title, "en"),
    Notebook: (a, b) => book(a).localeCompare(book(b), "en") || a.title.localeCompare(b.title, "en"),
  }[state.sort];
  return list.slice().sort((a, b) => b.pinned - a.pinned || by(a, b) || a.id - b.id);
}

function shownNotes() {
  return inOrder(inPlace("notes").filter((n) => state.filter === null || n.notebook === state.filter));
}

function touched(note) {
  note.age = 0;
  note.at = Shell.minutes;
}

function newNote(list) {
  const inside = Shell.page.name === "NotebookPage" ? Shell.page.arg : state.filter;
  const note = {
    id: state.nextNote++,
    title: "",
    body: "",
    items: list ? [] : null,
    notebook: inside === null ? state.settings.home : inside,
    colour: null,
    pinned: false,
    locked: false,
    place: "notes",
  };
  touched(note);
  state.notes.push(note);
  Shell.push("NotePage", note.id);
}

/** Away from the editor; what was left empty is not kept. */
function leaveNote() {
  const note = noteOf(Shell.page.arg);
  Shell.pop();
  state.opened = null;
  if (note && !note.title.trim() && !note.body.trim() && !(note.items && note.items.length)) {
    state.notes = state.notes.filter((n) => n !== note);
    Shell.snack("Empty note discarded");
  }
}

/** Put notes somewhere else (notes, archive, trash), with a way back. */
function place(ids, where) {
  const before = ids.map((id) => [id, noteOf(id).place, noteOf(id).pinned]);
  for (const id of ids) Object.assign(noteOf(id), { place: where, pinned: where === "notes" ? noteOf(id).pinned : false });
  const what = ids.length > 1 ? `${ids.length} notes` : "Note";
  const said = { archive: "archived", trash: "moved to trash", notes: "restored" }[where];
  state.selected = [];
  Shell.snack(`${what} ${said}`, "Undo", () => {
    for (const [id, old, pinned] of before) Object.assign(noteOf(id), { place: old, pinned });
  });
}

/** To the trash, after asking when the settings want it. */
function throwAway(ids, after) {
  const act = () => {
    if (after) after();
    place(ids, "trash");
  };
  if (!state.settings.ask) act();
  else ui.confirm("TrashDialog", ids.length > 1 ? "Move these notes to trash?" : "Move this note to trash?", "You can restore it for 30 days.", "Move", act);
}

function pinNotes(ids) {
  const on = ids.some((id) => !noteOf(id).pinned);
  for (const id of ids) noteOf(id).pinned = on;
  state.selected = [];
  Shell.snack(on ? "Pinned" : "Unpinned");
}

function lockNote(note) {
  if (state.pin === null) {
    ui.dialog({
      name: "NoPinDialog",
      title: "No note PIN yet",
      body: "Set a note PIN in Settings before you lock notes.",
      actions: [{ id: "button_ok", text: "OK" }],
    });
    return;
  }
  note.locked = !note.locked;
  Shell.snack(note.locked ? "Note locked" : "Lock removed");
}

function openNote(note) {
  if (!note.locked) {
    Shell.push("NotePage", note.id);
    return;
  }
  askText({ name: "PinDialog", title: "Note PIN", label: "PIN", mode: "numeric", yes: "Open" }, (text) => {
    if (text !== state.pin) Shell.snack("Wrong PIN");
    else Shell.push("NotePage", note.id);
  });
}

/** Where things stand in the list that can be scrolled, CSS pixels from its top. */
function tops() {
  const list = document.querySelector("#stage .scroll");
  const found = {};
  if (list)
    for (const el of list.querySelectorAll("[data-id]"))
      if (el._tap) found[el.dataset.id.split("/")[1]] = el.getBoundingClientRect().top - list.getBoundingClientRect().top + list.scrollTop;
  return found;
}
