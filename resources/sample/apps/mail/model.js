// Mail: letters in folders, with flags and labels. The state, and what can be done to it.
"use strict";

const rnd = makeRandom(Shell.seed * 149 + 1);
const FOLDERS = [
  ["inbox", "Inbox", "inbox"],
  ["flagged", "Flagged", "flag"],
  ["drafts", "Drafts", "edit"],
  ["sent", "Sent", "send"],
  ["archive", "Archive", "archive"],
  ["spam", "Spam", "spam"],
  ["bin", "Bin", "trash"],
];
const LABEL_IDEAS = ["Home", "Work", "Travel", "Receipts", "Family", "Club", "Read later"];
const LABEL_HUES = { Home: 140, Work: 210, Travel: 28, Receipts: 48, Family: 330, Club: 280, "Read later": 180 };
const SIGNATURES = ["Warm regards", "Sent from the garden", "All the best"];
const STARTED = ["Summer party", "Carpool to the lake", "Holiday swap", "Shared lawnmower"];
const MONTHS = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"];

/** Whether something exists at the start is spread evenly over the seeds, each thing in another rhythm. */
const odd = (shift, length) => Math.floor((Shell.seed + shift) / length) % 2 === 1;
const hasDraft = odd(1, 3);
const hasBinned = odd(0, 4);
const hasSignature = odd(2, 4);

let nextId = 1;
const writers = WRITERS.map(([name, hue]) => ({ name, hue, address: `${name.toLowerCase()}@pigeon.example` }));
const writer = (name) => writers.find((w) => w.name === name) || { name, hue: 0, address: `${name.toLowerCase().replaceAll(" ", ".")}@offers.example` };
const labels = rnd.some(LABEL_IDEAS, 4);
const letters = rnd.shuffle(LETTERS);
const people = rnd.shuffle(writers).map((w) => w.name);
const dayText = (ago) => {
  if (!ago) return "";
  const day = phone.day - ago;
  return day > 0 ? `${day} ${MONTHS[phone.month]}` : `${28 + day} ${MONTHS[(phone.month + 11) % 12]}`;
};
const clockText = (m) => `${Math.floor(m / 60)}:${pad2(m % 60)}`;

/** One letter. `ago` are days, `at` minutes of that day. */
const makeMail = (folder, name, [subject, lines, file], ago, more = {}) => ({
  id: nextId++,
  folder,
  name,
  subject,
  lines,
  file: file || null,
  ago,
  at: ago ? rnd.int(6 * 60, 22 * 60) : rnd.int(0, phone.start - 1),
  read: true,
  flagged: false,
  labels: [],
  ...more,
});

const inboxSize = rnd.int(10, 13);
const mails = [
  ...letters.slice(0, inboxSize).map((letter, i) =>
    makeMail("inbox", people[i % 12], letter, Math.floor(i / 2.5), {
      read: rnd.chance(0.55),
      flagged: rnd.chance(0.2),
      labels: rnd.chance(0.35) ? [rnd.pick(labels)] : [],
    }),
  ),
  ...letters.slice(inboxSize, inboxSize + 4).map((letter, i) => makeMail("archive", people[i + 2], letter, 8 + i)),
  ...letters.slice(inboxSize + 4, inboxSize + 7).map((letter, i) => makeMail("sent", people[i + 1], letter, 2 + i)),
  ...JUNK.slice(0, rnd.int(2, 3)).map(([name, subject], i) => makeMail("spam", name, [subject, ["Click here before midnight!"]], 1 + i, { read: false })),
  ...(hasBinned ? letters.slice(inboxSize + 7, inboxSize + 9).map((letter, i) => makeMail("bin", people[i + 5], letter, 4 + i)) : []),
  ...(hasDraft ? [makeMail("drafts", people[3], [rnd.pick(STARTED), ["Hello, I am collecting ideas. What do you think?"]], 1)] : []),
];
mails[0].read = false; // the inbox always has something new, and something read
mails[1].read = true;

const state = {
  folder: "inbox",
  label: null,
  onlyUnread: false,
  mails,
  labels,
  query: "",
  withFile: false,
  draft: null,
  text: "",
  settings: {
    signature: hasSignature ? rnd.pick(SIGNATURES) : "",
    away: { on: false, text: "" },
    swipe: "Archive",
    previews: rnd.chance(0.6),
    pictures: rnd.chance(0.4),
    confirm: false,
    notify: rnd.chance(0.7),
  },
};

const mail = (id) => state.mails.find((m) => m.id === id);
const newestFirst = (list) => list.sort((a, b) => a.ago - b.ago || b.at - a.at || b.id - a.id);
const folderName = () => state.label || FOLDERS.find((f) => f[0] === state.folder)[1];
const bin = (m) => putInto([m], "bin", "Moved to the bin");
const snippet = (m) => m.lines.join(" ");

/** What the open folder or label shows, newest first. */
function inFolder() {
  const shown = state.mails.filter((m) => {
    if (state.onlyUnread && m.read) return false;
    if (state.label) return m.labels.includes(state.label) && m.folder !== "bin";
    if (state.folder === "flagged") return m.flagged && m.folder !== "bin";
    return m.folder === state.folder;
  });
  return newestFirst(shown);
}

function found() {
  const q = state.query.trim().toLowerCase();
  if (!q) return [];
  const hit = (m) => `${m.name} ${m.subject} ${snippet(m)}`.toLowerCase().includes(q);
  return newestFirst(state.mails.filter((m) => !["bin", "spam"].includes(m.folder) && hit(m) && (!state.withFile || m.file)));
}

function putInto(list, folder, said) {
  const before = list.map((m) => m.folder);
  for (const m of list) m.folder = folder;
  Shell.snack(said, "Undo", () => {
    list.forEach((m, i) => {
      m.folder = before[i];
    });
  });
}

function openFolder(key, label = null) {
  Object.assign(state, { folder: key, label, onlyUnread: false });
  Shell.snackbar = null;
  Shell.layers = [];
  Shell.stack = [{ name: "MailboxPage" }];
  Shell.blur();
  Shell.refresh();
}

function openMail(m) {
  m.read = true;
  if (m.folder === "drafts") {
    state.draft = { id: m.id, to: [m.name], cc: [], toText: "", ccText: "", ccOpen: false, subject: m.subject, body: snippet(m), file: m.file, quote: null };
    Shell.push("ComposePage");
  } else Shell.push("LetterPage", m.id);
}

function startMail(more = {}) {
  const sign = state.settings.signature ? `\n\n${state.settings.signature}` : "";
  state.draft = { id: null, to: [], cc: [], toText: "", ccText: "", ccOpen: false, subject: "", body: "", file: null, quote: null, sign, ...more };
  Shell.push("ComposePage");
}

/** A typed name or address becomes a recipient. */
function addRecipient(kind, text) {
  const clean = text.trim();
  if (!clean) return;
  const known = writers.find((w) => clean.toLowerCase() === w.name.toLowerCase() || clean.toLowerCase() === w.address);
  state.draft[kind].push(known ? known.name : clean);
  state.draft[kind + "Text"] = "";
  Shell.refresh();
}

function fileAway(folder) {
  const d = state.draft;
  state.mails = state.mails.filter((m) => m.id !== d.id);
  const lines = [d.body + (folder === "sent" && d.sign ? d.sign.replace("\n\n", " ") : "")];
  const made = makeMail(folder, d.to[0] || "Nobody yet", [d.subject || "(no subject)", lines, d.file], 0, { to: d.to, cc: d.cc, at: Shell.minutes });
  state.mails.push(made);
  state.draft = null;
  Shell.stack.pop();
}

function sendDraft() {
  for (const kind of ["to", "cc"]) if (state.draft[kind + "Text"].trim()) addRecipient(kind, state.draft[kind + "Text"]);
  if (!state.draft.to.length) {
    Shell.snack("Add somebody to write to");
    return;
  }
  const go = () => {
    fileAway("sent");
    Shell.blur();
    Shell.snack("Mail sent");
  };
  if (state.settings.confirm) ui.confirm("SendDialog", "Send this mail?", state.draft.subject || "It has no subject.", "Send", go);
  else go();
}

/** Leaving a letter that is being written keeps it as a draft, unless nothing is in it. */
function leaveDraft() {
  const d = state.draft;
  if (d.subject || d.body || d.to.length) {
    fileAway("drafts");
    Shell.blur();
    Shell.snack("Saved in Drafts");
  } else {
    state.draft = null;
    Shell.pop();
  }
}
