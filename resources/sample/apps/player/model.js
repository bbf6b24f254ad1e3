// Player: library, playlists, now playing with a queue, search, sleep timer and equaliser. No sound is made.
"use strict";

const rnd = makeRandom(Shell.seed * 503 + 33);
const A = [
  "Paper",
  "Northern",
  "Velvet",
  "Slow",
  "Copper",
  "Glass",
  "Midnight",
  "Salt",
  "Hollow",
  "Golden",
  "Electric",
  "Quiet",
  "Distant",
  "Amber",
  "Broken",
  "Winter",
  "Neon",
  "Silver",
];
const B = [
  "Lanterns",
  "Harbour",
  "Machine",
  "Gardens",
  "Weather",
  "Signals",
  "Rivers",
  "Orchard",
  "Parade",
  "Satellites",
  "Windows",
  "Tides",
  "Radio",
  "Engines",
  "Meadow",
  "Mirrors",
  "Atlas",
  "Kites",
];
const ARTISTS = [
  "The Paper Foxes",
  "Marlow & Finch",
  "Isa Quill",
  "Northbound Trio",
  "Kettle Drum Club",
  "Oda Vale",
  "Silent Ferry",
  "Mono Lake Choir",
  "Tin Harbour",
  "Lune Ardent",
];
const LISTS = [
  "Morning run",
  "Slow Sunday",
  "Focus",
  "Kitchen dance",
  "Rainy train",
  "Late drive",
  "Piano only",
  "Party 2020s",
  "Garden work",
  "Guitar evening",
];
const mmss = (s) => `${Math.floor(s / 60)}:${pad2(s % 60)}`;

/** Album art drawn from a number: five ways to fill a square with two or three hues. */
function coverSvg(n) {
  const r = makeRandom(n * 131 + 7),
    hue = r.int(0, 359),
    other = (hue + r.pick([40, 150, 200, 320])) % 360;
  const c = (hh, l, s = 58) => `hsl(${hh % 360} ${s}% ${l}%)`;
  const kinds = [
    () =>
      [70, 52, 34, 16]
        .map((q, i) => `<circle cx="${50 + i * 4}" cy="${62 - i * 5}" r="${q}" fill="${c(i % 2 ? other : hue, 30 + i * 14)}"/>`)
        .join(""),
    () =>
      [0, 1, 2, 3, 4, 5]
        .map((i) => `<path d="M-10 ${20 + i * 16}q30-24 60 0t60 0v90H-10z" fill="${c(i % 2 ? hue : other, 66 - i * 8)}"/>`)
        .join(""),
    () =>
      `<circle cx="${r.int(30, 70)}" cy="38" r="22" fill="${c(other, 76)}"/><path d="M0 100L30 48l22 30 18-24 30 46z" fill="${c(hue, 22)}"/><path d="M0 100l50-26 50 26z" fill="${c(hue, 34)}"/>`,
    () =>
      Array.from(
        { length: 16 },
        (_, i) =>
          `<path d="M${(i % 4) * 25} ${Math.floor(i / 4) * 25}${r.pick(["h25v25z", "v25h25z", "h25l-25 25z", "m25 0v25h-25z"])}" fill="${c(r.chance(0.5) ? hue : other, r.int(35, 78))}"/>`,
      ).join(""),
    () =>
      Array.from(
        { length: 7 },
        (_, i) =>
          `<rect x="${8 + i * 12}" y="${r.int(14, 60)}" width="8" height="90" rx="4" fill="${c(i % 3 ? other : hue, 50 + (i % 3) * 14)}"/>`,
      ).join(""),
  ];
  return { hue, svg: `<svg viewBox="0 0 100 100"><rect width="100" height="100" fill="${c(hue, 44)}"/>${kinds[n % 5]()}</svg>` };
}

const cover = (n, cls) => h("span.cover", { cls, html: coverSvg(n).svg, label: "Cover", as: "android.widget.ImageView" });

const artists = rnd.some(ARTISTS, 6),
  left = rnd.shuffle(A),
  right = rnd.shuffle(B);
const albums = Array.from({ length: 9 }, (_, i) => ({
  id: i + 1,
  name: `${left[i]} ${right[i]}`,
  artist: artists[i % 6],
  year: rnd.int(2011, 2025),
  art: Shell.seed * 17 + i * 3 + i,
}));
const songs = [];
for (const album of albums) {
  const titles = rnd
    .some(A, 5)
    .map((a) =>
      rnd.chance(0.5)
        ? `${a} ${rnd.pick(B)}`
        : rnd.pick([`${a} Morning`, `Into the ${rnd.pick(B)}`, `${a} Heart`, `Leaving ${rnd.pick(B)}`, `${a} Again`]),
    );
  for (const title of titles.filter((t, i) => titles.indexOf(t) === i))
    songs.push({ id: songs.length + 1, title, artist: album.artist, album: album.id, art: album.art, length: rnd.int(125, 330) });
}
const song = (id) => songs.find((s) => s.id === id);
const albumOf = (id) => albums.find((a) => a.id === id);

const first = rnd.pick(songs).id;
const state = {
  current: first,
  playing: rnd.chance(0.5),
  position: rnd.int(12, 110),
  shuffle: rnd.chance(0.3),
  repeat: rnd.pick(["off", "off", "all", "one"]),
  queue: rnd
    .some(
      songs.filter((s) => s.id !== first),
      8,
    )
    .map((s) => s.id),
  liked: rnd.some(songs, 6).map((s) => s.id),
  playlists: rnd
    .some(LISTS, 5)
    .map((name, i) => ({ id: i + 1, name, art: Shell.seed * 23 + 100 + i, songs: rnd.some(songs, rnd.int(8, 16)).map((s) => s.id) })),
  tab: "playlists",
  query: "",
  sleep: null,
  recent: rnd.some(artists, 2),
  eq: { on: rnd.chance(0.6), preset: "Custom", bands: Array.from({ length: 6 }, () => rnd.int(-6, 6)), bass: rnd.int(0, 80) },
  sort: "Title",
  data: rnd.chance(0.5),
  draft: "",
};
const PRESETS = {
  Flat: [0, 0, 0, 0, 0, 0],
  Rock: [5, 3, -1, 1, 4, 5],
  Jazz: [3, 1, 2, 2, -1, 3],
  Voice: [-4, -1, 4, 5, 2, -2],
  Bass: [8, 6, 2, 0, 0, 1],
};

const go = (name) => {
  Shell.snackbar = null;
  Shell.stack = [{ name }];
  Shell.blur();
  Shell.refresh();
};
function play(id, list) {
  Object.assign(state, { current: id, position: 0, playing: true });
  if (list) state.queue = list.slice(list.indexOf(id) + 1).concat(list.slice(0, list.indexOf(id)));
  Shell.refresh();
}
const history = [];
function next() {
  history.push(state.current);
  const q = state.queue.shift();
  if (q !== undefined) {
    state.queue.push(state.current);
    play(q);
  }
}
function previous() {
  const p = history.pop();
  if (p !== undefined && state.position < 10) {
    state.queue = [state.current, ...state.queue.filter((x) => x !== p)];
    play(p);
  } else {
    state.position = 0;
    Shell.refresh();
  }
}
function like(id) {
  const on = state.liked.includes(id);
  state.liked = on ? state.liked.filter((x) => x !== id) : state.liked.concat(id);
  Shell.snack(on ? "Removed from liked songs" : "Added to liked songs");
}

function newPlaylist(withSong) {
  state.draft = "";
  ui.dialog({
    name: "NewPlaylist",
    title: "New playlist",
    body: () =>
      ui.field({
        id: "playlist_name",
        label: "Name",
        value: state.draft,
        focus: true,
        max: 30,
        change: (x) => {
          state.draft = x;
          Shell.refresh();
        },
      }),
    actions: [
      { id: "button_cancel", text: "Cancel" },
      {
        id: "button_ok",
        text: "Create",
        disabled: () => !state.draft.trim(),
        tap: () => {
          state.playlists.push({
            id: Math.max(0, ...state.playlists.map((p) => p.id)) + 1,
            name: state.draft.trim(),
            art: Shell.seed * 23 + 140 + state.playlists.length,
            songs: withSong ? [withSong] : [],
          });
          Shell.snack(`Playlist “${state.draft.trim()}” created`);
        },
      },
    ],
  });
}
const addTo = (id) =>
  ui.sheet({
    name: "AddToPlaylist",
    title: "Add to playlist",
    body: () => [
      ui.row({
        id: "new_playlist",
        icon: "add",
        title: "New playlist",
        tap: () => {
          Shell.layers.pop();
          newPlaylist(id);
        },
      }),
      state.playlists.map((p) =>
        ui.row({
          id: "playlist_" + p.id,
          lead: cover(p.art, "c48"),
          title: p.name,
          sub: `${p.songs.length} songs`,
          tap: () => {
            Shell.layers.pop();
            if (!p.songs.includes(id)) p.songs.push(id);
            Shell.snack(`Added to ${p.name}`);
          },
        }),
      ),
    ],
  });

function songMenu(s, list) {
  return (el) =>
    ui.menu(
      el,
      [
        {
          id: "menu_next",
          icon: "next",
          text: "Play next",
          tap: () => {
            state.queue = [s.id, ...state.queue.filter((x) => x !== s.id)];
            Shell.snack("Plays next");
          },
        },
        {
          id: "menu_queue",
          icon: "queue",
          text: "Add to queue",
          tap: () => {
            state.queue = state.queue.filter((x) => x !== s.id).concat(s.id);
            Shell.snack("Added to queue");
          },
        },
        { id: "menu_playlist", icon: "add", text: "Add to playlist", tap: () => addTo(s.id) },
        { id: "menu_like", icon: "heart", text: state.liked.includes(s.id) ? "Unlike" : "Like", tap: () => like(s.id) },
        { id: "menu_album", icon: "album", text: "Go to album", tap: () => Shell.push("AlbumPage", s.album) },
        ...(list && list.songs
          ? [
              {
                id: "menu_remove",
                icon: "trash",
                text: "Remove from playlist",
                tap: () => {
                  list.songs = list.songs.filter((x) => x !== s.id);
                  Shell.snack("Removed from playlist");
                },
              },
            ]
          : []),
      ],
      "SongMenu",
    );
}

const songRow = (s, ids, list) =>
  ui.row({
    id: "song_" + s.id,
    lead: cover(s.art, "c48"),
    title: s.title,
    titleId: "song_title",
    sub: `${s.artist} · ${mmss(s.length)}`,
    subId: "song_artist",
    label: s.title,
    cls: s.id === state.current ? "now" : "",
    tap: () => play(s.id, ids),
    hold: songMenu(s, list),
    end: ui.iconButton({ id: "song_menu_" + s.id, icon: "more", label: `Options for ${s.title}`, tap: songMenu(s, list) }),
  });

function mini() {
  const s = song(state.current);
  return h(
    "div.mini",
    {
      id: "mini_player",
      label: "Now playing",
      tap: () => Shell.push("NowPlayingPage"),
      swipe: { left: next, right: previous, up: () => Shell.push("NowPlayingPage") },
    },
    cover(s.art),
    h("div.grow", null, h("div.nm", { id: "mini_title", text: s.title }), h("div.by", { id: "mini_artist", text: s.artist })),
    ui.iconButton({
      id: "mini_play",
      icon: state.playing ? "pause" : "play",
      label: state.playing ? "Pause" : "Play",
      tap: () => {
        state.playing = !state.playing;
        Shell.refresh();
      },
    }),
    ui.iconButton({ id: "mini_next", icon: "next", label: "Next", tap: next }),
    h("i", { style: `width:${(state.position / s.length) * 100}%` }),
  );
}
const nav = (key) => [
  mini(),
  ui.bottomNav(
    [
      ["home", "Home", "home"],
      ["search", "Search", "search"],
      ["library", "Library", "album"],
    ],
    key,
    (k) => go({ home: "HomePage", search: "SearchPage", library: "LibraryPage" }[k]),
  ),
];
const shelf = (id, items) => h("div.hscroll.shelf", { id }, items);
const albumCard = (a) =>
  h(
    "div.item",
    { id: "album_" + a.id, label: a.name, tap: () => Shell.push("AlbumPage", a.id) },
    cover(a.art),
    h("div.nm", { id: "album_name", text: a.name }),
    h("div.by", { id: "album_artist", text: a.artist }),
  );
const listCard = (p) =>
  h(
    "div.item",
    { id: "playlist_" + p.id, label: p.name, tap: () => Shell.push("PlaylistPage", p.id), hold: listMenu(p) },
    cover(p.art),
    h("div.nm", { id: "playlist_title", text: p.name }),
    h("div.by", { id: "playlist_count", text: `${p.songs.length} songs` }),
  );

function listMenu(p) {
  const leave = () => {
    if (Shell.page.name === "PlaylistPage") Shell.stack.pop();
  };
  return (el) =>
    ui.menu(
      el,
      [
        {
          id: "menu_play",
          icon: "play",
          text: "Play",
          tap: () => {
            if (p.songs.length) play(p.songs[0], p.songs);
          },
        },
        {
          id: "menu_rename",
          icon: "edit",
          text: "Rename",
          tap: () => {
            let name = p.name;
            ui.dialog({
              name: "RenamePlaylist",
              title: "Rename playlist",
              body: () =>
                ui.field({
                  id: "playlist_name",
                  label: "Name",
                  value: name,
                  focus: true,
                  max: 30,
                  change: (x) => {
                    name = x;
                  },
                }),
              actions: [
                { id: "button_cancel", text: "Cancel" },
                {
                  id: "button_ok",
                  text: "Rename",
                  tap: () => {
                    if (!name.trim()) return false;
                    p.name = name.trim();
                  },
                },
              ],
            });
          },
        },
        {
          id: "menu_delete",
          icon: "trash",
          text: "Delete",
          tap: () =>
            ui.confirm("DeletePlaylist", `Delete “${p.name}”?`, "The songs stay in your library.", "Delete", () => {
              leave();
              const at = state.playlists.indexOf(p);
              state.playlists.splice(at, 1);
              Shell.snack("Playlist deleted", "Undo", () => state.playlists.splice(at, 0, p));
            }),
        },
      ],
      "PlaylistMenu",
    );
}

function collection(title, sub, art, ids, list, menu) {
  const total = ids.reduce((n, i) => n + song(i).length, 0);
  return h(
    "div",
    null,
    ui.appBar({ title: "", back: true, actions: menu ? [{ id: "menu_overflow", icon: "more", label: "More options", tap: menu }] : [] }),
    h(
      "div.scroll",
      { id: "song_list" },
      h(
        "div.hero",
        null,
        cover(art),
        h("div", { id: "collection_title", text: title, style: "font-size:24px;line-height:30px" }),
        h("div.dim", { id: "collection_info", text: `${sub} · ${ids.length} songs, ${Math.round(total / 60)} min` }),
      ),
      h(
        "div.flex",
        { style: "justify-content:center;padding:6px 16px 12px" },
        ui.button({ id: "play_all", text: "Play", icon: "play", kind: "filled", disabled: !ids.length, tap: () => play(ids[0], ids) }),
        ui.button({
          id: "shuffle_all",
          text: "Shuffle",
          icon: "shuffle",
          kind: "tonal",
          disabled: !ids.length,
          tap: () => {
            state.shuffle = true;
            const order = makeRandom(Shell.seed + ids.length).shuffle(ids);
            play(order[0], order);
          },
        }),
      ),
      ids.length ? ids.map((i) => songRow(song(i), ids, list)) : ui.empty("music", "No songs yet"),
    ),
    mini(),
  );
}

function openSleep() {
  ui.sheet({
    name: "SleepTimer",
    title: "Sleep timer",
    body: () =>
      [5, 15, 30, 45, 60]
        .map((m) =>
          ui.row({
            id: "sleep_" + m,
            icon: "timer",
            title: `${m} minutes`,
            end: state.sleep === m ? ui.icon("check") : null,
            tap: () => {
              state.sleep = m;
              Shell.layers.pop();
              Shell.snack(`Music stops in ${m} minutes`);
            },
          }),
        )
        .concat(
          ui.row({
            id: "sleep_off",
            icon: "close",
            title: "Off",
            tap: () => {
              state.sleep = null;
              Shell.layers.pop();
              Shell.snack("Sleep timer off");
            },
          }),
        ),
  });
}
