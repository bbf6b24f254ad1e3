// Podcasts: what is playing, what comes next, and the preferences.
"use strict";

function openSpeed() {
  ui.sheet({
    name: "SpeedSheet",
    title: "Playback speed",
    body: () =>
      h(
        "div.steps.pad",
        { style: "padding-bottom:14px" },
        SPEEDS.map((v) =>
          h("button", {
            id: "speed_" + v.replace("×", "").replace(".", "_"),
            text: v,
            cls: v === state.speed ? "on" : "",
            "aria-selected": String(v === state.speed),
            tap: () => {
              state.speed = v;
              Shell.layers.pop();
              Shell.snack(`Speed ${v}`);
            },
          }),
        ),
      ),
  });
}

function openSleep() {
  const set = (minutes, text) => () => {
    state.sleep = minutes;
    Shell.layers.pop();
    Shell.snack(text);
  };
  ui.sheet({
    name: "SleepSheet",
    title: state.sleep ? `Stops in ${state.sleep} minutes` : "Stop playing after",
    body: () => [
      SLEEPS.map((m) =>
        ui.row({ id: "sleep_" + m, icon: "clock", title: `${m} minutes`, tap: set(m, `Stops in ${m} minutes`) }),
      ),
      state.sleep ? ui.row({ id: "sleep_off", icon: "close", title: "Turn the timer off", tap: set(null, "Sleep timer off") }) : null,
    ],
  });
}

const listenPages = {
  ListenPage: () => {
    const e = episode(state.current);
    const s = showOf(e.show);
    const [back, forward] = [state.settings.back, state.settings.forward].map((x) => parseInt(x, 10));
    const jump = (id, icon, label, seconds) =>
      h(
        "button.ib",
        { id, label: `${label} ${Math.abs(seconds)} seconds`, as: "android.widget.ImageButton", tap: () => skip(seconds) },
        ui.icon(icon, 34),
        h("small", { text: String(Math.abs(seconds)) }),
      );
    const tool = (id, top, text, tap, on) => h("button", { id, cls: on ? "on" : "", tap }, top, h("span", { text }));
    return h(
      "div.listen",
      { swipe: { down: () => Shell.pop() }, id: "listen_page" },
      ui.appBar({
        title: "Now playing",
        lead: ui.iconButton({ id: "close_player", icon: "down", label: "Close player", tap: () => Shell.pop() }),
      }),
      h(
        "div.scroll",
        { id: "listen_view" },
        h("div.cover", null, art(s, 216)),
        h("h2", { id: "listen_title", text: e.title }),
        h("div.by", { id: "listen_show", text: s.name, tap: () => Shell.push("ShowPage", s.id) }),
        h(
          "div.flex",
          null,
          ui.slider({
            id: "episode_position",
            label: "Position",
            value: state.position,
            max: e.minutes * 60,
            text: span(state.position),
            change: (x) => {
              state.position = x;
            },
          }),
        ),
        h("div.span", null, h("span", { text: span(state.position) }), h("span", { text: `-${span(e.minutes * 60 - state.position)}` })),
        h(
          "div.knobs",
          null,
          jump("jump_back", "skipback", "Back", -back),
          ui.iconButton({
            id: "listen_toggle",
            icon: state.playing ? "pause" : "play",
            label: state.playing ? "Pause" : "Play",
            cls: "filled main",
            size: 40,
            tap: () => {
              state.playing = !state.playing;
              Shell.refresh();
            },
          }),
          jump("jump_ahead", "skipahead", "Ahead", forward),
        ),
        h(
          "div.strip4",
          null,
          tool("playback_speed", h("b", { text: state.speed }), "Speed", openSpeed, state.speed !== "1×"),
          tool("stop_timer", ui.icon("moon"), state.sleep ? `${state.sleep} min` : "Sleep", openSleep, state.sleep),
          tool("open_up_next", ui.icon("queue"), "Up next", () => Shell.push("UpNextPage")),
        ),
        ui.head("About this episode"),
        h("div.story", { id: "listen_notes", text: `${s.host} on ${e.title.toLowerCase()}. ${e.minutes} minutes, ${ago(e.days).toLowerCase()}.` }),
      ),
    );
  },

  UpNextPage: () =>
    h(
      "div",
      null,
      ui.appBar({
        title: "Up next",
        back: true,
        actions: [
          {
            id: "clear_up_next",
            icon: "trash",
            label: "Clear all",
            tap: () =>
              ui.confirm("ClearUpNext", "Clear Up next?", "The episode that is playing goes on.", "Clear", () => {
                state.queue = [];
                Shell.snack("Up next cleared");
              }),
          },
        ],
      }),
      h(
        "div.scroll",
        { id: "up_next_list" },
        state.queue.map((i, at) => {
          const e = episode(i);
          return ui.row({
            id: "next_" + i,
            lead: art(showOf(e.show), 48),
            title: e.title,
            titleId: "episode_title",
            sub: `${showOf(e.show).name} · ${e.minutes} min`,
            tap: () => listen(i),
            swipe: { left: () => dequeue(i) },
            end: at
              ? ui.iconButton({
                  id: "to_top_" + i,
                  icon: "up",
                  label: `Move ${e.title} to the top`,
                  tap: () => {
                    state.queue = [i, ...state.queue.filter((x) => x !== i)];
                    Shell.refresh();
                  },
                })
              : null,
          });
        }),
        !state.queue.length && ui.empty("queue", "Nothing comes next"),
      ),
      nowBar(),
    ),

  PreferencesPage: () => {
    const set = state.settings;
    const choice = (id, icon, title, key, options) =>
      ui.row({
        id,
        icon,
        title,
        sub: set[key],
        tap: () =>
          ui.choose(title.replace(/ /g, "") + "Dialog", title, options, set[key], (v) => {
            set[key] = v;
          }),
      });
    const flip = (id, icon, title, sub, key) =>
      ui.switchRow({
        id,
        icon,
        title,
        sub,
        on: set[key],
        change: (v) => {
          set[key] = v;
        },
      });
    return h(
      "div",
      null,
      ui.appBar({ title: "Preferences", back: true }),
      h(
        "div.scroll",
        { id: "preferences_list" },
        ui.head("Playback"),
        choice("skip_ahead_length", "skipahead", "Skip ahead by", "forward", SKIPS),
        choice("skip_back_length", "skipback", "Skip back by", "back", SKIPS),
        flip("trim_silence", "sliders", "Trim silence", "Shortens long pauses", "trim"),
        flip("boost_voices", "volume", "Boost voices", "Makes quiet speakers louder", "boost"),
        choice("usual_speed", "play", "Speed of new episodes", "usual", SPEEDS),
        flip("play_on", "queue", "Keep playing", "Goes on with Up next", "playOn"),
        ui.head("Downloads"),
        flip("auto_download", "download", "Auto-download", "New episodes of your shows", "autoDownload"),
        flip("wifi_only", "wifi", "Only on Wi-Fi", "Never uses mobile data", "wifiOnly"),
        flip("charging_only", "battery", "Only while charging", "", "charging"),
        choice("delete_played", "trash", "Delete played episodes", "keep", KEEPS),
        choice("storage_limit", "storage", "Storage limit", "storage", STORAGE),
        ui.head("More"),
        flip("all_alerts", "bell", "Notifications", "When a show you follow has news", "alerts"),
        ui.row({
          id: "clear_history",
          icon: "restart",
          title: "Clear listening history",
          sub: `${state.played.length} played ${state.played.length === 1 ? "episode" : "episodes"}`,
          tap: () =>
            ui.confirm("ClearHistory", "Clear listening history?", "All episodes will count as not played.", "Clear", () => {
              state.played = [];
              Shell.snack("Listening history cleared");
            }),
        }),
      ),
    );
  },
};
