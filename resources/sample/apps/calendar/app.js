// Calendar: start. The pages are in views.js and event.js.
"use strict";

Shell.start({
  pages: { ...viewPages, ...eventPages },
  home: "AgendaPage",
  state,
  // What stands in a form or a search bar that was left is no part of the calendar.
  report: () => {
    const { draft, query, note, ...rest } = state;
    return { ...rest, today };
  },
});
