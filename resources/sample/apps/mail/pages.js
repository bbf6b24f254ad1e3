// Mail: folders, one letter, search.
"use strict";

const pages = {
  MailboxPage: () => {
    const list = inFolder();
    const emptyable = ["spam", "bin"].includes(state.folder) && !state.label;
    return h(
      "div",
      null,
      band({
        id: "folder_title",
        title: folderName(),
        lead: ui.iconButton({ id: "drawer_button", icon: "menu", label: "Folders", tap: openDrawer }),
        actions: [
          {
            id: "look_button",
            icon: "search",
            label: "Search mail",
            tap: () => {
              Object.assign(state, { query: "", withFile: false });
              Shell.push("LookPage");
            },
          },
          { id: "mailbox_more", icon: "more", label: "More", tap: mailboxMenu },
        ],
      }),
      state.onlyUnread &&
        h(
          "div.note",
          { id: "unread_note" },
          h("span.grow", { text: "Only unread mail" }),
          ui.button({
            id: "show_all",
            text: "Show all",
            tap: () => {
              state.onlyUnread = false;
              Shell.refresh();
            },
          }),
        ),
      emptyable &&
        list.length > 0 &&
        h(
          "div.note",
          { id: "empty_note" },
          h("span.grow", { text: "Deleted for good after 30 days" }),
          ui.button({
            id: "empty_folder",
            text: `Empty ${folderName().toLowerCase()}`,
            tap: () =>
              ui.confirm("EmptyFolderDialog", `Empty ${folderName().toLowerCase()}?`, `${list.length} mails are deleted.`, "Empty", () => {
                state.mails = state.mails.filter((m) => m.folder !== state.folder);
              }),
          }),
        ),
      h(
        "div.scroll",
        { id: "letter_list" },
        list.length ? list.map(mailRow) : ui.empty("letter", state.folder === "inbox" ? "No mail" : `Nothing in ${folderName()}`),
        h("div.gap"),
      ),
      ui.fab({ id: "write_mail", icon: "edit", label: "Write a mail", tap: () => startMail(), cls: "pen" }),
    );
  },

  LetterPage: (id) => {
    const m = mail(id);
    if (!m) return h("div", null, band({ id: "letter_title", title: "Mail", lead: upButton() }), ui.empty("letter", "This mail was deleted"));
    const leave = (act) => {
      Shell.stack.pop();
      act();
      Shell.refresh();
    };
    const answer = (more) => startMail({ quote: `${m.name} wrote: ${snippet(m)}`, ...more });
    return h(
      "div",
      null,
      band({
        id: "letter_title",
        title: "",
        lead: upButton(),
        actions: [
          {
            id: "archive_letter",
            icon: "archive",
            label: "Archive",
            tap: () => leave(() => putInto([m], m.folder === "archive" ? "inbox" : "archive", m.folder === "archive" ? "Moved to the inbox" : "Moved to the archive")),
          },
          { id: "bin_letter", icon: "trash", label: "Move to the bin", tap: () => leave(() => bin(m)) },
          { id: "letter_more", icon: "more", label: "More", tap: (el) => mailMenu(el, m) },
        ],
      }),
      h(
        "div.scroll",
        { id: "letter_body" },
        h("div.title", { id: "letter_subject", text: m.subject }),
        m.labels.length ? h("div.flex.pad.marks", null, m.labels.map(labelMark)) : null,
        h(
          "div.flex.sender",
          null,
          stamp(m.name),
          h("div.grow", null, h("b", { id: "letter_from", text: m.name }), h("span.dim", { id: "letter_address", text: writer(m.name).address })),
          h("span.dim", { id: "letter_when", text: m.ago ? dayText(m.ago) : clockText(m.at) }),
          ui.iconButton({
            id: "flag_letter",
            icon: "flag",
            label: m.flagged ? "Take the flag off" : "Flag",
            cls: m.flagged ? "raised" : "",
            tap: () => flip(m),
          }),
        ),
        h(
          "div.text",
          { id: "letter_text" },
          h("p", { text: m.folder === "sent" ? `Hello ${m.name},` : "Hello Robin,", id: "letter_hello" }),
          m.lines.map((line, i) => h("p", { text: line, id: "letter_line_" + i })),
          m.folder === "sent" ? null : h("p", { text: m.name, id: "letter_end" }),
        ),
        m.file &&
          h(
            "div.file",
            { id: "attached_file", label: m.file, tap: () => Shell.snack(`${m.file} is saved on the phone`) },
            ui.icon("clip", 22),
            h("span.grow", { id: "file_name", text: m.file }),
            ui.icon("down", 20),
          ),
      ),
      m.folder === "spam"
        ? null
        : h(
            "div.buybar",
            null,
            ui.button({
              id: "reply_letter",
              text: "Reply",
              icon: "reply",
              kind: "outlined",
              cls: "grow",
              tap: () => answer({ to: [m.name], subject: `Re: ${m.subject}`, at: "body" }),
            }),
            ui.button({
              id: "forward_letter",
              text: "Forward",
              icon: "forward",
              kind: "outlined",
              cls: "grow",
              tap: () => answer({ subject: `Fwd: ${m.subject}`, file: m.file }),
            }),
          ),
    );
  },

  LookPage: () => {
    const hits = found();
    return h(
      "div",
      null,
      h(
        "div.band",
        { id: "mail_band" },
        upButton(),
        h("input.look", {
          id: "look_text",
          type: "text",
          placeholder: "Sender, subject or words",
          value: state.query,
          input: (x) => {
            state.query = x;
            Shell.refresh();
          },
          "data-autofocus": true,
          autocomplete: "off",
          spellcheck: "false",
        }),
      ),
      h(
        "div.hscroll",
        { id: "look_filters" },
        ui.chip({
          id: "only_with_file",
          text: "With attachment",
          icon: "clip",
          on: state.withFile,
          tap: () => {
            state.withFile = !state.withFile;
            Shell.refresh();
          },
        }),
      ),
      h(
        "div.scroll",
        { id: "look_results" },
        hits.map(mailRow),
        !hits.length && ui.empty("search", state.query.trim() ? "No mail found" : "Search in all folders"),
      ),
    );
  },
};

function mailboxMenu(el) {
  ui.menu(
    el,
    [
      {
        id: "all_read",
        icon: "check",
        text: "Mark all as read",
        tap: () => {
          inFolder().forEach((m) => {
            m.read = true;
          });
          Shell.snack("All mail here is read");
        },
      },
      {
        id: "unread_only",
        icon: "filter",
        text: state.onlyUnread ? "Show all mail" : "Only unread mail",
        tap: () => {
          state.onlyUnread = !state.onlyUnread;
        },
      },
      { id: "more_settings", icon: "settings", text: "Settings", tap: () => Shell.push("MailSettingsPage") },
    ],
    "MailboxMenu",
  );
}
