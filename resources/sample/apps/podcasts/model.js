// Podcasts: shows, episodes, downloads and what plays next. Nothing is fetched and no sound is made.
"use strict";

const rnd = makeRandom(Shell.seed * 409 + 1);

const shows = [];
const episodes = [];
for (const [topic, { shows: names, titles }] of Object.entries(TOPICS)) {
  const drawn = rnd.shuffle(titles);
  names.forEach((name, part) => {
    const show = { id: shows.length + 1, name, topic, host: rnd.pick(HOSTS), hue: rnd.int(0, 359), shape: rnd.int(0, 3) };
    shows.push(show);
    let days = rnd.int(0, 9);
    for (const title of drawn.slice(part * 6, part * 6 + 6)) {
      episodes.push({ id: episodes.length + 1, show: show.id, title, minutes: rnd.int(14, 71), days, size: rnd.int(9, 62) });
      days += rnd.pick([3, 7, 7, 14]);
    }
  });
}
const showOf = (id) => shows.find((s) => s.id === id);
const episode = (id) => episodes.find((e) => e.id === id);
const episodesOf = (id) => episodes.filter((e) => e.show === id);

const subscribed = rnd.some(shows, rnd.int(6, 9)).map((s) => s.id);
const latest = episodes
  .filter((e) => subscribed.includes(e.show))
  .sort((a, b) => a.days - b.days || a.id - b.id)
  .slice(0, 16);
const first = rnd.pick(latest);
const others = rnd.shuffle(latest.filter((e) => e !== first)).map((e) => e.id);
const state = {
  subscribed,
  notify: subscribed.filter(() => rnd.chance(0.4)),
  latest: latest.map((e) => e.id),
  downloaded: others.slice(0, rnd.int(3, 5)),
  queue: others.slice(4, 4 + rnd.int(3, 5)),
  played: others.slice(10, 10 + rnd.int(1, 3)),
  starred: [],
  current: first.id,
  playing: rnd.chance(0.5),
  position: rnd.int(60, first.minutes * 30),
  speed: rnd.pick(["1×", "1×", "1.2×"]),
  sleep: rnd.chance(0.4) ? rnd.pick(SLEEPS) : null,
  oldestFirst: false,
  filter: "all",
  query: "",
  found: null,
  settings: {
    autoDownload: rnd.chance(0.5),
    wifiOnly: rnd.chance(0.6),
    charging: rnd.chance(0.3),
    forward: rnd.pick(SKIPS.slice(1, 4)),
    back: rnd.pick(SKIPS.slice(0, 2)),
    trim: rnd.chance(0.3),
    boost: rnd.chance(0.5),
    alerts: rnd.chance(0.7),
    usual: "1×",
    playOn: rnd.chance(0.7),
    keep: rnd.pick(KEEPS),
    storage: rnd.pick(STORAGE),
  },
};

const span = (s) =>
  (s >= 3600 ? `${Math.floor(s / 3600)}:${pad2(Math.floor(s / 60) % 60)}` : String(Math.floor(s / 60))) + ":" + pad2(s % 60);
const ago = (d) => (d === 0 ? "Today" : d === 1 ? "Yesterday" : d < 14 ? `${d} days ago` : `${Math.round(d / 7)} weeks ago`);
const has = (list, id) => list.includes(id);
const toggled = (list, id) => (has(list, id) ? list.filter((x) => x !== id) : list.concat(id));

/** Go to one of the four tabs; nothing is left to go back to. */
const go = (name) => {
  Shell.snackbar = null;
  Shell.stack = [{ name }];
  Shell.blur();
  Shell.refresh();
};

function listen(id) {
  state.queue = state.queue.filter((x) => x !== id);
  if (id !== state.current) Object.assign(state, { current: id, position: 0, speed: state.settings.usual });
  state.playing = true;
  Shell.refresh();
}

function skip(seconds) {
  state.position = Math.min(Math.max(0, state.position + seconds), episode(state.current).minutes * 60);
  Shell.refresh();
}

function enqueue(id) {
  state.queue = state.queue.filter((x) => x !== id).concat(id);
  Shell.snack("Added to Up next", "Undo", () => {
    state.queue = state.queue.filter((x) => x !== id);
  });
}

function dequeue(id) {
  const at = state.queue.indexOf(id);
  state.queue.splice(at, 1);
  Shell.snack("Removed from Up next", "Undo", () => state.queue.splice(at, 0, id));
}

function markPlayed(id) {
  const before = has(state.played, id);
  state.played = toggled(state.played, id);
  Shell.snack(before ? "Marked as not played" : "Marked as played");
}

function follow(id) {
  state.subscribed.push(id);
  Shell.snack(`Subscribed to ${showOf(id).name}`);
}

const unfollow = (id) =>
  ui.confirm("Unsubscribe", "Unsubscribe?", `New episodes of ${showOf(id).name} will no longer be listed.`, "Unsubscribe", () => {
    state.subscribed = state.subscribed.filter((x) => x !== id);
    state.notify = state.notify.filter((x) => x !== id);
    state.latest = state.latest.filter((x) => episode(x).show !== id);
    Shell.snack(`Unsubscribed from ${showOf(id).name}`);
  });

const forget = (id) =>
  ui.confirm("DeleteDownload", "Delete this download?", `“${episode(id).title}” can be downloaded again later.`, "Delete", () => {
    state.downloaded = state.downloaded.filter((x) => x !== id);
    Shell.snack("Download deleted");
  });

/** A show's picture: two letters on one of four quiet shapes. */
function art(show, size) {
  const c = (l) => `hsl(${show.hue} 46% ${l}%)`;
  const shapes = [
    `<path d="M0 62h100v38H0z" fill="${c(30)}"/>`,
    `<circle cx="82" cy="18" r="38" fill="${c(52)}"/>`,
    `<path d="M0 100L100 30v70z" fill="${c(28)}"/>`,
    `<path d="M0 0h26v100H0z" fill="${c(54)}"/>`,
  ];
  const letters = show.name
    .split(" ")
    .filter((w) => !["The", "the", "a"].includes(w))
    .map((w) => w[0])
    .join("")
    .slice(0, 2);
  const text = `<text x="50" y="66" text-anchor="middle" font-size="44" font-weight="700" fill="#fff" font-family="Roboto">${letters}</text>`;
  return h("span.art", {
    style: size ? `width:${size}px;height:${size}px` : "",
    html: `<svg viewBox="0 0 100 100"><rect width="100" height="100" fill="${c(40)}"/>${shapes[show.shape]}${text}</svg>`,
    label: "Artwork",
    as: "android.widget.ImageView",
  });
}

const episodeMenu = (e) => (el) =>
  ui.menu(
    el,
    [
      { id: "menu_up_next", icon: "queue", text: "Add to Up next", tap: () => enqueue(e.id) },
      { id: "menu_played", icon: "check", text: has(state.played, e.id) ? "Mark as not played" : "Mark as played", tap: () => markPlayed(e.id) },
      { id: "menu_show", icon: "mic", text: "Go to show", tap: () => Shell.push("ShowPage", e.show) },
    ],
    "EpisodeMenu",
  );

/** One episode of a list: it opens with a tap, offers a menu when held, and has its own play button. */
function episodeRow(e, { plain } = {}) {
  const show = showOf(e.show);
  const now = e.id === state.current;
  const marks = [ago(e.days), `${e.minutes} min`, has(state.played, e.id) && "Played"].filter(Boolean).join(" · ");
  return h(
    "div.ep",
    {
      id: "episode_" + e.id,
      cls: `${has(state.played, e.id) ? "heard" : ""}`,
      tap: () => Shell.push("EpisodePage", e.id),
      hold: episodeMenu(e),
    },
    !plain && art(show, 56),
    h(
      "div.grow",
      null,
      h("div.when", { id: "episode_date", text: marks }),
      h("div.what", { id: "episode_title", text: e.title }),
      h("div.from", { id: "episode_show", text: plain ? `${e.size} MB` : show.name }),
    ),
    has(state.downloaded, e.id) && h("span.saved", { id: "downloaded_mark", label: "Downloaded", as: "android.widget.ImageView", html: svg("download", 18) }),
    h("button.round", {
      id: "play_" + e.id,
      label: now && state.playing ? "Pause" : `Play ${e.title}`,
      as: "android.widget.ImageButton",
      html: svg(now && state.playing ? "pause" : "play", 20),
      cls: now ? "on" : "",
      tap: () => {
        if (now) {
          state.playing = !state.playing;
          Shell.refresh();
        } else listen(e.id);
      },
    }),
  );
}

/** The bar at the bottom with what is playing. */
function nowBar() {
  const e = episode(state.current);
  return h(
    "div.nowbar",
    { id: "now_bar", label: "Now playing", tap: () => Shell.push("ListenPage") },
    h("i", { style: `width:${(state.position / (e.minutes * 60)) * 100}%` }),
    art(showOf(e.show), 44),
    h("div.grow", null, h("div.what", { id: "now_title", text: e.title }), h("div.from", { id: "now_show", text: showOf(e.show).name })),
    ui.iconButton({
      id: "now_play_pause",
      icon: state.playing ? "pause" : "play",
      label: state.playing ? "Pause" : "Play",
      size: 28,
      tap: () => {
        state.playing = !state.playing;
        Shell.refresh();
      },
    }),
  );
}

const TABS = [
  ["latest", "Latest", "LatestPage"],
  ["shows", "Shows", "ShowsPage"],
  ["saved", "Saved", "SavedPage"],
  ["explore", "Explore", "ExplorePage"],
];

/** A page behind the tabs at the top; a sideways swipe goes to the neighbour. */
function tabPage(key, ...body) {
  const at = TABS.findIndex((t) => t[0] === key);
  const step = (d) => {
    if (TABS[at + d]) go(TABS[at + d][2]);
  };
  return h(
    "div",
    { id: "pager", swipe: { left: () => step(1), right: () => step(-1) } },
    ui.appBar({
      title: "Podcasts",
      actions: [
        { id: "find_episode", icon: "search", label: "Find an episode", tap: () => Shell.push("FindPage") },
        { id: "up_next", icon: "queue", label: "Up next", badge: state.queue.length || "", tap: () => Shell.push("UpNextPage") },
        { id: "preferences", icon: "settings", label: "Preferences", tap: () => Shell.push("PreferencesPage") },
      ],
    }),
    ui.tabs(
      TABS.map(([k, t]) => [k, t]),
      key,
      (k) => go(TABS.find((t) => t[0] === k)[2]),
    ),
    body,
    nowBar(),
  );
}
