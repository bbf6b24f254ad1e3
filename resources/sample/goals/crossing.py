"""Goals that take the home screen, or more than one app."""

from __future__ import annotations

from stepscope.resources.sample.goals.messages import said
from stepscope.resources.sample.script import (
    Script,
    data,
    done,
    enter,
    home,
    layer,
    open_app,
    page,
    shows,
    swipe,
    tap,
    write,
)

SCRIPTS = (
    Script(
        id="home-tea-timer",
        goal="Start the tea timer and leave me on the home screen",
        app="clock",
        seed=2,
        start="launcher",
        moves=(
            tap("app_clock", "Open the Clock", page("AlarmListPage")),
            tap("nav_timer", "Go to Timer", page("TimerPage")),
            tap("preset_tea", "Choose Tea", data(lambda d: d["timer"]["running"])),
            home("Go to the home screen"),
            done(),
        ),
        result=page("HomePage"),
    ),
    Script(
        id="home-search-player",
        goal="Open the music player with the search of the home screen and let it play",
        app="player",
        seed=4,
        start="launcher",
        moves=(
            swipe("workspace", "up", "Swipe up for all apps", page("DrawerPage"), share=0.3),
            write("pla", "Type pla", shows("app_player")),
            enter("Open the first app found", page("HomePage")),
            tap("mini_play", "Press Play", data(lambda d: d["playing"])),
            done(),
        ),
        result=data(lambda d: d["playing"]),
    ),
    Script(
        id="quiet-then-write",
        goal="Turn on Do not disturb and then tell Hamza that I am in a meeting",
        app="messages",
        seed=4,
        start="settings",
        moves=(
            tap("sound_vibration", "Open Sound & vibration", page("SoundPage")),
            tap("dnd", "Switch on Do not disturb", data(lambda d: d["values"]["dnd"])),
            open_app("messages", "Messages", "Open Messages"),
            tap("conversation_1", "Open Hamza Nettlefold", page("ThreadPage")),
            tap("compose_message_text", "Tap the text field"),
            write("I am in a meeting", "Type the message"),
            tap("send_message_button", "Send it", said("Hamza Nettlefold", "I am in a meeting")),
            done(),
        ),
        result=said("Hamza Nettlefold", "I am in a meeting"),
    ),
    Script(
        id="shop-then-timer",
        goal="Save the reading lamp and then set a focus timer",
        app="shop",
        seed=1,
        moves=(
            tap("search_bar", "Tap Search the shop", page("SearchPage")),
            write("reading", "Type reading"),
            tap("favourite_12", "Tap its heart", data(lambda d: 12 in d["favourites"])),
            home("Leave the shop for the home screen"),
            tap("app_clock", "Tap Clock", page("AlarmListPage")),
            tap("nav_timer", "Open Timer", page("TimerPage")),
            tap("preset_focus", "Start Focus", data(lambda d: d["timer"]["running"])),
            done(),
        ),
        result=layer(None),
    ),
)
