// Notes: the settings page.
"use strict";

function setPin() {
  askText({ name: "SetPinDialog", title: state.pin ? "New note PIN" : "Set a note PIN", label: "Four digits", mode: "numeric", yes: "Save" }, (text) => {
    state.pin = text;
    Shell.snack("Note PIN saved");
  });
}

function backUp() {
  if (!state.account) {
    ui.dialog({
      name: "NoAccountDialog",
      title: "No account yet",
      body: "Add an account before notes can be backed up.",
      actions: [{ id: "button_ok", text: "OK" }],
    });
    return;
  }
  state.backup = Shell.minutes;
  Shell.snack(`${state.notes.length} notes backed up`);
}

function account() {
  if (state.account) {
    ui.confirm("SignOutDialog", "Remove account?", `${state.account} will no longer keep your notes.`, "Remove", () => {
      state.account = null;
      Shell.snack("Account removed");
    });
    return;
  }
  askText({ name: "AccountDialog", title: "Add account", label: "Mail address", yes: "Add" }, (text) => {
    state.account = text;
    Shell.snack("Account added");
  });
}

function chooseHome() {
  ui.choose("HomeNotebookDialog", "Notebook for new notes", state.notebooks.map((b) => b.name), (notebookOf(state.settings.home) || {}).name, (name) => {
    state.settings.home = state.notebooks.find((b) => b.name === name).id;
  });
}

function settingsPage() {
  const s = state.settings;
  const flip = (key, icon, title, sub) =>
    ui.switchRow({
      id: "setting_" + key,
      icon,
      title,
      sub,
      on: s[key],
      change: (x) => {
        s[key] = x;
      },
    });
  const home = notebookOf(s.home);
  return h(
    "div",
    null,
    ui.appBar({ title: "Settings", back: true }),
    h(
      "div.scroll",
      { id: "settings_list" },
      ui.head("Writing"),
      ui.card(
        ui.row({
          id: "setting_size",
          icon: "text",
          title: "Text size of notes",
          sub: s.size,
          tap: () =>
            ui.choose("TextSizeDialog", "Text size of notes", SIZES, s.size, (x) => {
              s.size = x;
            }),
        }),
        ui.row({ id: "setting_home", icon: "notebook", title: "Notebook for new notes", sub: home ? home.name : "None", tap: chooseHome }),
        flip("spelling", "edit", "Check spelling"),
        flip("sink", "list", "Ticked items go to the bottom"),
      ),
      ui.head("List"),
      ui.card(
        flip("dates", "clock", "Show dates", "When each note was last changed"),
        flip("swipe", "archive", "Swipe to archive"),
        flip("ask", "help", "Ask before moving to trash"),
      ),
      ui.head("Safety"),
      ui.card(
        ui.row({ id: "setting_pin", icon: "lock", title: "Note PIN", sub: state.pin ? "Set" : "Not set", tap: setPin }),
        ui.row({ id: "setting_account", icon: "user", title: "Account", sub: state.account || "None", tap: account }),
        ui.row({
          id: "setting_backup",
          icon: "storage",
          title: "Back up notes now",
          sub: state.backup === null ? "Never backed up" : `Last at ${Math.floor(state.backup / 60)}:${pad2(state.backup % 60)}`,
          tap: backUp,
        }),
      ),
      h("div", { style: "height:24px" }),
    ),
  );
}
