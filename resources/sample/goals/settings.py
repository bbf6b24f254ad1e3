"""Switches, networks, names and notifications in the settings."""

from __future__ import annotations

from stepscope.resources.sample.script import (
    Script,
    back,
    by_words,
    data,
    done,
    layer,
    page,
    scroll,
    shows,
    snack,
    tap,
    write,
)

SCRIPTS = (
    Script(
        id="settings-dark-theme",
        goal="The screen is too bright at night, use the dark theme",
        app="settings",
        seed=2,
        moves=(
            tap("display", "Open Display", page("DisplayPage")),
            tap("dark", "Switch on Dark theme", lambda view: view.state["dark"]),
            back("Go back to the list of settings", page("SettingsPage")),
            done(),
        ),
        result=data(lambda d: d["values"]["dark"]),
    ),
    Script(
        id="settings-blue-door",
        goal="Connect to the Wi-Fi called Blue Door, the password is tulips-2024",
        app="settings",
        seed=4,
        moves=(
            tap("network_internet", "Tap Network & internet", page("NetworkPage")),
            tap("internet", "Tap Internet", page("WifiPage")),
            tap("network_blue_door", "Tap the network Blue Door", layer("WifiPassword")),
            write("tulips-2024", "Type the password"),
            tap("button_ok", "Press Connect", snack("Connected to Blue Door")),
            done(),
        ),
        result=data(lambda d: d["network"] == "Blue Door"),
    ),
    Script(
        id="settings-rename-phone",
        goal="Rename this phone to Kitchen Phone",
        app="settings",
        seed=1,
        moves=(
            scroll("dashboard", "Scroll to the end of the list", shows("about_phone"), share=0.5),
            tap("about_phone", "Open About phone", page("AboutPage")),
            tap("device_name", "Tap Device name", layer("DeviceName")),
            write("Kitchen Phone", "Replace the name with Kitchen Phone", replace=True),
            tap("button_ok", "Confirm with OK", layer(None)),
            done(),
        ),
        result=data(lambda d: d["values"]["name"] == "Kitchen Phone"),
    ),
    Script(
        id="settings-screen-timeout",
        goal="My screen goes dark while I cook, keep it on for 5 minutes",
        app="settings",
        seed=6,
        moves=(
            tap("search_action_bar", "Tap the search bar at the top", page("SearchPage")),
            write("timeout", "Search for timeout", shows("result_screen_timeout")),
            tap("result_screen_timeout", "Take the first result", page("DisplayPage")),
            tap("timeout", "Tap Screen timeout", layer("ScreentimeoutDialog")),
            tap(by_words("5 minutes"), "Choose 5 minutes", layer(None)),
            done(),
        ),
        result=data(lambda d: d["values"]["timeout"] == "5 minutes"),
    ),
    Script(
        id="settings-quiet-weather",
        goal="I don't want to hear anything from the weather app any more",
        app="settings",
        seed=3,
        moves=(
            tap("notifications", "Open Notifications", page("NotificationsPage")),
            scroll("settings_list", "Scroll through the apps", share=0.5),
            scroll("settings_list", "Scroll on to the last apps", shows("notify_weather"), share=0.45),
            tap("notify_weather", "Switch it off for the app at the bottom"),
            done(),
        ),
        result=data(lambda d: not d["notify"]["Weather"]["on"]),
    ),
    Script(
        id="settings-forget-cafe",
        goal="We are leaving the café, make the phone forget its Wi-Fi",
        app="settings",
        seed=1,
        moves=(
            tap("network_internet", "Tap Network & internet", page("NetworkPage")),
            tap("internet", "Tap Internet", page("WifiPage")),
            tap("connected_network", "Open the network that is connected", page("NetworkDetailPage")),
            tap("forget_button", "Press Forget", layer("ForgetNetwork")),
            tap("button_ok", "Confirm with Forget", snack("cafe-meadow forgotten")),
            done(),
        ),
        result=data(lambda d: "cafe-meadow" not in d["saved"]),
    ),
    Script(
        # Comparing words takes the 5G network here: its name shares one word more with the sentence.
        id="settings-larch-house",
        goal="Use the plain Larch House Wi-Fi, the 5G one does not reach the attic",
        app="settings",
        seed=2,
        moves=(
            tap("network_internet", "Tap Network & internet", page("NetworkPage")),
            tap("internet", "Tap Internet", page("WifiPage")),
            tap("network_larch_house", "Choose the saved Larch House, not Larch House 5G", snack("Connected to Larch")),
            done(),
        ),
        result=data(lambda d: d["network"] == "Larch House"),
    ),
)
