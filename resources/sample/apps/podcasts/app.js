// Podcasts: time and start. The pages are in browse.js and listen.js.
"use strict";

// The episode goes on while the phone's own clock runs; at its end the next one starts.
Shell.listeners.push((ms) => {
  if (!state.playing) return;
  state.position += Math.round((ms / 1000) * parseFloat(state.speed));
  if (state.position < episode(state.current).minutes * 60) return;
  state.played = has(state.played, state.current) ? state.played : state.played.concat(state.current);
  const next = state.settings.playOn ? state.queue.shift() : undefined;
  state.position = 0;
  state.playing = next !== undefined;
  if (next !== undefined) state.current = next;
});

Shell.start({
  pages: { ...browsePages, ...listenPages },
  home: "LatestPage",
  state,
  // Where the episode stands is left out: it would make every look at the phone another one.
  report: () => {
    const { position, ...rest } = state;
    return { ...rest, shows, episodes };
  },
  onBack: () => {
    if (["FindPage", "ShowSearchPage"].includes(Shell.page.name)) Object.assign(state, { query: "", found: null });
    return false;
  },
});
