// Settings: the pages. State, actions and repeated parts are in model.js.
"use strict";

const pages = {
  SettingsPage: () =>
    h(
      "div",
      null,
      h("div", { style: "height:12px;flex:none" }),
      h(
        "div.scroll",
        { id: "dashboard" },
        h("h1.big", { id: "homepage_title", text: "Settings" }),
        ui.searchBar({
          id: "search_action_bar",
          placeholder: "Search settings",
          tap: () => {
            state.query = "";
            Shell.push("SearchPage");
          },
        }),
        ROOT.map((group) =>
          ui.card(
            group.map(([p, icon, title, sub, hue]) =>
              ui.row({ id: slug(title), lead: ui.iconTile(icon, hue), title, sub: sub(), tap: () => Shell.push(p) }),
            ),
          ),
        ),
      ),
    ),

  SearchPage: () => {
    const q = state.query.trim().toLowerCase();
    const hits = q ? INDEX.filter((i) => i[0].toLowerCase().includes(q)) : [];
    return h(
      "div",
      null,
      ui.searchBar({
        id: "search_input",
        placeholder: "Search settings",
        back: true,
        focus: true,
        value: state.query,
        change: (x) => {
          state.query = x;
          Shell.refresh();
        },
        enter: () => hits.length && Shell.push(hits[0][1]),
      }),
      h(
        "div.scroll",
        { id: "search_results" },
        hits.map(([t, p, where]) => ui.row({ id: "result_" + slug(t), icon: "settings", title: t, sub: where, tap: () => Shell.push(p) })),
        !hits.length && ui.empty("search", q ? "No settings found" : "Type to search in all settings"),
      ),
    );
  },

  NetworkPage: () =>
    page("Network & internet", [
      ui.card(
        link("internet", "wifi", "Internet", state.network || "Not connected", "WifiPage"),
        sw("mobile_data", "data", "Mobile data", "Fjord Mobile, 5G", v.airplane),
        sw("roaming", "globe", "Roaming", "Connect to data services abroad", v.airplane),
      ),
      ui.card(
        sw("airplane", "plane", "Airplane mode"),
        sw("hotspot", "hotspot", "Hotspot", v.hotspot ? `Sharing as ${v.name}` : "Off", v.airplane),
        sw("data_saver", "data", "Data saver", "Limit background data"),
      ),
      note("Airplane mode switches off Wi-Fi, Bluetooth and the mobile network."),
    ]),

  WifiPage: () =>
    page("Internet", [
      master("wifi", "Wi-Fi"),
      v.wifi
        ? [
            ui.head("Connected"),
            state.network &&
              ui.row({
                id: "connected_network",
                icon: "wifi",
                title: state.network,
                sub: "Connected",
                end: ui.icon("settings"),
                tap: () => Shell.push("NetworkDetailPage", state.network),
              }),
            ui.head("Saved"),
            state.saved
              .filter((n) => n !== state.network)
              .map((n) =>
                ui.row({
                  id: "network_" + slug(n),
                  icon: "wifi",
                  title: n,
                  sub: "Saved",
                  tap: () => {
                    state.network = n;
                    Shell.snack(`Connected to ${n}`);
                  },
                }),
              ),
            ui.head("Other networks"),
            state.networks.map((n, i) =>
              ui.row({
                id: "network_" + slug(n),
                icon: "wifi",
                title: n,
                end: i % 3 ? ui.icon("lock", 18) : null,
                tap: () => {
                  if (i % 3) askPassword(n);
                  else {
                    state.saved.push(n);
                    state.networks.splice(i, 1);
                    state.network = n;
                    Shell.snack(`Connected to ${n}`);
                  }
                },
              }),
            ),
          ]
        : ui.empty("wifi", "Wi-Fi is off"),
    ]),

  NetworkDetailPage: (name) =>
    page("Network details", [
      h(
        "div.empty",
        { style: "padding:24px" },
        ui.icon("wifi", 48),
        h("div", { id: "network_name", text: name, style: "color:var(--text);font-size:22px" }),
        h("div", { text: "Connected" }),
      ),
      h(
        "div.flex",
        { style: "justify-content:center;padding-bottom:16px" },
        ui.button({
          id: "forget_button",
          text: "Forget",
          icon: "trash",
          kind: "tonal",
          tap: () =>
            ui.confirm("ForgetNetwork", `Forget ${name}?`, "The saved password will be removed.", "Forget", () => {
              state.saved = state.saved.filter((n) => n !== name);
              state.networks.unshift(name);
              state.network = null;
              v.wifi && (state.network = state.saved[0] || null);
              Shell.stack.pop();
              Shell.snack(`${name} forgotten`);
            }),
        }),
        ui.button({
          id: "disconnect_button",
          text: "Disconnect",
          icon: "close",
          kind: "tonal",
          tap: () => {
            state.network = null;
            Shell.pop();
            Shell.snack("Disconnected");
          },
        }),
      ),
      ui.card(
        ui.row({ id: "signal_strength", icon: "wifi", title: "Signal strength", sub: "Good" }),
        ui.row({ id: "security", icon: "lock", title: "Security", sub: "WPA3 personal" }),
        ui.row({ id: "frequency", icon: "info", title: "Frequency", sub: "5 GHz" }),
      ),
    ]),

  ConnectedPage: () =>
    page("Connected devices", [
      master("bluetooth", "Bluetooth"),
      v.bluetooth
        ? [
            ui.head("Your devices"),
            state.devices.map((d) =>
              ui.row({
                id: "device_" + slug(d.name),
                icon: "bluetooth",
                title: d.name,
                sub: d.on ? "Connected" : "Saved",
                tap: () => {
                  d.on = !d.on;
                  Shell.snack(d.on ? `Connected to ${d.name}` : `${d.name} disconnected`);
                },
                hold: (el) =>
                  ui.menu(el, [
                    {
                      id: "menu_forget",
                      icon: "trash",
                      text: "Forget device",
                      tap: () => {
                        state.devices = state.devices.filter((x) => x !== d);
                        Shell.snack(`${d.name} forgotten`);
                      },
                    },
                  ]),
              }),
            ),
            ui.row({
              id: "pair_new_device",
              icon: "add",
              title: "Pair new device",
              tap: () => {
                const free = GADGETS.filter((g) => !state.devices.some((d) => d.name === g));
                ui.choose("PairDialog", "Nearby devices", free, null, (g) => {
                  state.devices.push({ name: g, on: true });
                  Shell.snack(`Paired with ${g}`);
                });
              },
            }),
          ]
        : ui.empty("bluetooth", "Switch on Bluetooth to see devices"),
      note(`Visible to others as “${v.name}”.`),
    ]),

  AppsPage: () =>
    page("Apps", [
      h(
        "div.hscroll",
        { id: "filters" },
        ["all", "allowed", "silenced"].map((f) =>
          ui.chip({
            id: "filter_" + f,
            text: { all: "All apps", allowed: "Notifications on", silenced: "Notifications off" }[f],
            on: state.filter === f,
            tap: () => {
              state.filter = f;
              Shell.refresh();
            },
          }),
        ),
      ),
      APPLIST.filter(
        ([n]) => !state.uninstalled.includes(n) && (state.filter === "all" || state.notify[n].on === (state.filter === "allowed")),
      ).map((a) =>
        ui.row({
          id: "app_" + slug(a[0]),
          lead: appTile(a),
          title: a[0],
          sub: `${state.notify[a[0]].storage} MB`,
          tap: () => Shell.push("AppInfoPage", a[0]),
        }),
      ),
    ]),

  AppInfoPage: (name) => {
    const app = APPLIST.find((a) => a[0] === name);
    const stopped = state.stopped.includes(name);
    return page("App info", [
      h("div.empty", { style: "padding:16px;color:var(--text);font-size:22px" }, appTile(app), h("div", { id: "app_name", text: name })),
      h(
        "div.flex",
        { style: "justify-content:center;padding:4px 16px 16px" },
        ui.button({
          id: "open_button",
          text: "Open",
          icon: "send",
          kind: "tonal",
          tap: () => {
            const own = Object.keys(APPS).find((k) => APPS[k].title === name);
            if (own) Shell.launch(own);
            else Shell.snack(`${name} cannot be opened here`);
          },
        }),
        ui.button({
          id: "uninstall_button",
          text: "Uninstall",
          icon: "trash",
          kind: "tonal",
          tap: () =>
            ui.confirm("UninstallDialog", name, "Do you want to uninstall this app?", "Uninstall", () => {
              state.uninstalled.push(name);
              Shell.stack.pop();
              Shell.snack(`${name} uninstalled`);
            }),
        }),
        ui.button({
          id: "force_stop_button",
          text: "Stop",
          icon: "close",
          kind: "tonal",
          disabled: stopped,
          tap: () =>
            ui.confirm("ForceStopDialog", "Force stop?", "If you force stop an app, it may misbehave.", "Force stop", () => {
              state.stopped.push(name);
            }),
        }),
      ),
      ui.card(
        ui.row({
          id: "notification_settings",
          icon: "bell",
          title: "Notifications",
          sub: state.notify[name].on ? "On" : "Off",
          tap: () => Shell.push("AppNotificationsPage", name),
        }),
        ui.row({
          id: "storage_settings",
          icon: "storage",
          title: "Storage & cache",
          sub: `${state.notify[name].storage} MB used`,
          tap: () =>
            ui.confirm("ClearCache", "Clear cache?", `Temporary files of ${name} will be deleted.`, "Clear", () => {
              state.notify[name].storage = Math.ceil(state.notify[name].storage * 0.7);
              Shell.snack("Cache cleared");
            }),
        }),
        ui.row({ id: "version", icon: "info", title: "Version", sub: `4.${app[1] % 9}.${app[0].length}` }),
      ),
    ]);
  },

  NotificationsPage: () =>
    page("Notifications", [
      ui.card(
        sw("history", "clock", "Notification history"),
        sw("lock_notes", "lock", "Show on lock screen"),
        sw("bubbles", "smile", "Bubbles"),
        sw("dots", "info", "Notification dots"),
      ),
      ui.head("App notifications"),
      APPLIST.filter(([n]) => !state.uninstalled.includes(n)).map((a) => {
        const n = state.notify[a[0]];
        return ui.row({
          id: "app_" + slug(a[0]),
          lead: appTile(a),
          title: a[0],
          sub: n.on ? n.priority : "Off",
          tap: () => Shell.push("AppNotificationsPage", a[0]),
          end: ui.toggle({
            id: "notify_" + slug(a[0]),
            on: n.on,
            label: `Notifications of ${a[0]}`,
            change: (x) => {
              n.on = x;
            },
          }),
        });
      }),
    ]),

  AppNotificationsPage: (name) => {
    const n = state.notify[name];
    const item = (key, icon, title, sub) =>
      ui.switchRow({
        id: "channel_" + key,
        icon,
        title,
        sub,
        on: n[key],
        off: !n.on,
        change: (x) => {
          n[key] = x;
        },
      });
    return page(name, [
      h(
        "div.master",
        null,
        ui.switchRow({
          id: "allow_notifications",
          title: `All ${name} notifications`,
          on: n.on,
          change: (x) => {
            n.on = x;
          },
        }),
      ),
      ui.card(
        item("sound", "volume", "Play sound"),
        item("lock", "lock", "Show on lock screen"),
        item("badge", "info", "Notification dot"),
      ),
      ui.card(
        ui.row({
          id: "importance",
          icon: "flag",
          title: "Importance",
          sub: n.priority,
          cls: n.on ? "" : "off",
          tap: n.on
            ? () =>
                ui.choose("ImportanceDialog", "Importance", ["Silent", "Default", "Urgent"], n.priority, (x) => {
                  n.priority = x;
                })
            : undefined,
        }),
      ),
      note("Silent notifications neither ring nor vibrate."),
    ]);
  },

  BatteryPage: () =>
    page("Battery", [
      h("div.figure", {
        id: "battery_level",
        "data-leaf": "1",
        html: `${phone.battery}% <small>about ${Math.round(phone.battery / 4.2)} h left</small>`,
      }),
      h("div.barset", null, h("i", { style: `width:${phone.battery}%;background:var(--pri)` })),
      ui.card(
        sw("saver", "battery", "Battery saver", "Slows down background work"),
        pick("saver_at", "timer", "Switch on by itself", ["Never", "10%", "15%", "20%"]),
        sw("percent", "info", "Battery percentage", "Show in the status bar"),
      ),
      ui.head("Used since last charge"),
      APPLIST.slice(0, 7).map((a, i) =>
        ui.row({
          id: "usage_" + slug(a[0]),
          lead: appTile(a),
          title: a[0],
          end: `${17 - i * 2}%`,
          tap: () => Shell.push("AppInfoPage", a[0]),
        }),
      ),
    ]),

  StoragePage: () =>
    page("Storage", [
      h("div.figure", { id: "storage_used", "data-leaf": "1", html: "78 GB <small>of 128 GB used</small>" }),
      h(
        "div.barset",
        null,
        [
          [24, 262],
          [18, 20],
          [11, 140],
          [8, 212],
        ].map(([w, hue]) => h("i", { style: `width:${w}%;background:hsl(${hue} 55% 52%)` })),
      ),
      ui.card(
        ui.row({
          id: "free_up",
          icon: "trash",
          title: "Free up space",
          sub: "4.2 GB can go",
          tap: () =>
            ui.confirm("FreeSpace", "Free up space?", "Backed-up photos and old downloads will be removed from this phone.", "Remove", () =>
              Shell.snack("4.2 GB freed"),
            ),
        }),
      ),
      [
        ["Apps", "apps", "31 GB", "AppsPage"],
        ["Images", "image", "23 GB"],
        ["Audio", "music", "14 GB"],
        ["System", "settings", "10 GB"],
      ].map(([t, i, s, p]) =>
        ui.row({ id: "storage_" + slug(t), icon: i, title: t, end: s, tap: p ? () => Shell.push(p) : () => Shell.snack(`${t}: ${s}`) }),
      ),
    ]),

  SoundPage: () =>
    page("Sound & vibration", [
      ui.card(
        slide("media", "music", "Media volume"),
        slide("callvol", "call", "Call volume"),
        slide("ring", "bell", "Ring & notification volume"),
        slide("alarmvol", "alarm", "Alarm volume"),
      ),
      ui.card(
        sw("dnd", "belloff", "Do not disturb", v.dnd ? "On until you switch it off" : "Off"),
        sw("vibrate", "vibrate", "Vibrate for calls"),
        pick("ringtone", "call", "Phone ringtone", ["Skylark", "Old bell", "Ripple", "Two steps", "Lantern", "None"]),
      ),
      ui.card(sw("keytones", "phone", "Dial pad tones"), sw("charge_sound", "battery", "Charging sounds")),
    ]),

  DisplayPage: () =>
    page("Display", [
      ui.head("Brightness"),
      ui.card(
        slide("brightness", "sun", `Brightness level ${v.brightness}%`),
        sw("adaptive", "sun", "Adaptive brightness", "Follows the light around you"),
      ),
      ui.head("Appearance"),
      ui.card(
        sw("dark", "moon", "Dark theme"),
        slide("font", "text", `Font size: ${["Small", "Default", "Large", "Larger", "Largest"][v.font - 1]}`, "", 1, 5),
        link("night_light", "bed", "Night light", v.night_light ? "On" : "Off", "NightLightPage"),
      ),
      ui.head("Other"),
      ui.card(
        pick("timeout", "timer", "Screen timeout", ["15 seconds", "30 seconds", "1 minute", "2 minutes", "5 minutes", "10 minutes"]),
        sw("rotate", "phone", "Auto-rotate screen"),
      ),
    ]),

  NightLightPage: () =>
    page("Night light", [
      master("night_light", "Use night light"),
      slide("night_level", "moon", "Intensity"),
      note("Night light tints the screen amber, which is easier on the eyes in dim light."),
    ]),

  WallpaperPage: () =>
    page("Wallpaper & style", [
      h(
        "div.hero",
        { style: `--hh:${state.wall || 220}`, id: "wallpaper_preview", label: "Wallpaper preview" },
        h("span", { text: clockTime() }),
        h("small", { text: v.locktext || "Lock screen" }),
      ),
      ui.head("Colours"),
      h(
        "div.hscroll",
        { id: "colours" },
        [220, 262, 328, 16, 140, 172, 40].map((c) =>
          h("button.tile", {
            id: "colour_" + c,
            label: "Colour " + c,
            style: `background:hsl(${c} 55% 52%);width:52px;height:52px;border-radius:26px`,
            html: (state.wall || 220) === c ? svg("check") : "",
            tap: () => {
              state.wall = c;
              Shell.refresh();
            },
          }),
        ),
      ),
      h(
        "div.pad",
        { style: "padding:24px 16px" },
        ui.field({
          id: "lock_text",
          label: "Text on lock screen",
          value: v.locktext,
          change: (x) => {
            v.locktext = x;
            Shell.refresh();
          },
        }),
      ),
      ui.card(sw("dark", "moon", "Dark theme")),
    ]),

  AccessibilityPage: () =>
    page("Accessibility", [
      ui.card(
        slide("font", "text", "Font size", "", 1, 5),
        sw("contrast", "sun", "High-contrast text"),
        sw("magnify", "search", "Magnification"),
        sw("animations", "restart", "Remove animations"),
      ),
      ui.card(sw("captions", "text", "Live captions"), sw("mono", "volume", "Mono audio")),
    ]),

  SecurityPage: () =>
    page("Security & privacy", [
      ui.card(
        pick("pin", "lock", "Screen lock", ["None", "Pattern", "PIN", "Password"]),
        sw(
          "fingerprint",
          "user",
          "Fingerprint unlock",
          v.pin === "None" ? "Set a screen lock first" : "One finger saved",
          v.pin === "None",
        ),
      ),
      ui.head("Privacy"),
      ui.card(
        sw("camera_access", "image", "Camera access"),
        sw("mic_access", "mic", "Microphone access"),
        link("location_link", "place", "Location", v.location ? "On" : "Off", "LocationPage"),
      ),
    ]),

  LocationPage: () =>
    page("Location", [
      master("location", "Use location"),
      ui.head("Recently used by"),
      APPLIST.filter((a, i) => [0, 2, 15, 16, 17].includes(i)).map((a) =>
        ui.row({
          id: "app_" + slug(a[0]),
          lead: appTile(a),
          title: a[0],
          sub: v.location ? "Only while in use" : "No access",
          cls: v.location ? "" : "off",
          tap: () => Shell.push("AppInfoPage", a[0]),
        }),
      ),
    ]),

  SystemPage: () =>
    page("System", [
      ui.card(
        pick("language", "globe", "Language", [
          "Deutsch",
          "English (United Kingdom)",
          "English (United States)",
          "Español",
          "Français",
          "Italiano",
          "Português",
        ]),
        sw("auto_time", "clock", "Set time by itself"),
        sw("h24", "clock", "Use 24-hour format"),
      ),
      ui.card(
        v.developer &&
          ui.row({
            id: "developer_options",
            icon: "sliders",
            title: "Developer options",
            sub: "On",
            tap: () =>
              ui.confirm(
                "DeveloperOff",
                "Switch off developer options?",
                "They can be switched on again from About phone.",
                "Switch off",
                () => {
                  v.developer = false;
                },
              ),
          }),
        ui.row({
          id: "reset_options",
          icon: "restart",
          title: "Reset options",
          sub: "Settings or the whole phone",
          tap: () =>
            ui.confirm("ResetDialog", "Reset Wi-Fi and Bluetooth?", "Saved networks and devices will be removed.", "Reset", () => {
              state.saved = [];
              state.devices = [];
              state.network = null;
              Shell.snack("Network settings reset");
            }),
        }),
      ),
    ]),

  AboutPage: () =>
    page("About phone", [
      h(
        "div.hero",
        { style: `--hh:${rndHue}` },
        h("span", { id: "device_title", text: v.name }),
        h("small", { text: "Stepscope sample phone" }),
      ),
      ui.card(
        ui.row({
          id: "device_name",
          icon: "phone",
          title: "Device name",
          sub: v.name,
          tap: () => {
            let name = v.name;
            ui.dialog({
              name: "DeviceName",
              title: "Device name",
              body: () =>
                ui.field({
                  id: "device_name_input",
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
                  text: "OK",
                  tap: () => {
                    if (!name.trim()) return false;
                    v.name = name.trim();
                  },
                },
              ],
            });
          },
        }),
        ui.row({ id: "phone_number", icon: "call", title: "Phone number", sub: "Not set" }),
      ),
      ui.card(
        ui.row({ id: "model", icon: "info", title: "Model", sub: phone.model }),
        ui.row({ id: "android_version", icon: "settings", title: "System version", sub: "15" }),
        ui.row({ id: "ip_address", icon: "wifi", title: "IP address", sub: v.wifi ? `192.0.2.${20 + (Shell.seed % 200)}` : "Unavailable" }),
        ui.row({
          id: "build_number",
          icon: "sliders",
          title: "Build number",
          sub: `SS15.${240100 + (Shell.seed % 900)}`,
          tap: () => {
            state.buildTaps += 1;
            const left = 5 - state.buildTaps;
            if (left <= 0) v.developer = true;
            Shell.snack(v.developer ? "You are now a developer" : `${left} more taps to become a developer`);
          },
        }),
      ),
      note("A phone drawn by the Stepscope sample apps. It sends nothing anywhere."),
    ]),
};

const rndHue = rnd.pick([212, 262, 150, 20, 330]);
const clockTime = () => `${Math.floor(Shell.minutes / 60)}:${pad2(Shell.minutes % 60)}`;
Shell.start({ pages, home: "SettingsPage", state });
