// Player: the pages. State, actions and repeated parts are in model.js.
"use strict";

const pages = {
  HomePage: () =>
    h(
      "div",
      null,
      ui.appBar({
        title: Shell.minutes < 720 ? "Good morning" : Shell.minutes < 1080 ? "Good afternoon" : "Good evening",
        actions: [
          { id: "sleep_button", icon: "moon", label: "Sleep timer", tap: openSleep, cls: state.sleep ? "on" : "" },
          { id: "settings_button", icon: "settings", label: "Settings", tap: () => Shell.push("SettingsPage") },
        ],
      }),
      h(
        "div.scroll",
        { id: "home_list" },
        h(
          "div.quick",
          null,
          h(
            "div",
            { id: "liked_songs", label: "Liked songs", tap: () => Shell.push("LikedPage") },
            cover(4),
            h("span", { text: "Liked songs" }),
          ),
          state.playlists
            .slice(0, 3)
            .map((p) =>
              h(
                "div",
                { id: "quick_playlist_" + p.id, label: p.name, tap: () => Shell.push("PlaylistPage", p.id) },
                cover(p.art),
                h("span", { text: p.name }),
              ),
            ),
          albums
            .slice(7, 9)
            .map((a) =>
              h(
                "div",
                { id: "quick_album_" + a.id, label: a.name, tap: () => Shell.push("AlbumPage", a.id) },
                cover(a.art),
                h("span", { text: a.name }),
              ),
            ),
        ),
        ui.head("New albums"),
        shelf("new_albums", albums.slice(0, 6).map(albumCard)),
        ui.head("Your playlists"),
        shelf("your_playlists", state.playlists.map(listCard)),
        ui.head("Played a lot"),
        songs.slice(3, 11).map((s) =>
          songRow(
            s,
            songs.slice(3, 11).map((x) => x.id),
          ),
        ),
      ),
      nav("home"),
    ),

  SearchPage: () => {
    const q = state.query.trim().toLowerCase(),
      hit = (t) => t.toLowerCase().includes(q);
    const found = q ? songs.filter((s) => hit(s.title) || hit(s.artist)) : [],
      lists = q ? albums.filter((a) => hit(a.name) || hit(a.artist)) : [];
    return h(
      "div",
      null,
      ui.searchBar({
        id: "search_input",
        placeholder: "Songs, artists, albums",
        value: state.query,
        change: (x) => {
          state.query = x;
          Shell.refresh();
        },
        enter: (x) => {
          if (x && !state.recent.includes(x)) state.recent.unshift(x);
          Shell.dismissedKeyboard = true;
        },
      }),
      h(
        "div.scroll",
        { id: "search_results" },
        !q && [
          ui.head("Recent"),
          state.recent.map((r, i) =>
            ui.row({
              id: "recent_" + i,
              icon: "clock",
              title: r,
              tap: () => {
                state.query = r;
                Shell.refresh();
              },
            }),
          ),
          ui.head("Artists"),
          artists.map((a, i) =>
            ui.row({
              id: "artist_" + i,
              lead: ui.tile(a.replace("The ", "")[0], (i * 67 + Shell.seed * 40) % 360),
              title: a,
              tap: () => Shell.push("ArtistPage", a),
            }),
          ),
        ],
        lists.length ? [ui.head("Albums"), shelf("album_results", lists.map(albumCard))] : null,
        found.length
          ? [
              ui.head("Songs"),
              found.map((s) =>
                songRow(
                  s,
                  found.map((x) => x.id),
                ),
              ),
            ]
          : null,
        q && !found.length && !lists.length && ui.empty("search", `Nothing found for “${state.query}”`),
      ),
      nav("search"),
    );
  },

  LibraryPage: () => {
    const tabs = ["playlists", "songs", "albums", "artists"],
      move = (d) => {
        const t = tabs[tabs.indexOf(state.tab) + d];
        if (t) {
          state.tab = t;
          Shell.refresh();
        }
      };
    const by = {
      Title: (a, b) => (a.title < b.title ? -1 : 1),
      Artist: (a, b) => (a.artist < b.artist ? -1 : a.artist > b.artist ? 1 : a.id - b.id),
      Length: (a, b) => a.length - b.length,
    }[state.sort];
    const sorted = songs.slice().sort(by);
    const body = {
      playlists: () => [
        ui.row({
          id: "liked_songs",
          lead: cover(4, "c48"),
          title: "Liked songs",
          sub: `${state.liked.length} songs`,
          tap: () => Shell.push("LikedPage"),
        }),
        state.playlists.map((p) =>
          ui.row({
            id: "playlist_" + p.id,
            lead: cover(p.art, "c48"),
            title: p.name,
            titleId: "playlist_title",
            sub: `${p.songs.length} songs`,
            tap: () => Shell.push("PlaylistPage", p.id),
            hold: listMenu(p),
          }),
        ),
      ],
      songs: () => [
        h(
          "div",
          { style: "padding:4px 8px" },
          ui.button({
            id: "sort_button",
            icon: "sort",
            text: `Sort: ${state.sort}`,
            tap: () =>
              ui.choose("SortDialog", "Sort by", ["Title", "Artist", "Length"], state.sort, (x) => {
                state.sort = x;
              }),
          }),
        ),
        sorted.map((s) =>
          songRow(
            s,
            sorted.map((x) => x.id),
          ),
        ),
      ],
      albums: () =>
        albums.map((a) =>
          ui.row({
            id: "album_" + a.id,
            lead: cover(a.art, "c48"),
            title: a.name,
            sub: `${a.artist} · ${a.year}`,
            tap: () => Shell.push("AlbumPage", a.id),
          }),
        ),
      artists: () =>
        artists.map((a, i) =>
          ui.row({
            id: "artist_" + i,
            lead: ui.tile(a.replace("The ", "")[0], (i * 67 + Shell.seed * 40) % 360, 48),
            title: a,
            sub: `${songs.filter((s) => s.artist === a).length} songs`,
            tap: () => Shell.push("ArtistPage", a),
          }),
        ),
    }[state.tab]();
    return h(
      "div",
      { id: "pager", swipe: { left: () => move(1), right: () => move(-1) } },
      ui.appBar({ title: "Library", actions: [{ id: "library_search", icon: "search", label: "Search", tap: () => go("SearchPage") }] }),
      ui.tabs(
        tabs.map((t) => [t, t[0].toUpperCase() + t.slice(1)]),
        state.tab,
        (t) => {
          state.tab = t;
          Shell.refresh();
        },
      ),
      h("div.scroll", { id: "library_" + state.tab, style: "padding:6px 0 80px" }, body),
      state.tab === "playlists" &&
        ui.fab({ id: "create_playlist", icon: "add", label: "New playlist", cls: "abovemini", tap: () => newPlaylist() }),
      nav("library"),
    );
  },

  AlbumPage: (id) => {
    const a = albumOf(id);
    return collection(
      a.name,
      `${a.artist}, ${a.year}`,
      a.art,
      songs.filter((s) => s.album === id).map((s) => s.id),
    );
  },
  ArtistPage: (name) => {
    const mine = songs.filter((s) => s.artist === name).map((s) => s.id);
    return collection(name, "Artist", song(mine[0]).art + 2, mine);
  },
  LikedPage: () => collection("Liked songs", "Playlist", 4, state.liked),
  PlaylistPage: (id) => {
    const p = state.playlists.find((x) => x.id === id);
    return p
      ? collection(p.name, "Playlist", p.art, p.songs, p, listMenu(p))
      : h("div", null, ui.appBar({ title: "Playlist", back: true }), ui.empty("music", "This playlist was deleted"));
  },

  NowPlayingPage: () => {
    const s = song(state.current),
      on = state.liked.includes(s.id),
      modes = ["off", "all", "one"];
    return h(
      "div.playing",
      { style: `--ch:${coverSvg(s.art).hue}`, swipe: { down: () => Shell.pop() } },
      ui.appBar({
        title: albumOf(s.album).name,
        lead: ui.iconButton({ id: "collapse", icon: "down", label: "Collapse", tap: () => Shell.pop() }),
        actions: [{ id: "song_menu", icon: "more", label: "More options", tap: songMenu(s) }],
      }),
      h(
        "div.scroll",
        { id: "now_playing" },
        h(
          "div",
          {
            id: "cover_pager",
            swipe: {
              left: next,
              right: () => {
                state.position = 0;
                previous();
              },
            },
          },
          cover(s.art, "big"),
        ),
        h(
          "div.flex",
          { style: "padding:0 14px 10px 28px" },
          h(
            "div.grow",
            null,
            h("div", { id: "song_title", text: s.title, style: "font-size:25px;line-height:32px;font-weight:500" }),
            h("div.dim", { id: "song_artist", text: s.artist, style: "font-size:16px", tap: () => Shell.push("ArtistPage", s.artist) }),
          ),
          ui.iconButton({
            id: "like_button",
            icon: on ? "heartfill" : "heart",
            cls: on ? "on" : "",
            label: on ? "Unlike" : "Like",
            size: 28,
            tap: () => like(s.id),
          }),
        ),
        h(
          "div.flex",
          null,
          ui.slider({
            id: "seek_bar",
            label: "Position",
            value: state.position,
            max: s.length,
            text: mmss(state.position),
            change: (x) => {
              state.position = x;
            },
          }),
        ),
        h(
          "div.times",
          null,
          h("span", { id: "position", text: mmss(state.position) }),
          h("span", { id: "duration", text: mmss(s.length) }),
        ),
        h(
          "div.transport",
          null,
          ui.iconButton({
            id: "shuffle",
            icon: "shuffle",
            label: `Shuffle ${state.shuffle ? "on" : "off"}`,
            cls: state.shuffle ? "on" : "",
            tap: () => {
              state.shuffle = !state.shuffle;
              if (state.shuffle) state.queue = makeRandom(state.current + Shell.seed).shuffle(state.queue);
              Shell.snack(state.shuffle ? "Shuffle on" : "Shuffle off");
            },
          }),
          ui.iconButton({ id: "previous", icon: "prev", label: "Previous", size: 34, tap: previous }),
          ui.iconButton({
            id: "play_pause",
            icon: state.playing ? "pause" : "play",
            label: state.playing ? "Pause" : "Play",
            cls: "filled main",
            size: 36,
            tap: () => {
              state.playing = !state.playing;
              Shell.refresh();
            },
          }),
          ui.iconButton({ id: "next", icon: "next", label: "Next", size: 34, tap: next }),
          ui.iconButton({
            id: "repeat",
            icon: "repeat",
            label: `Repeat ${state.repeat}`,
            cls: state.repeat === "off" ? "" : "on",
            badge: state.repeat === "one" ? "1" : "",
            tap: () => {
              state.repeat = modes[(modes.indexOf(state.repeat) + 1) % 3];
              Shell.snack(`Repeat ${state.repeat}`);
            },
          }),
        ),
        h(
          "div.foot",
          null,
          ui.iconButton({ id: "sleep_button", icon: "moon", label: "Sleep timer", cls: state.sleep ? "on" : "", tap: openSleep }),
          ui.iconButton({ id: "equaliser_button", icon: "sliders", label: "Equaliser", tap: () => Shell.push("EqualiserPage") }),
          ui.iconButton({ id: "add_to_playlist", icon: "add", label: "Add to playlist", tap: () => addTo(s.id) }),
          ui.iconButton({ id: "queue_button", icon: "queue", label: "Queue", tap: () => Shell.push("QueuePage") }),
        ),
        ui.head("Up next"),
        state.queue.slice(0, 2).map((i) => songRow(song(i))),
      ),
    );
  },

  QueuePage: () =>
    h(
      "div",
      null,
      ui.appBar({
        title: "Queue",
        back: true,
        actions: [
          {
            id: "clear_queue",
            icon: "trash",
            label: "Clear queue",
            tap: () =>
              ui.confirm("ClearQueue", "Clear the queue?", "The current song goes on playing.", "Clear", () => {
                state.queue = [];
              }),
          },
        ],
      }),
      h(
        "div.scroll",
        { id: "queue_list" },
        ui.head("Now playing"),
        songRow(song(state.current)),
        ui.head("Up next"),
        state.queue.map((i, at) => {
          const s = song(i);
          const drop = () => {
            state.queue.splice(at, 1);
            Shell.snack("Removed from queue", "Undo", () => state.queue.splice(at, 0, i));
          };
          return ui.row({
            id: "queue_" + i,
            lead: cover(s.art, "c48"),
            title: s.title,
            titleId: "song_title",
            sub: s.artist,
            tap: () => {
              state.queue.splice(at, 1);
              history.push(state.current);
              play(i);
            },
            swipe: { left: drop, right: drop },
            end: h(
              "span.flex",
              { style: "gap:0" },
              ui.iconButton({
                id: "move_up_" + i,
                icon: "up",
                label: "Move up",
                tap: () => {
                  if (at) {
                    state.queue.splice(at, 1);
                    state.queue.splice(at - 1, 0, i);
                    Shell.refresh();
                  }
                },
              }),
              ui.iconButton({ id: "remove_" + i, icon: "close", label: "Remove", tap: drop }),
            ),
          });
        }),
        !state.queue.length && ui.empty("queue", "The queue is empty"),
      ),
      mini(),
    ),

  EqualiserPage: () => {
    const e = state.eq,
      names = ["60", "150", "400", "1k", "2.4k", "15k"];
    const band = (i) => {
      const pct = ((e.bands[i] + 10) / 20) * 100;
      return h(
        "div.band",
        null,
        h("span", { id: "gain_" + i, text: `${e.bands[i] > 0 ? "+" : ""}${e.bands[i]}` }),
        h(
          "div.v",
          {
            id: "band_" + i,
            label: `${names[i]} Hz`,
            role: "slider",
            "aria-valuenow": e.bands[i],
            drag: (x, y, el, done) => {
              const b = el.getBoundingClientRect(),
                part = Math.min(1, Math.max(0, 1 - (y - b.top) / b.height));
              el.querySelector(".fill").style.height = part * 100 + "%";
              el.querySelector("b").style.top = (1 - part) * 100 + "%";
              if (done && e.on) {
                e.bands[i] = Math.round(part * 20 - 10);
                e.preset = "Custom";
              }
              if (done) Shell.refresh();
            },
          },
          h("i"),
          h("i.fill", { style: `height:${pct}%;bottom:0` }),
          h("b", { style: `top:${100 - pct}%` }),
        ),
        h("span", { text: names[i] }),
      );
    };
    return h(
      "div",
      null,
      ui.appBar({ title: "Equaliser", back: true }),
      h(
        "div.scroll",
        { id: "equaliser" },
        ui.card(
          ui.switchRow({
            id: "equaliser_switch",
            icon: "sliders",
            title: "Use equaliser",
            on: e.on,
            change: (x) => {
              e.on = x;
            },
          }),
        ),
        h(
          "div.hscroll",
          { id: "presets", style: "padding-bottom:16px" },
          ["Custom", ...Object.keys(PRESETS)].map((p) =>
            ui.chip({
              id: "preset_" + p.toLowerCase(),
              text: p,
              on: e.preset === p,
              tap: () => {
                e.preset = p;
                if (PRESETS[p]) e.bands = PRESETS[p].slice();
                e.on = true;
                Shell.refresh();
              },
            }),
          ),
        ),
        h("div.bands", { style: e.on ? "" : "opacity:.4" }, [0, 1, 2, 3, 4, 5].map(band)),
        ui.head("Bass boost"),
        h(
          "div.flex.pad",
          null,
          ui.icon("volume"),
          ui.slider({
            id: "bass_boost",
            label: "Bass boost",
            value: e.bass,
            change: (x) => {
              e.bass = x;
            },
          }),
        ),
      ),
    );
  },

  SettingsPage: () =>
    h(
      "div",
      null,
      ui.appBar({ title: "Settings", back: true }),
      h(
        "div.scroll",
        { id: "settings_list" },
        ui.card(
          ui.row({
            id: "equaliser_setting",
            icon: "sliders",
            title: "Equaliser",
            sub: state.eq.on ? state.eq.preset : "Off",
            tap: () => Shell.push("EqualiserPage"),
          }),
          ui.row({
            id: "sleep_setting",
            icon: "moon",
            title: "Sleep timer",
            sub: state.sleep ? `${state.sleep} minutes` : "Off",
            tap: openSleep,
          }),
          ui.switchRow({
            id: "data_saver",
            icon: "data",
            title: "Save data",
            sub: "Lower quality on mobile networks",
            on: state.data,
            change: (x) => {
              state.data = x;
            },
          }),
        ),
      ),
    ),
};

// The song goes on while the phone's own clock runs; at its end the next one starts.
Shell.listeners.push((ms) => {
  if (!state.playing) return;
  state.position += Math.round(ms / 1000);
  const s = song(state.current);
  if (state.position >= s.length) {
    const q = state.repeat === "one" ? s.id : state.queue.shift();
    state.position = 0;
    if (q === undefined) state.playing = false;
    else {
      if (q !== s.id) {
        history.push(s.id);
        if (state.repeat === "all") state.queue.push(s.id);
      }
      state.current = q;
    }
  }
});
Shell.start({ pages, home: "HomePage", state });
