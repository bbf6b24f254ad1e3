// Mail: parts that several pages share.
"use strict";

const initials = (name) => name.slice(0, 2);
const stamp = (name) =>
  h("span.stamp", { style: `background:hsl(${writer(name).hue} 45% ${phone.dark ? 34 : 46}%)`, text: initials(name), as: "android.widget.ImageView" });
const labelMark = (name) => h("span.mark", { id: "label_mark", text: name, style: `--lh:${LABEL_HUES[name] || 250}` });

/** A bar in the app's colour, with the letters' actions at its right. */
const band = ({ lead, title, id, actions = [] }) =>
  h(
    "div.band",
    { id: "mail_band" },
    lead,
    h("h1", { id, text: title }),
    actions.map((a) => ui.iconButton(a)),
  );
const upButton = (tap) => ui.iconButton({ id: "leave_page", icon: "back", label: "Back to the list", tap: tap || (() => Shell.pop()) });

function flip(m) {
  m.flagged = !m.flagged;
  Shell.refresh();
}

function swiped(m) {
  if (state.settings.swipe === "Delete") bin(m);
  else if (state.settings.swipe === "Flag") flip(m);
  else putInto([m], "archive", "Moved to the archive");
}

const mailRow = (m) =>
  h(
    "div.letter",
    {
      id: "mail_" + m.id,
      cls: m.read ? "" : "fresh",
      label: `${m.name}, ${m.subject}`,
      tap: () => openMail(m),
      hold: (el) => mailMenu(el, m),
      swipe: {
        left: () => swiped(m),
        right: () => {
          m.read = !m.read;
          Shell.refresh();
        },
      },
    },
    stamp(m.name),
    h(
      "div.grow",
      null,
      h(
        "div.from",
        null,
        !m.read && h("span.new", { id: "unread_dot", label: "Unread", as: "android.widget.ImageView" }),
        h("b", { id: "mail_from", text: m.folder === "sent" ? `To ${m.name}` : m.name }),
        m.file && h("span", { id: "mail_clip", label: "Has an attachment", html: svg("clip", 16), as: "android.widget.ImageView" }),
        h("span.when", { id: "mail_when", text: m.ago ? dayText(m.ago) : clockText(m.at) }),
      ),
      h("div.subject", { id: "mail_subject", text: m.subject }),
      h("div.flex.under", null, state.settings.previews && h("span.peek.grow", { id: "mail_peek", text: snippet(m) }), m.labels.map(labelMark)),
    ),
    ui.iconButton({
      id: "flag_" + m.id,
      icon: "flag",
      label: m.flagged ? `Take the flag off ${m.subject}` : `Flag ${m.subject}`,
      cls: m.flagged ? "raised" : "",
      tap: () => flip(m),
    }),
  );

function mailMenu(el, m) {
  ui.menu(
    el,
    [
      { id: "mail_label", icon: "tag", text: "Labels", tap: () => labelSheet(m) },
      { id: "mail_move", icon: "archive", text: "Move to", tap: () => moveDialog(m) },
      {
        id: "mail_unread",
        icon: "letter",
        text: m.read ? "Mark as unread" : "Mark as read",
        tap: () => {
          m.read = !m.read;
          if (Shell.page.name === "LetterPage") Shell.stack.pop();
        },
      },
      {
        id: "mail_bin",
        icon: "trash",
        text: "Move to the bin",
        tap: () => {
          if (Shell.page.name === "LetterPage") Shell.stack.pop();
          bin(m);
        },
      },
    ],
    "LetterMenu",
  );
}

function labelSheet(m) {
  ui.sheet({
    name: "LabelSheet",
    title: "Labels",
    body: () =>
      state.labels.map((name, i) =>
        ui.row({
          id: "pick_label_" + i,
          title: name,
          lead: ui.box({ id: "label_box_" + i, on: m.labels.includes(name) }),
          tap: () => {
            m.labels = m.labels.includes(name) ? m.labels.filter((x) => x !== name) : [...m.labels, name];
            Shell.refresh();
          },
        }),
      ),
    fixed: () => h("div.done", null, ui.button({ id: "labels_done", text: "Done", kind: "filled", cls: "wide", tap: () => Shell.close() })),
  });
}

function moveDialog(m) {
  const targets = FOLDERS.filter(([key]) => ["inbox", "archive", "spam", "bin"].includes(key) && key !== m.folder);
  ui.choose(
    "MoveDialog",
    "Move to",
    targets.map((t) => t[1]),
    null,
    (name) => {
      if (Shell.page.name === "LetterPage") Shell.stack.pop();
      putInto([m], targets.find((t) => t[1] === name)[0], `Moved to ${name}`);
    },
  );
}

/** Folders and labels, from the left. */
function openDrawer() {
  Shell.open("Drawer", () => {
    const count = (key) => state.mails.filter((m) => m.folder === key && (!m.read || key === "drafts")).length;
    const entry = (id, icon, text, n, on, tap) =>
      h(
        "div.entry",
        { id, label: text, tap, cls: on ? "on" : "" },
        ui.icon(icon, 22),
        h("span.grow", { text }),
        n ? h("span.n", { text: n, id: id + "_count" }) : null,
      );
    return [
      ui.scrim(),
      h(
        "div.drawer",
        { id: "folder_drawer" },
        h("div.me", null, h("b", { id: "own_name", text: "Robin" }), h("span", { id: "own_address", text: "robin@pigeon.example" })),
        h(
          "div.scroll",
          { id: "folder_list" },
          FOLDERS.map(([key, text, icon]) =>
            entry("folder_" + key, icon, text, count(key), !state.label && key === state.folder, () => openFolder(key)),
          ),
          ui.head("Labels", "labels_title"),
          state.labels.map((name, i) => entry("open_label_" + i, "tag", name, 0, state.label === name, () => openFolder("inbox", name))),
          h("hr"),
          entry("edit_labels", "edit", "Edit labels", 0, false, () => {
            Shell.layers.pop();
            Shell.push("LabelsPage");
          }),
          entry("open_settings", "settings", "Settings", 0, false, () => {
            Shell.layers.pop();
            Shell.push("MailSettingsPage");
          }),
        ),
      ),
    ];
  });
}

/** Asks for one line of text; `done` gets it. */
function askText(name, title, label, start, done) {
  state.text = start;
  ui.dialog({
    name,
    title,
    body: () =>
      ui.field({
        id: "asked_text",
        label,
        value: state.text,
        focus: true,
        change: (x) => {
          state.text = x;
        },
      }),
    actions: [
      { id: "asked_cancel", text: "Cancel" },
      { id: "asked_save", text: "Save", tap: () => done(state.text.trim()) },
    ],
  });
}
