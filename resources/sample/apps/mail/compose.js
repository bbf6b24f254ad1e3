// Mail: writing.
"use strict";

const FILES = ["timetable.pdf", "budget.csv", "sunset.jpg", "recipe.pdf", "floor plan.png"];

/** A line of recipients: those that are there, and a place to type the next one. */
function recipientLine(kind, text) {
  const d = state.draft;
  const input = h("input", {
    id: kind + "_line",
    type: "text",
    value: d[kind + "Text"],
    placeholder: d[kind].length ? "" : "Name or address",
    input: (x) => {
      d[kind + "Text"] = x;
      Shell.refresh();
    },
    "data-autofocus": kind === "to" && !d.to.length,
    "aria-label": text,
    autocomplete: "off",
    spellcheck: "false",
  });
  input._enter = (x) => addRecipient(kind, x);
  return h(
    "div.draftline",
    null,
    h("span.dim", { id: kind + "_caption", text }),
    d[kind].map((name, i) =>
      h(
        "span.person",
        {
          id: `${kind}_person_${i}`,
          label: `Remove ${name}`,
          tap: () => {
            d[kind].splice(i, 1);
            Shell.refresh();
          },
        },
        h("span", { text: name }),
        ui.icon("close", 14),
      ),
    ),
    input,
    kind === "to" && !d.ccOpen
      ? ui.button({
          id: "open_cc",
          text: "Cc",
          tap: () => {
            d.ccOpen = true;
            Shell.refresh();
          },
        })
      : null,
  );
}

function suggestions(kind) {
  const q = state.draft[kind + "Text"].trim().toLowerCase();
  return q ? writers.filter((w) => w.name.toLowerCase().startsWith(q) && !state.draft[kind].includes(w.name)).slice(0, 4) : [];
}

pages.ComposePage = () => {
  const d = state.draft;
  if (!d) return h("div", null, band({ id: "compose_title", title: "Mail", lead: upButton() }));
  const typing = ["to", "cc"].find((kind) => suggestions(kind).length);
  return h(
    "div",
    null,
    band({
      id: "compose_title",
      title: d.quote ? (d.at === "body" ? "Reply" : "Forward") : "New mail",
      lead: ui.iconButton({ id: "close_draft", icon: "close", label: "Close and keep as draft", tap: leaveDraft }),
      actions: [
        { id: "attach_button", icon: "clip", label: "Attach", tap: attachSheet },
        { id: "send_mail", icon: "send", label: "Send", tap: sendDraft },
      ],
    }),
    recipientLine("to", "To"),
    d.ccOpen && recipientLine("cc", "Cc"),
    typing
      ? h(
          "div.scroll",
          { id: "people_found" },
          suggestions(typing).map((w) =>
            ui.row({
              id: "person_" + w.name.toLowerCase(),
              lead: stamp(w.name),
              title: w.name,
              sub: w.address,
              tap: () => addRecipient(typing, w.name),
            }),
          ),
        )
      : [
          h(
            "div.draftline",
            null,
            h("input.subject", {
              id: "subject_line",
              type: "text",
              value: d.subject,
              placeholder: "Subject",
              input: (x) => {
                d.subject = x;
              },
              autocomplete: "off",
              spellcheck: "false",
            }),
          ),
          d.file &&
            h(
              "div.file",
              {
                id: "draft_file",
                label: `Remove ${d.file}`,
                tap: () => {
                  d.file = null;
                  Shell.refresh();
                },
              },
              ui.icon("clip", 20),
              h("span.grow", { text: d.file }),
              ui.icon("close", 18),
            ),
          h("textarea.body-text", {
            id: "body_text",
            value: d.body,
            placeholder: "Write here",
            "data-autofocus": d.at === "body",
            input: (x) => {
              d.body = x;
            },
            spellcheck: "false",
          }),
          d.sign && h("div.sign", { id: "signature_line", text: d.sign.trim() }),
          d.quote && h("div.quote", { id: "quoted_text", text: d.quote }),
        ],
  );
};

function attachSheet() {
  ui.sheet({
    name: "AttachSheet",
    title: "Attach a file",
    body: () =>
      FILES.map((name, i) =>
        ui.row({
          id: "file_" + i,
          icon: /jpg|png/.test(name) ? "image" : "note",
          title: name,
          tap: () => {
            state.draft.file = name;
            Shell.close();
          },
        }),
      ),
  });
}
