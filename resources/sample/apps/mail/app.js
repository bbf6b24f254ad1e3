// Mail: labels, settings, the automatic answer; and the start.
"use strict";

const mailCount = (n) => (n === 1 ? "1 mail" : `${n} mails`);

Object.assign(pages, {
  LabelsPage: () =>
    h(
      "div",
      null,
      band({ id: "labels_page_title", title: "Labels", lead: upButton() }),
      h(
        "div.scroll",
        { id: "label_list" },
        state.labels.map((name, i) =>
          ui.row({
            id: "label_" + i,
            lead: h("span.dot", { style: `--lh:${LABEL_HUES[name] || 250}` }),
            title: name,
            sub: mailCount(state.mails.filter((m) => m.labels.includes(name)).length),
            tap: () => askText("RenameLabelDialog", "Rename label", "Name", name, (x) => renameLabel(name, x)),
            end: ui.iconButton({
              id: "remove_label_" + i,
              icon: "trash",
              label: `Delete the label ${name}`,
              tap: () => ui.confirm("RemoveLabelDialog", `Delete ${name}?`, "The mails stay where they are.", "Delete", () => renameLabel(name, "")),
            }),
          }),
        ),
        ui.row({
          id: "new_label",
          icon: "add",
          title: "New label",
          tap: () =>
            askText("NewLabelDialog", "New label", "Name", "", (x) => {
              if (x) state.labels.push(x);
            }),
        }),
      ),
    ),

  MailSettingsPage: () => {
    const s = state.settings;
    const flick = (key, icon, title, sub) =>
      ui.switchRow({
        id: "set_" + key,
        icon,
        title,
        sub,
        on: s[key],
        change: (x) => {
          s[key] = x;
        },
      });
    return h(
      "div",
      null,
      band({ id: "settings_title", title: "Settings", lead: upButton() }),
      h(
        "div.scroll",
        { id: "setting_rows" },
        ui.head("Writing", "writing_title"),
        ui.row({
          id: "set_signature",
          icon: "edit",
          title: "Signature",
          sub: s.signature || "None",
          tap: () =>
            askText("SignatureDialog", "Signature", "Under each mail", s.signature, (x) => {
              s.signature = x;
            }),
        }),
        ui.row({
          id: "set_away",
          icon: "plane",
          title: "Out of office",
          sub: s.away.on ? s.away.text || "On" : "Off",
          tap: () => Shell.push("AwayPage"),
        }),
        flick("confirm", "help", "Ask before sending", "A last look at each mail"),
        ui.head("Reading", "reading_title"),
        ui.row({
          id: "set_swipe",
          icon: "back",
          title: "Swipe to the left",
          sub: s.swipe,
          tap: () =>
            ui.choose("SwipeDialog", "Swipe to the left", ["Archive", "Delete", "Flag"], s.swipe, (x) => {
              s.swipe = x;
            }),
        }),
        flick("previews", "text", "Show the beginning", "One line of each mail in the list"),
        flick("pictures", "image", "Load pictures", "From other computers"),
        flick("notify", "bell", "Notifications", "For each new mail"),
      ),
    );
  },

  AwayPage: () => {
    const away = state.settings.away;
    return h(
      "div",
      null,
      band({ id: "away_title", title: "Out of office", lead: upButton() }),
      h(
        "div.scroll",
        { id: "away_rows" },
        ui.switchRow({
          id: "away_switch",
          icon: "plane",
          title: "Answer by itself",
          sub: "Once to each sender",
          on: away.on,
          change: (x) => {
            away.on = x;
          },
        }),
        h(
          "div.form",
          null,
          ui.field({
            id: "away_text",
            label: "Answer",
            value: away.text,
            change: (x) => {
              away.text = x;
            },
          }),
          ui.button({
            id: "away_save",
            text: "Save",
            kind: "filled",
            cls: "wide",
            tap: () => {
              Shell.pop();
              Shell.snack(away.on ? "The answer is on" : "Saved, the answer is off");
            },
          }),
        ),
      ),
    );
  },
});

/** Another name for a label everywhere; an empty one takes it off. */
function renameLabel(name, to) {
  const swap = (list) => (to ? list.map((x) => (x === name ? to : x)) : list.filter((x) => x !== name));
  state.labels = swap(state.labels);
  for (const m of state.mails) m.labels = swap(m.labels);
}

Shell.start({
  pages,
  home: "MailboxPage",
  state,
  report: () => ({ ...state, text: undefined, shown: inFolder().map((m) => m.id), writers: writers.map((w) => w.name), files: FILES }),
  onBack: () => {
    if (Shell.page.name === "ComposePage" && state.draft) {
      leaveDraft();
      return true;
    }
    if (Shell.stack.length === 1 && (state.folder !== "inbox" || state.label)) {
      openFolder("inbox");
      return true;
    }
    return false;
  },
});
