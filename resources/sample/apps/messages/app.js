// Messages: the pages. State, actions and repeated parts are in model.js.
"use strict";

const pages = {
  ConversationListPage: () => {
    const list = inOrder(
      state.conversations.filter(
        (c) =>
          !c.archived &&
          c.messages.length + (state.drafts[c.id] ? 1 : 0) > 0 &&
          (state.filter !== "unread" || c.unread) &&
          (state.filter !== "people" || c.person),
      ),
    );
    return h(
      "div",
      null,
      state.selected.length
        ? selectionBar()
        : ui.searchBar({
            id: "search_bar",
            placeholder: "Search messages",
            tap: () => {
              state.query = "";
              Shell.push("SearchPage");
            },
            end: ui.iconButton({
              id: "menu_overflow",
              icon: "more",
              label: "More options",
              tap: (el) =>
                ui.menu(el, [
                  { id: "menu_archived", icon: "archive", text: "Archived", tap: () => Shell.push("ArchivePage") },
                  {
                    id: "menu_all_read",
                    icon: "check",
                    text: "Mark all as read",
                    tap: () => {
                      state.conversations.forEach((c) => {
                        c.unread = 0;
                      });
                      Shell.snack("All marked as read");
                    },
                  },
                  { id: "menu_settings", icon: "settings", text: "Settings", tap: () => Shell.push("SettingsPage") },
                ]),
            }),
          }),
      h(
        "div.hscroll",
        { id: "filters", style: "padding-bottom:8px" },
        [
          ["all", "All"],
          ["unread", "Unread"],
          ["people", "People"],
        ].map(([k, t]) =>
          ui.chip({
            id: "filter_" + k,
            text: t,
            on: state.filter === k,
            tap: () => {
              state.filter = k;
              Shell.refresh();
            },
          }),
        ),
      ),
      h(
        "div.scroll",
        { id: "conversation_list", style: "padding-bottom:84px" },
        list.length ? list.map(row) : ui.empty("mail", "Nothing here"),
      ),
      ui.fab({
        id: "start_chat",
        icon: "edit",
        text: "Start chat",
        label: "Start chat",
        tap: () => {
          state.to = [];
          state.query = "";
          Shell.push("NewMessagePage");
        },
      }),
    );
  },

  ArchivePage: () =>
    h(
      "div",
      null,
      ui.appBar({ title: "Archived", back: true }),
      h(
        "div.scroll",
        { id: "archive_list" },
        state.conversations.some((c) => c.archived)
          ? inOrder(state.conversations.filter((c) => c.archived)).map(row)
          : ui.empty("archive", "No archived conversations"),
      ),
    ),

  SearchPage: () => {
    const q = state.query.trim().toLowerCase();
    const hits = q ? state.conversations.flatMap((c) => c.messages.filter((m) => m.text.toLowerCase().includes(q)).map((m) => [c, m])) : [];
    const names = q ? state.conversations.filter((c) => c.name.toLowerCase().includes(q)) : [];
    return h(
      "div",
      null,
      ui.searchBar({
        id: "search_input",
        placeholder: "Search messages",
        back: true,
        focus: true,
        value: state.query,
        change: (x) => {
          state.query = x;
          Shell.refresh();
        },
      }),
      h(
        "div.scroll",
        { id: "search_results" },
        names.length ? [ui.head("Conversations"), names.map(row)] : null,
        hits.length
          ? [
              ui.head("Messages"),
              hits.map(([c, m]) =>
                ui.row({
                  id: "message_hit_" + m.id,
                  lead: ui.tile(initial(c.name), c.hue),
                  title: c.name,
                  sub: m.text,
                  end: clockText(m.at),
                  tap: () => open(c),
                }),
              ),
            ]
          : null,
        !names.length && !hits.length && ui.empty("search", q ? "No messages found" : "Find people and words"),
      ),
    );
  },

  ThreadPage: (id) => {
    const c = conversation(id);
    if (!c) return h("div", null, ui.appBar({ title: "Conversation", back: true }), ui.empty("mail", "This conversation was deleted"));
    const input = h("textarea", {
      id: "compose_message_text",
      placeholder: "Text message",
      value: state.drafts[id] || "",
      input: (x) => {
        const had = state.drafts[id];
        if (x) state.drafts[id] = x;
        else delete state.drafts[id];
        if (!had !== !x) Shell.refresh();
        grow(document.activeElement);
      },
      rows: "1",
      "data-autofocus": !c.messages.length,
      spellcheck: "false",
    });
    if (state.settings.enterSends) input._enter = () => send(c);
    input.style.height = `${Math.min(5, (state.drafts[id] || "").split("\n").length) * 24}px`;
    const items = [];
    c.messages.forEach((m, i) => {
      const before = c.messages[i - 1],
        after = c.messages[i + 1];
      if (m.photo !== undefined)
        items.push(
          h("div.photo", {
            id: "message_" + m.id,
            label: `Photo ${PHOTOS[m.photo][0]}`,
            html: photo(PHOTOS[m.photo][1]),
            as: "android.widget.ImageView",
            hold: bubbleMenu(c, m),
          }),
        );
      else
        items.push(
          h(
            "div.bubble",
            {
              id: "message_" + m.id,
              cls: `${m.out ? "out" : "in"} ${before && before.out === m.out ? "" : "turn"} ${m.liked ? "liked" : ""}`,
              hold: bubbleMenu(c, m),
              swipe: {
                right: () => {
                  m.liked = !m.liked;
                  Shell.refresh();
                },
              },
            },
            m.text,
            m.liked && h("span.like", { id: "reaction", label: "Liked", html: svg("heartfill", 14) }),
          ),
        );
      if (!after || after.out !== m.out)
        items.push(
          h("div.meta", {
            id: "message_status",
            cls: m.out ? "" : "in",
            text: `${clockText(m.at)}${m.out ? (state.settings.receipts && after ? " · Read" : " · Sent") : ""}`,
          }),
        );
    });
    return h(
      "div",
      null,
      ui.appBar({
        title: c.name,
        id: "thread_title",
        back: true,
        tap: () => Shell.push("DetailsPage", id),
        actions: [
          {
            id: "call_button",
            icon: "call",
            label: "Call",
            tap: () =>
              ui.dialog({
                name: "CallDialog",
                title: `Call ${c.name}?`,
                body: "Calls are not part of the sample phone.",
                actions: [{ id: "button_ok", text: "OK" }],
              }),
          },
          {
            id: "menu_overflow",
            icon: "more",
            label: "More options",
            tap: (el) =>
              ui.menu(el, [
                { id: "menu_details", icon: "info", text: "Details", tap: () => Shell.push("DetailsPage", id) },
                {
                  id: "menu_mute",
                  icon: "belloff",
                  text: c.muted ? "Unmute" : "Mute",
                  tap: () => {
                    c.muted = !c.muted;
                    Shell.snack(c.muted ? "Muted" : "Notifications on");
                  },
                },
                {
                  id: "menu_archive",
                  icon: "archive",
                  text: "Archive",
                  tap: () => {
                    Shell.stack.length = 1;
                    archive([id]);
                  },
                },
                { id: "menu_delete", icon: "trash", text: "Delete", tap: () => remove([id]) },
              ]),
          },
        ],
      }),
      h(
        "div.scroll.thread",
        { id: "message_list", "data-stick": "end" },
        c.messages.length
          ? h("div.day", { id: "day_label", text: c.ago < Shell.minutes ? "Today" : whenText(c) })
          : h("div.day", { text: `New conversation with ${c.name}` }),
        items,
      ),
      h(
        "div.composer",
        null,
        ui.iconButton({
          id: "attach_button",
          icon: "add",
          label: "Attach",
          tap: () =>
            ui.sheet({
              name: "AttachSheet",
              title: "Send a photo",
              body: () =>
                h(
                  "div.grid",
                  { style: "display:grid;grid-template-columns:1fr 1fr 1fr;gap:6px;padding:4px 16px 10px" },
                  PHOTOS.map(([n, hue], i) =>
                    h("button", {
                      id: "photo_" + i,
                      label: n,
                      html: photo(hue, 120, 110),
                      style: "border-radius:14px;overflow:hidden",
                      tap: () => {
                        c.messages.push({ ...line(">", Shell.minutes), photo: i });
                        c.ago = 0;
                        Shell.close();
                      },
                    }),
                  ),
                ),
            }),
        }),
        h(
          "div.inputbox",
          null,
          input,
          ui.iconButton({
            id: "emoji_button",
            icon: "smile",
            label: "Quick replies",
            tap: () =>
              ui.sheet({
                name: "ReplySheet",
                title: "Quick replies",
                body: () =>
                  ["On my way", "Thank you!", "Call you later", "Yes, sounds good", "Sorry, not today", "Where are you?"].map((t, i) =>
                    ui.row({
                      id: "reply_" + i,
                      icon: "mail",
                      title: t,
                      tap: () => {
                        state.drafts[id] = ((state.drafts[id] || "") + " " + t).trim();
                        Shell.close();
                      },
                    }),
                  ),
              }),
          }),
        ),
        ui.iconButton({
          id: "send_message_button",
          icon: "send",
          label: "Send message",
          cls: state.drafts[id] ? "filled" : "",
          tap: () => send(c),
        }),
      ),
    );
  },

  DetailsPage: (id) => {
    const c = conversation(id),
      p = c.person && person(c.person),
      blocked = state.blocked.includes(id);
    return h(
      "div",
      null,
      ui.appBar({ title: "Details", back: true }),
      h(
        "div.scroll",
        { id: "details_list" },
        h(
          "div.empty",
          { style: "padding:16px;color:var(--text)" },
          ui.tile(initial(c.name), c.hue, 96, c.name + " picture"),
          h("div", { id: "details_name", text: c.name, style: "font-size:24px;line-height:32px" }),
          h("div.dim", { id: "details_number", text: p ? p.number : "Group or service" }),
        ),
        ui.card(
          ui.switchRow({
            id: "notifications_switch",
            icon: "bell",
            title: "Notifications",
            on: !c.muted,
            change: (x) => {
              c.muted = !x;
            },
          }),
          ui.switchRow({
            id: "pin_switch",
            icon: "pin",
            title: "Pin to the top",
            on: c.pinned,
            change: (x) => {
              c.pinned = x;
            },
          }),
        ),
        ui.card(
          ui.row({
            id: "block_button",
            icon: "close",
            title: blocked ? "Unblock" : "Block",
            tap: () => {
              if (blocked) {
                state.blocked = state.blocked.filter((x) => x !== id);
                Shell.snack("Unblocked");
              } else
                ui.confirm("BlockDialog", `Block ${c.name}?`, "You will no longer get messages from this number.", "Block", () => {
                  state.blocked.push(id);
                  Shell.snack("Blocked");
                });
            },
          }),
          ui.row({ id: "delete_button", icon: "trash", title: "Delete conversation", tap: () => remove([id]) }),
        ),
      ),
    );
  },

  NewMessagePage: () => {
    const q = state.query.trim().toLowerCase();
    const list = people.filter((p) => p.name.toLowerCase().includes(q) && !state.to.includes(p.id));
    let letter = "";
    return h(
      "div",
      null,
      ui.appBar({
        title: state.to.length ? "New group" : "New conversation",
        back: true,
        actions: state.to.length ? [{ id: "next_button", icon: "check", label: "Next", cls: "on", tap: () => startWith(state.to) }] : [],
      }),
      state.to.length
        ? h(
            "div.tochips",
            null,
            state.to.map((i) =>
              ui.chip({
                id: "recipient_" + i,
                text: person(i).name,
                on: true,
                icon: "close",
                tap: () => {
                  state.to = state.to.filter((x) => x !== i);
                  Shell.refresh();
                },
              }),
            ),
          )
        : null,
      ui.searchBar({
        id: "recipient_text",
        placeholder: "Type a name",
        focus: true,
        value: state.query,
        change: (x) => {
          state.query = x;
          Shell.refresh();
        },
        enter: () => {
          if (list.length) startWith(state.to.concat(list[0].id));
        },
      }),
      h(
        "div.scroll",
        { id: "contact_list" },
        !q &&
          !state.to.length &&
          ui.row({
            id: "create_group",
            icon: "group",
            title: "Create group",
            tap: () => {
              state.to = [people[0].id];
              Shell.refresh();
            },
          }),
        list.map((p) => {
          const head = p.name[0] !== letter && !q ? ui.head((letter = p.name[0]), "letter") : null;
          return [
            head,
            ui.row({
              id: "contact_" + p.id,
              lead: ui.tile(initial(p.name), p.hue),
              title: p.name,
              titleId: "contact_name",
              sub: p.number,
              tap: () => (state.to.length ? (state.to.push(p.id), (state.query = ""), Shell.refresh()) : startWith([p.id])),
              hold: () => {
                state.to.push(p.id);
                Shell.refresh();
              },
            }),
          ];
        }),
        !list.length && ui.empty("user", "No contact with this name"),
      ),
    );
  },

  SettingsPage: () => {
    const s = state.settings;
    const sw = (k, icon, title, sub) =>
      ui.switchRow({
        id: "setting_" + k,
        icon,
        title,
        sub,
        on: s[k],
        change: (x) => {
          s[k] = x;
        },
      });
    return h(
      "div",
      null,
      ui.appBar({ title: "Settings", back: true }),
      h(
        "div.scroll",
        { id: "settings_list" },
        ui.card(sw("sounds", "volume", "Message sounds"), sw("preview", "lock", "Preview on lock screen")),
        ui.card(
          sw("receipts", "check", "Read receipts", "Others see that you have read a message"),
          sw("swipe", "archive", "Swipe to archive"),
          sw("enterSends", "enter", "Enter sends the message"),
        ),
      ),
    );
  },
};

/** Let the text box grow with its lines, up to five. */
function grow(el) {
  if (!el || el.tagName !== "TEXTAREA") return;
  el.style.height = "24px";
  el.style.height = `${Math.min(120, el.scrollHeight)}px`;
}

Shell.start({
  pages,
  home: "ConversationListPage",
  state,
  onBack: () => {
    if (state.selected.length) {
      state.selected = [];
      return true;
    }
    return false;
  },
});
