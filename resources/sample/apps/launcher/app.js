// Home screen: date, app icons, search bar and a drawer with a search over apps and settings.
"use strict";

const rnd = makeRandom(Shell.seed * 31 + 5);
const hue = rnd.pick([205, 262, 150, 20, 330, 225]);
for (const [i, d] of [0, 28, 64].entries()) document.documentElement.style.setProperty(`--w${i + 1}`, hue + d);

const WEEKDAYS = ["Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday"];
const MONTHS = ["January", "February", "March", "April", "May", "June", "July", "August", "September", "October", "November", "December"];
const weather = `${rnd.int(4, 27)} °C, ${rnd.pick(["clear sky", "light rain", "partly cloudy", "windy", "fog until noon"])}`;
const order = rnd.shuffle(Object.keys(APPS));
// Screens inside the apps that the search can open directly.
const SHORTCUTS = [
  ["New alarm", "clock", "AlarmEditPage"],
  ["Wi-Fi", "settings", "WifiPage"],
  ["Display", "settings", "DisplayPage"],
  ["Cart", "shop", "CartPage"],
  ["New message", "messages", "NewMessagePage"],
  ["Queue", "player", "QueuePage"],
];

const appIcon = (name) =>
  h(
    "div",
    { id: "app_" + name, label: APPS[name].title, tap: () => Shell.launch(name) },
    h("span.appicon", { style: `background:hsl(${APPS[name].hue} 52% 46%)`, html: svg(APPS[name].icon, 30) }),
    h("span", { id: "app_label", text: APPS[name].title }),
  );

const pages = {
  HomePage: () =>
    h(
      "div",
      { id: "workspace", swipe: { up: () => Shell.push("DrawerPage") } },
      h("div.hill", { style: "bottom:-20%" }),
      h("div.hill", { style: "bottom:-29%;left:10%" }),
      h(
        "div.glance",
        null,
        h("div", { id: "date", text: `${WEEKDAYS[phone.weekday]}, ${phone.day} ${MONTHS[phone.month]}` }),
        h("small", { id: "weather", text: weather }),
      ),
      h("div.grow"),
      h("div.icons", { style: "position:relative" }, order.map(appIcon)),
      h(
        "div.dock",
        {
          id: "search_bar",
          as: "android.widget.TextView",
          "data-leaf": "1",
          tap: () => Shell.push("DrawerPage"),
          style: "position:relative",
        },
        ui.icon("search"),
        h("span.grow", { text: "Search apps and settings" }),
      ),
    ),

  DrawerPage: () => {
    const q = Shell.state.query.toLowerCase();
    const apps = Object.keys(APPS).filter((n) => APPS[n].title.toLowerCase().includes(q));
    const links = SHORTCUTS.filter(([t]) => q && t.toLowerCase().includes(q));
    return h(
      "div.drawer",
      { id: "all_apps", swipe: { down: () => Shell.pop() } },
      ui.searchBar({
        id: "search_input",
        placeholder: "Search apps and settings",
        value: Shell.state.query,
        focus: true,
        change: (v) => {
          Shell.state.query = v;
          Shell.refresh();
        },
        enter: () => {
          if (apps.length) Shell.launch(apps[0]);
          else if (links.length) Shell.launch(links[0][1], links[0][2]);
        },
      }),
      h(
        "div.scroll",
        { id: "apps_list" },
        h("div.icons", { style: "padding-top:14px" }, apps.map(appIcon)),
        links.map(([t, a, p], i) =>
          ui.row({ id: "shortcut_" + i, icon: APPS[a].icon, title: t, sub: APPS[a].title, tap: () => Shell.launch(a, p) }),
        ),
        !apps.length && !links.length && ui.empty("search", `Nothing found for “${Shell.state.query}”`),
      ),
    );
  },
};

Shell.start({
  pages,
  home: "HomePage",
  state: { query: "" },
  onBack: () => {
    Shell.state.query = "";
    return false;
  },
});
