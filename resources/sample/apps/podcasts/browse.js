// Podcasts: the pages on which shows and episodes are found.
"use strict";

const FILTERS = [
  ["all", "All", () => true],
  ["new", "Not played", (e) => !has(state.played, e.id)],
  ["saved", "Downloaded", (e) => has(state.downloaded, e.id)],
];

const showRow = (s) =>
  ui.row({
    id: "show_" + s.id,
    lead: art(s, 48),
    title: s.name,
    titleId: "show_name",
    sub: `${s.topic} · with ${s.host}`,
    end: has(state.subscribed, s.id) ? ui.icon("check") : null,
    tap: () => Shell.push("ShowPage", s.id),
  });

const browsePages = {
  LatestPage: () => {
    const wanted = FILTERS.find((f) => f[0] === state.filter)[2];
    const list = state.latest.map(episode).filter(wanted);
    return tabPage(
      "latest",
      h(
        "div.hscroll.chips",
        { id: "filters" },
        FILTERS.map(([key, text]) =>
          ui.chip({
            id: "filter_" + key,
            text,
            on: state.filter === key,
            tap: () => {
              state.filter = key;
              Shell.refresh();
            },
          }),
        ),
      ),
      h(
        "div.scroll",
        { id: "latest_list" },
        list.map((e) => episodeRow(e)),
        !list.length && ui.empty("mic", "No episodes here"),
      ),
    );
  },

  ShowsPage: () => {
    const mine = shows.filter((s) => has(state.subscribed, s.id));
    return tabPage(
      "shows",
      h(
        "div.scroll",
        { id: "show_grid" },
        h(
          "div.shelfgrid",
          null,
          mine.map((s) => {
            const count = state.latest.filter((i) => episode(i).show === s.id && !has(state.played, i)).length;
            return h(
              "div.show",
              {
                id: "show_" + s.id,
                label: s.name,
                tap: () => Shell.push("ShowPage", s.id),
                hold: (el) =>
                  ui.menu(el, [
                    { id: "menu_open_show", icon: "mic", text: "Open show", tap: () => Shell.push("ShowPage", s.id) },
                    {
                      id: "menu_all_played",
                      icon: "check",
                      text: "Mark all as played",
                      tap: () => {
                        const all = episodesOf(s.id).map((e) => e.id);
                        state.played = state.played.filter((i) => !has(all, i)).concat(all);
                        Shell.snack(`${s.name} marked as played`);
                      },
                    },
                  ]),
              },
              art(s),
              h("div.nm", { id: "show_name", text: s.name }),
              count ? h("span.count", { id: "new_count", text: String(count) }) : null,
            );
          }),
        ),
        !mine.length && ui.empty("mic", "You have not subscribed to a show yet"),
      ),
    );
  },

  SavedPage: () => {
    const list = state.downloaded.map(episode);
    const total = list.reduce((sum, e) => sum + e.size, 0);
    return tabPage(
      "saved",
      h("div.head", { id: "saved_total", text: `${list.length} ${list.length === 1 ? "episode" : "episodes"}, ${total} MB of ${state.settings.storage}` }),
      h(
        "div.scroll",
        { id: "saved_list" },
        list.map((e) =>
          ui.row({
            id: "saved_" + e.id,
            lead: art(showOf(e.show), 48),
            title: e.title,
            titleId: "episode_title",
            sub: `${showOf(e.show).name} · ${e.size} MB`,
            tap: () => Shell.push("EpisodePage", e.id),
            end: ui.iconButton({ id: "delete_" + e.id, icon: "trash", label: `Delete ${e.title}`, tap: () => forget(e.id) }),
          }),
        ),
        !list.length && ui.empty("download", "Nothing downloaded"),
      ),
    );
  },

  ExplorePage: (topic) =>
    tabPage(
      "explore",
      h(
        "div",
        { style: "padding-top:8px" },
        ui.searchBar({
          id: "search_shows",
          placeholder: "Search all shows",
          tap: () => {
            Object.assign(state, { query: "", found: null });
            Shell.push("ShowSearchPage");
          },
        }),
      ),
      h(
        "div.hscroll",
        { id: "topics", style: "padding-bottom:10px" },
        Object.keys(TOPICS).map((t) =>
          ui.chip({
            id: "topic_" + t.toLowerCase(),
            text: t,
            on: t === topic,
            tap: () => {
              Shell.page.arg = t === topic ? undefined : t;
              Shell.refresh();
            },
          }),
        ),
      ),
      h(
        "div.scroll",
        { id: "suggestions" },
        shows.filter((s) => (topic ? s.topic === topic : !has(state.subscribed, s.id))).map(showRow),
      ),
    ),

  ShowSearchPage: () => {
    const q = (state.found || "").toLowerCase();
    const list = shows.filter((s) => [s.name, s.topic, s.host].some((x) => x.toLowerCase().includes(q)));
    return h(
      "div",
      null,
      ui.searchBar({
        id: "show_query",
        placeholder: "Name, topic or host",
        back: true,
        focus: true,
        value: state.query,
        change: (v) => {
          state.query = v;
        },
        enter: (v) => {
          state.found = v.trim();
          Shell.dismissedKeyboard = true;
          Shell.refresh();
          Shell.dismissedKeyboard = true;
        },
      }),
      h(
        "div.scroll",
        { id: "show_results" },
        q ? list.map(showRow) : ui.empty("search", "Type and press search"),
        q && !list.length ? ui.empty("search", `No show matches “${state.found}”`) : null,
      ),
    );
  },

  FindPage: () => {
    const q = state.query.trim().toLowerCase();
    const list = episodes.filter((e) => has(state.subscribed, e.show) && (e.title.toLowerCase().includes(q) || showOf(e.show).name.toLowerCase().includes(q)));
    return h(
      "div",
      null,
      ui.searchBar({
        id: "episode_query",
        placeholder: "Find in your shows",
        back: true,
        focus: true,
        value: state.query,
        change: (v) => {
          state.query = v;
          Shell.refresh();
        },
      }),
      h(
        "div.scroll",
        { id: "episode_results" },
        q ? list.map((e) => episodeRow(e)) : ui.empty("search", "Titles and shows"),
        q && !list.length ? ui.empty("search", `No episode matches “${state.query}”`) : null,
      ),
    );
  },

  ShowPage: (id) => {
    const s = showOf(id);
    const mine = has(state.subscribed, id);
    const bell = has(state.notify, id);
    const list = episodesOf(id).sort((a, b) => (state.oldestFirst ? b.days - a.days : a.days - b.days));
    return h(
      "div",
      null,
      ui.appBar({
        title: "Show",
        back: true,
        actions: mine
          ? [
              {
                id: "show_alerts",
                icon: bell ? "bell" : "belloff",
                label: bell ? "Alerts on" : "Alerts off",
                cls: bell ? "on" : "",
                tap: () => {
                  state.notify = toggled(state.notify, id);
                  Shell.snack(bell ? "Alerts switched off" : `You will hear of new episodes of ${s.name}`);
                },
              },
            ]
          : [],
      }),
      h(
        "div.scroll",
        { id: "show_episodes" },
        h(
          "div.banner",
          null,
          art(s, 104),
          h(
            "div.grow",
            null,
            h("h2", { id: "show_name", text: s.name }),
            h("div.dim", { id: "show_host", text: `with ${s.host}` }),
            h("div.dim", { id: "show_topic", text: s.topic }),
          ),
        ),
        h(
          "div.tools",
          null,
          mine
            ? ui.button({ id: "unsubscribe", text: "Subscribed", kind: "tonal", icon: "check", tap: () => unfollow(id) })
            : ui.button({ id: "subscribe", text: "Subscribe", kind: "filled", icon: "add", tap: () => follow(id) }),
          h("span.grow"),
          ui.button({
            id: "episode_order",
            text: state.oldestFirst ? "Oldest first" : "Newest first",
            icon: "sort",
            tap: () => {
              state.oldestFirst = !state.oldestFirst;
              Shell.refresh();
            },
          }),
        ),
        list.map((e) => episodeRow(e, { plain: true })),
      ),
      nowBar(),
    );
  },

  EpisodePage: (id) => {
    const e = episode(id);
    const s = showOf(e.show);
    const saved = has(state.downloaded, id);
    const star = has(state.starred, id);
    return h(
      "div",
      null,
      ui.appBar({ title: "Episode", back: true }),
      h(
        "div.scroll",
        { id: "episode_view" },
        h(
          "div.banner",
          null,
          art(s, 84),
          h(
            "div.grow",
            null,
            h("h2", { id: "episode_title", text: e.title }),
            h("div.dim", { id: "episode_show", text: s.name, tap: () => Shell.push("ShowPage", s.id) }),
            h("div.dim", { id: "episode_date", text: `${ago(e.days)} · ${e.minutes} min · ${e.size} MB` }),
          ),
        ),
        h(
          "div.tools",
          null,
          ui.button({
            id: "play_episode",
            text: id === state.current && state.playing ? "Playing" : "Play",
            kind: "filled",
            icon: "play",
            tap: () => {
              listen(id);
              Shell.snack("Playing");
            },
          }),
          ui.button({
            id: "download_episode",
            text: saved ? "Downloaded" : "Download",
            kind: "tonal",
            icon: saved ? "check" : "download",
            disabled: saved,
            tap: () => {
              state.downloaded.push(id);
              Shell.snack(`Downloaded, ${e.size} MB`);
            },
          }),
          ui.iconButton({
            id: "star_episode",
            icon: "star",
            label: star ? "Take the star off" : "Star",
            cls: star ? "on" : "",
            tap: () => {
              state.starred = toggled(state.starred, id);
              Shell.snack(star ? "Star taken off" : "Episode starred");
            },
          }),
        ),
        h("div.story", {
          id: "episode_notes",
          text: `${s.host} looks into “${e.title.toLowerCase()}” and talks to people who know it at first hand. Part of our ${s.topic.toLowerCase()} series. Sources and pictures are in the show notes; questions from listeners come at the end.`,
        }),
      ),
      nowBar(),
    );
  },
};
