// Messages: conversations, threads, composing, and list actions by long press or swipe. All names are made up.
"use strict";

const rnd = makeRandom(Shell.seed * 401 + 21);
const FIRST = [
  "Anouk",
  "Bram",
  "Celine",
  "Dario",
  "Edda",
  "Fenno",
  "Gilda",
  "Hamza",
  "Iris",
  "Jorun",
  "Kofi",
  "Lumi",
  "Mateus",
  "Nadira",
  "Otis",
  "Perla",
  "Quill",
  "Runa",
  "Silas",
  "Tove",
  "Umar",
  "Vesna",
  "Wanda",
  "Yara",
  "Zeno",
];
const LAST = [
  "Applegarth",
  "Bellweather",
  "Cloudsley",
  "Drumlin",
  "Elderfen",
  "Fogwell",
  "Greengage",
  "Hazelnook",
  "Inkpen",
  "Jellicoe",
  "Kettlewood",
  "Lanternby",
  "Marshlight",
  "Nettlefold",
  "Oakhanger",
];
const DAYNAMES = ["Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun"];
const TALKS = [
  [
    "<Are you still coming on Saturday?",
    ">Yes, I take the train at ten",
    "<Great, I will fetch you at the station",
    ">Shall I bring anything?",
    "<Just good shoes, we want to walk round the lake",
  ],
  [">Did the parcel arrive?", "<It is with the neighbours at number 14", ">Thanks, I will get it after work", "<They are home until eight"],
  [
    "<The meeting moved to 15:30",
    ">Same room?",
    "<No, the small one on the third floor",
    ">Fine, I will bring the printed plans",
    "<And the key please",
  ],
  [
    "<Dinner on Friday? I found a new noodle place",
    ">Sounds good, what time?",
    "<Half past seven, I will book a table for four",
    ">Perfect",
  ],
  [
    ">Could you water the tomatoes while we are away?",
    "<Of course. How often?",
    ">Every second day is enough",
    "<Then I want some of them in August",
    ">Deal!",
  ],
  ["<I finished the book you lent me", ">And?", "<The ending surprised me. Do you have the second part?", ">On the shelf, come and get it"],
  ["<Training is cancelled today, the hall is being cleaned", ">Oh no. Next Tuesday then?", "<Yes, same time"],
  [">Happy birthday!", "<Thank you so much! Cake is on Sunday at four", ">We will all be there", "<Bring the small ones too"],
  [
    "<Can you send me the recipe for the lentil soup?",
    ">Red lentils, two carrots, cumin, stock, lemon at the end",
    "<How long on the stove?",
    ">Twenty minutes",
  ],
  [
    "<Bike is ready. New chain and both brakes done",
    ">What do I owe you?",
    "<64 euros, you can pay by card",
    ">I will pick it up tomorrow morning",
  ],
];
const SERVICES = [
  ["Parcel Desk", ["<Your parcel will be delivered today between 13:00 and 15:00.", "<Your parcel was handed over. Thank you!"]],
  ["Dentist Dr. Pearl", ["<Reminder: your appointment is on Thursday at 9:20. Reply YES to confirm."]],
  ["Fjord Mobile", ["<You have used 80% of your data this month.", "<Your new bill of 19.90 is ready."]],
  ["Library", ["<Two loans are due in three days."]],
];

const people = rnd
  .some(FIRST, 18)
  .map((f, i) => ({ id: i + 1, name: `${f} ${rnd.pick(LAST)}`, hue: rnd.int(0, 359), number: `+00 555 01${pad2(rnd.int(0, 99))}` }))
  .sort((a, b) => (a.name < b.name ? -1 : 1));

let nextMessage = 1;
const line = (text, at) => ({ id: nextMessage++, out: text[0] === ">", text: text.slice(1), at, liked: false });
const clockText = (m) => `${Math.floor((((m % 1440) + 1440) % 1440) / 60)}:${pad2(((m % 60) + 60) % 60)}`;

const state = {
  conversations: [],
  query: "",
  selected: [],
  to: [],
  drafts: {},
  filter: "all",
  blocked: [],
  settings: { enterSends: rnd.chance(0.3), swipe: true, sounds: rnd.chance(0.7), receipts: rnd.chance(0.6), preview: true },
};
{
  let ago = rnd.int(1, 12);
  const talks = rnd.shuffle(TALKS),
    services = rnd.some(SERVICES, 3);
  rnd.some(people, 10).forEach((p, i) => {
    const add = (who, hue, texts, person) => {
      const conv = {
        id: state.conversations.length + 1,
        name: who,
        hue,
        person,
        ago,
        pinned: false,
        archived: false,
        muted: rnd.chance(0.15),
        unread: 0,
        messages: [],
      };
      let at = Shell.minutes - (ago % 1440) - texts.length * 3;
      conv.messages = texts.map((t) => line(t, (at += rnd.int(1, 4))));
      if (!conv.messages[conv.messages.length - 1].out && rnd.chance(0.5)) conv.unread = rnd.int(1, 2);
      state.conversations.push(conv);
      ago = Math.round(ago * 1.5) + rnd.int(5, 200);
    };
    const talk = talks[i];
    add(p.name, p.hue, talk.slice(0, rnd.int(2, talk.length)), p.id);
    if (i % 3 === 1) add(services[(i - 1) / 3][0], 220, services[(i - 1) / 3][1], null);
  });
  rnd.pick(state.conversations.slice(2, 6)).pinned = true;
  state.conversations[9].archived = true;
}

const person = (id) => people.find((p) => p.id === id);
const conversation = (id) => state.conversations.find((c) => c.id === id);
const initial = (name) => name[0];
const whenText = (c) =>
  c.ago < 1
    ? "Now"
    : c.ago < 60
      ? `${c.ago} min`
      : c.ago < Shell.minutes
        ? clockText(Shell.minutes - c.ago)
        : c.ago < 9000
          ? DAYNAMES[(phone.weekday + 7 - (Math.ceil((c.ago - Shell.minutes) / 1440) % 7)) % 7]
          : `${Math.min(9, Math.floor(c.ago / 10080) || 1)} wk`;
const inOrder = (list) => list.slice().sort((a, b) => b.pinned - a.pinned || a.ago - b.ago);

function withUndo(text, change) {
  const before = state.conversations.map((c) => ({ ...c }));
  change();
  state.selected = [];
  Shell.snack(text, "Undo", () => {
    state.conversations = before;
  });
}

const archive = (ids, on = true) =>
  withUndo(`${ids.length > 1 ? ids.length + " conversations" : "Conversation"} ${on ? "archived" : "moved to inbox"}`, () =>
    state.conversations.forEach((c) => {
      if (ids.includes(c.id)) c.archived = on;
    }),
  );
const remove = (ids) =>
  ui.confirm(
    "DeleteConversation",
    ids.length > 1 ? `Delete ${ids.length} conversations?` : "Delete this conversation?",
    "This removes it from this phone only.",
    "Delete",
    () => {
      if (Shell.page.name !== "ConversationListPage" && Shell.page.name !== "ArchivePage") Shell.stack.length = 1;
      withUndo(ids.length > 1 ? `${ids.length} conversations deleted` : "Conversation deleted", () => {
        state.conversations = state.conversations.filter((c) => !ids.includes(c.id));
      });
    },
  );
const pin = (ids) => {
  const on = ids.some((i) => !conversation(i).pinned);
  ids.forEach((i) => {
    conversation(i).pinned = on;
  });
  state.selected = [];
  Shell.snack(on ? "Pinned to the top" : "No longer pinned");
};

function open(c) {
  c.unread = 0;
  Shell.push("ThreadPage", c.id);
}

function row(c) {
  const last = c.messages[c.messages.length - 1];
  const picked = state.selected.includes(c.id);
  const toggle = () => {
    state.selected = picked ? state.selected.filter((x) => x !== c.id) : state.selected.concat(c.id);
    Shell.refresh();
  };
  const draft = state.drafts[c.id];
  return h(
    "div.conv",
    {
      id: "conversation_" + c.id,
      label: c.name,
      cls: `${c.unread ? "unread" : ""} ${picked ? "picked" : ""}`,
      "aria-selected": String(picked),
      tap: () => (state.selected.length ? toggle() : open(c)),
      swipe: state.settings.swipe ? { left: () => archive([c.id], !c.archived), right: () => archive([c.id], !c.archived) } : undefined,
      hold: (el) => {
        if (state.selected.length) toggle();
        else
          ui.menu(
            el,
            [
              { id: "menu_pin", icon: "pin", text: c.pinned ? "Unpin" : "Pin", tap: () => pin([c.id]) },
              {
                id: "menu_archive",
                icon: "archive",
                text: c.archived ? "Move to inbox" : "Archive",
                tap: () => archive([c.id], !c.archived),
              },
              {
                id: "menu_read",
                icon: "mail",
                text: c.unread ? "Mark as read" : "Mark as unread",
                tap: () => {
                  c.unread = c.unread ? 0 : 1;
                },
              },
              {
                id: "menu_mute",
                icon: "belloff",
                text: c.muted ? "Unmute" : "Mute",
                tap: () => {
                  c.muted = !c.muted;
                },
              },
              {
                id: "menu_select",
                icon: "check",
                text: "Select",
                tap: () => {
                  state.selected = [c.id];
                },
              },
              { id: "menu_delete", icon: "trash", text: "Delete", tap: () => remove([c.id]) },
            ],
            "ConversationMenu",
          );
      },
    },
    picked
      ? h("span.tile", { style: "width:48px;height:48px;border-radius:24px;background:var(--pri);color:var(--onpri)", html: svg("check") })
      : ui.tile(initial(c.name), c.hue, 48, c.name + " picture"),
    h(
      "div.grow",
      null,
      h(
        "div.flex",
        { style: "gap:6px" },
        h("span.nm", { id: "conversation_name", text: c.name }),
        c.muted && h("span.dim", { html: svg("belloff", 15), id: "muted_icon", label: "Muted" }),
        c.pinned && h("span.dim", { html: svg("pin", 15), id: "pinned_icon", label: "Pinned" }),
        h("span.tm", { id: "conversation_time", text: whenText(c) }),
      ),
      h(
        "div.flex",
        { style: "gap:8px;padding-top:2px" },
        h("span.pv", {
          id: "conversation_snippet",
          text: draft ? `Draft: ${draft}` : `${last && last.out ? "You: " : ""}${last ? last.text || "Photo" : "No messages"}`,
        }),
        c.unread ? h("span.dot", { id: "unread_count", text: String(c.unread) }) : null,
      ),
    ),
  );
}

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
      { id: "action_pin", icon: "pin", label: "Pin", tap: () => pin(ids) },
      { id: "action_archive", icon: "archive", label: "Archive", tap: () => archive(ids) },
      { id: "action_delete", icon: "trash", label: "Delete", tap: () => remove(ids) },
      {
        id: "action_all",
        icon: "grid",
        label: "Select all",
        tap: () => {
          state.selected = state.conversations.filter((c) => !c.archived).map((c) => c.id);
          Shell.refresh();
        },
      },
    ],
  });
}

function send(c) {
  const text = (state.drafts[c.id] || "").trim();
  if (!text) return;
  delete state.drafts[c.id];
  c.messages.push(line(">" + text, Shell.minutes));
  c.ago = 0;
  c.archived = false;
  Shell.refresh();
  for (const s of document.querySelectorAll("[data-stick=end]")) s.scrollTop = s.scrollHeight;
}

const PHOTOS = [
  ["Lake", 200],
  ["Garden", 120],
  ["Sunset", 20],
  ["Snow", 220],
  ["Desert", 40],
  ["Dusk", 280],
];
const photo = (hue, w = 220, ht = 150) =>
  `<svg width="${w}" height="${ht}" viewBox="0 0 220 150" preserveAspectRatio="xMidYMid slice"><rect width="220" height="150" fill="hsl(${hue} 70% 82%)"/><circle cx="160" cy="44" r="20" fill="hsl(${(hue + 40) % 360} 90% 92%)"/><path d="M0 110L60 50l44 44 30-26 86 62v20H0z" fill="hsl(${hue} 38% 46%)"/><path d="M0 128c60-24 150-18 220 0v22H0z" fill="hsl(${hue} 42% 32%)"/></svg>`;

function bubbleMenu(c, m) {
  return (el) =>
    ui.menu(
      el,
      [
        {
          id: "menu_like",
          icon: "heart",
          text: m.liked ? "Remove like" : "Like",
          tap: () => {
            m.liked = !m.liked;
          },
        },
        { id: "menu_copy", icon: "copy", text: "Copy", tap: () => Shell.snack("Message copied") },
        {
          id: "menu_forward",
          icon: "send",
          text: "Forward",
          tap: () => {
            state.to = [];
            state.query = "";
            state.forward = m.text;
            Shell.push("NewMessagePage");
          },
        },
        {
          id: "menu_delete",
          icon: "trash",
          text: "Delete",
          tap: () => {
            c.messages = c.messages.filter((x) => x !== m);
            Shell.snack("Message deleted");
          },
        },
      ],
      "MessageMenu",
    );
}

function startWith(ids) {
  let c = ids.length === 1 && state.conversations.find((x) => x.person === ids[0]);
  if (!c) {
    c = {
      id: Math.max(0, ...state.conversations.map((x) => x.id)) + 1,
      name: ids.map((i) => person(i).name.split(" ")[0]).join(", "),
      hue: person(ids[0]).hue,
      person: ids.length === 1 ? ids[0] : null,
      ago: 0,
      pinned: false,
      archived: false,
      muted: false,
      unread: 0,
      messages: [],
    };
    if (ids.length === 1) c.name = person(ids[0]).name;
    state.conversations.push(c);
  }
  if (state.forward) {
    state.drafts[c.id] = state.forward;
    state.forward = null;
  }
  c.archived = false;
  state.to = [];
  state.query = "";
  Shell.stack.length = 1;
  open(c);
}
