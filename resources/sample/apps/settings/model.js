// Settings: nested pages over one plain object of values; most rows are declared, not drawn by hand.
"use strict";

const rnd = makeRandom(Shell.seed * 211 + 3);
const APPLIST = [
  ["Atlas Maps", 140, "place"],
  ["Calendar", 210, "alarm"],
  ["Camera", 20, "image"],
  ["Clock", 262, "clock"],
  ["Contacts", 190, "user"],
  ["Daily Read", 340, "list"],
  ["Files", 40, "storage"],
  ["Gallery", 300, "image"],
  ["Leaf Bank", 130, "card"],
  ["Mail", 0, "mail"],
  ["Messages", 164, "mail"],
  ["Parcel Desk", 30, "truck"],
  ["Player", 328, "music"],
  ["Quiz Garden", 90, "star"],
  ["Recorder", 355, "mic"],
  ["Shop", 16, "bag"],
  ["Step Walk", 100, "heart"],
  ["Weather", 200, "sun"],
];
const NETWORKS = [
  "Larch House",
  "Larch House 5G",
  "cafe-meadow",
  "Printer-7F21",
  "Station Guest",
  "upstairs",
  "Lighthouse",
  "TP-9C40",
  "Blue Door",
  "library-public",
];
const GADGETS = ["Buds Air", "Kitchen speaker", "Car kit", "Watch S3", "Keyboard K2", "Game pad", "Office headset"];
const bool = (p) => rnd.chance(p);

const state = {
  values: {
    wifi: phone.wifi,
    bluetooth: phone.bluetooth,
    airplane: false,
    hotspot: bool(0.2),
    mobile_data: bool(0.8),
    roaming: bool(0.2),
    data_saver: bool(0.3),
    brightness: rnd.int(20, 90),
    adaptive: bool(0.6),
    dark: phone.dark,
    night_light: bool(0.3),
    timeout: rnd.pick(["15 seconds", "30 seconds", "1 minute", "2 minutes", "5 minutes"]),
    font: rnd.int(1, 4),
    rotate: bool(0.5),
    night_level: rnd.int(20, 80),
    media: rnd.int(10, 90),
    ring: rnd.int(20, 100),
    alarmvol: rnd.int(40, 100),
    callvol: rnd.int(30, 90),
    vibrate: bool(0.6),
    ringtone: rnd.pick(["Skylark", "Old bell", "Ripple", "Two steps"]),
    keytones: bool(0.3),
    charge_sound: bool(0.6),
    dnd: phone.dnd,
    saver: bool(0.2),
    saver_at: rnd.pick(["Never", "10%", "15%", "20%"]),
    percent: true,
    history: bool(0.5),
    lock_notes: bool(0.7),
    bubbles: bool(0.4),
    dots: bool(0.7),
    pin: rnd.pick(["Pattern", "PIN", "Password", "None"]),
    fingerprint: bool(0.7),
    location: bool(0.7),
    camera_access: true,
    mic_access: true,
    language: "English (United Kingdom)",
    auto_time: true,
    h24: true,
    developer: false,
    captions: bool(0.2),
    magnify: bool(0.2),
    contrast: bool(0.2),
    mono: bool(0.1),
    animations: bool(0.2),
    name: phone.model,
    locktext: "",
  },
  network: phone.wifi ? NETWORKS[rnd.int(0, 2)] : null,
  saved: NETWORKS.slice(0, 3),
  networks: rnd.some(NETWORKS.slice(3), 5),
  devices: rnd.some(GADGETS, rnd.int(2, 4)).map((name) => ({ name, on: false })),
  notify: Object.fromEntries(
    APPLIST.map(([n]) => [
      n,
      {
        on: bool(0.75),
        sound: bool(0.6),
        lock: bool(0.6),
        badge: bool(0.8),
        priority: rnd.pick(["Default", "Silent", "Urgent"]),
        storage: rnd.int(8, 940),
      },
    ]),
  ),
  query: "",
  buildTaps: 0,
  uninstalled: [],
  filter: "all",
  stopped: [],
  password: "",
};
const v = state.values;
if (v.bluetooth && state.devices.length) state.devices[0].on = true;

const fontScale = () => document.documentElement.style.setProperty("--fs", [0.9, 1, 1.12, 1.24, 1.36][v.font - 1]);
fontScale();

/** Switches that the rest of the phone shows too. */
function set(key, value) {
  v[key] = value;
  if (key === "font") fontScale();
  if (key === "dark" || key === "wifi" || key === "bluetooth" || key === "dnd" || key === "airplane") phone[key] = value;
  if (key === "airplane") {
    v.wifi = v.bluetooth = phone.wifi = phone.bluetooth = !value;
  }
  state.network = v.wifi ? state.network || state.saved[0] : null;
  if (!v.bluetooth) for (const d of state.devices) d.on = false;
}

const sw = (key, icon, title, sub, off) => ui.switchRow({ id: key, icon, title, sub, on: v[key], off, change: (x) => set(key, x) });
const link = (id, icon, title, sub, page, arg) => ui.row({ id, icon, title, sub, tap: () => Shell.push(page, arg) });
const pick = (key, icon, title, options) =>
  ui.row({
    id: key,
    icon,
    title,
    sub: v[key],
    tap: () => ui.choose(title.replace(/\W/g, "") + "Dialog", title, options, v[key], (x) => set(key, x)),
  });
const slide = (key, icon, title, text, min = 0, max = 100) =>
  h(
    "div.slide",
    null,
    h("div", { id: key + "_title", text: title, style: "font-size:16px;padding:0 2px 2px" }),
    h(
      "div.flex",
      null,
      h("span.dim", { html: svg(icon) }),
      ui.slider({ id: key, label: title, value: v[key], min, max, text, change: (x) => set(key, x) }),
    ),
  );
const master = (key, title) => h("div.master", null, ui.switchRow({ id: key, title, on: v[key], change: (x) => set(key, x) }));
const note = (text) => h("div.dim.pad", { id: "footer_text", text, style: "padding:14px 24px 24px" });

function page(title, list, extra) {
  return h("div", null, ui.appBar({ title, back: true, ...extra }), h("div.scroll", { id: "settings_list" }, list));
}

const ROOT = [
  [
    ["NetworkPage", "wifi", "Network & internet", () => state.network || "Mobile, airplane mode, hotspot", 212],
    ["ConnectedPage", "bluetooth", "Connected devices", () => (v.bluetooth ? "Bluetooth on" : "Bluetooth off"), 190],
  ],
  [
    ["AppsPage", "apps", "Apps", () => `${APPLIST.length - state.uninstalled.length} apps installed`, 28],
    ["NotificationsPage", "bell", "Notifications", () => "History, dots, apps", 350],
  ],
  [
    [
      "BatteryPage",
      "battery",
      "Battery",
      () => `${phone.battery}%, ${v.saver ? "saver on" : "about " + Math.round(phone.battery / 4.2) + " h left"}`,
      140,
    ],
    ["StoragePage", "storage", "Storage", () => "61% used of 128 GB", 260],
    ["SoundPage", "volume", "Sound & vibration", () => `Ring volume ${v.ring}%`, 320],
    ["DisplayPage", "sun", "Display", () => `${v.dark ? "Dark" : "Light"} theme, ${v.timeout}`, 40],
    ["WallpaperPage", "palette", "Wallpaper & style", () => "Colours and lock screen", 285],
  ],
  [
    ["AccessibilityPage", "user", "Accessibility", () => "Display, captions, audio", 172],
    ["SecurityPage", "lock", "Security & privacy", () => `Screen lock: ${v.pin}`, 120],
    ["LocationPage", "place", "Location", () => (v.location ? "On, 6 apps have access" : "Off"), 10],
  ],
  [
    ["SystemPage", "settings", "System", () => "Languages, time, reset", 225],
    ["AboutPage", "phone", "About phone", () => v.name, 200],
  ],
];

// What the search finds: title, page, where it lives.
const INDEX = [
  ["Wi-Fi", "WifiPage", "Network & internet"],
  ["Airplane mode", "NetworkPage", "Network & internet"],
  ["Mobile data", "NetworkPage", "Network & internet"],
  ["Hotspot", "NetworkPage", "Network & internet"],
  ["Data saver", "NetworkPage", "Network & internet"],
  ["Bluetooth", "ConnectedPage", "Connected devices"],
  ["Pair new device", "ConnectedPage", "Connected devices"],
  ["Dark theme", "DisplayPage", "Display"],
  ["Brightness level", "DisplayPage", "Display"],
  ["Night light", "NightLightPage", "Display"],
  ["Screen timeout", "DisplayPage", "Display"],
  ["Font size", "DisplayPage", "Display"],
  ["Auto-rotate", "DisplayPage", "Display"],
  ["Media volume", "SoundPage", "Sound & vibration"],
  ["Ringtone", "SoundPage", "Sound & vibration"],
  ["Do not disturb", "SoundPage", "Sound & vibration"],
  ["Battery saver", "BatteryPage", "Battery"],
  ["Notification history", "NotificationsPage", "Notifications"],
  ["Notification dots", "NotificationsPage", "Notifications"],
  ["Screen lock", "SecurityPage", "Security & privacy"],
  ["Fingerprint", "SecurityPage", "Security & privacy"],
  ["Location", "LocationPage", "Location"],
  ["Language", "SystemPage", "System"],
  ["Date & time", "SystemPage", "System"],
  ["Device name", "AboutPage", "About phone"],
  ["Build number", "AboutPage", "About phone"],
  ["Captions", "AccessibilityPage", "Accessibility"],
  ["High contrast", "AccessibilityPage", "Accessibility"],
  ["Free up space", "StoragePage", "Storage"],
];

const appTile = ([name, hue, icon]) =>
  h("span.tile", {
    style: `background:hsl(${hue} 50% ${phone.dark ? 38 : 48}%);border-radius:14px`,
    html: svg(icon, 22),
    label: name + " icon",
    as: "android.widget.ImageView",
  });
const slug = (t) => t.toLowerCase().replace(/[^a-z0-9]+/g, "_");

function askPassword(name) {
  state.password = "";
  ui.dialog({
    name: "WifiPassword",
    title: name,
    body: () =>
      ui.field({
        id: "wifi_password",
        label: "Password",
        type: "password",
        value: state.password,
        focus: true,
        change: (x) => {
          state.password = x;
          Shell.refresh();
        },
      }),
    actions: [
      { id: "button_cancel", text: "Cancel" },
      {
        id: "button_ok",
        text: "Connect",
        disabled: () => state.password.length < 8,
        tap: () => {
          state.saved.push(name);
          state.networks = state.networks.filter((n) => n !== name);
          state.network = name;
          Shell.snack(`Connected to ${name}`);
        },
      },
    ],
  });
}
