"""Goals that can be meant in more than one way: the question that is due, the person's answer, and the way on."""

from __future__ import annotations

from stepscope.resources.sample.goals.messages import said
from stepscope.resources.sample.script import Script, ask, by_words, data, done, layer, page, snack, tap, write

SCRIPTS = (
    Script(
        id="ask-morning-alarm",
        goal="Turn the morning alarm on",
        app="clock",
        seed=4,
        moves=(
            ask("Two morning alarms are off: Wake up at 6:10 or Gym at 7:40?", "The one for the gym."),
            tap("onoff_6", "Switch on the Gym alarm", snack("Alarm rings in")),
            done(),
        ),
        result=data(lambda d: next(a["on"] for a in d["alarms"] if a["label"] == "Gym")),
    ),
    Script(
        id="ask-which-greengage",
        goal="Tell Greengage that I am late",
        app="messages",
        seed=1,
        moves=(
            ask("Do you mean Umar Greengage or Nadira Greengage?", "Nadira, she is waiting at the station."),
            tap("conversation_6", "Open Nadira Greengage", page("ThreadPage")),
            tap("compose_message_text", "Tap Text message"),
            write("Sorry, I am late", "Type that I am late"),
            tap("send_message_button", "Send the message", said("Nadira Greengage", "Sorry, I am late")),
            done(),
        ),
        result=said("Nadira Greengage", "Sorry, I am late"),
    ),
    Script(
        id="ask-watch-colour",
        goal="Put the classic watch into my cart",
        app="shop",
        seed=5,
        moves=(
            tap("product_18", "Open the Classic watch", page("ProductPage")),
            ask("It comes in Plum, Teal and Sand. Which colour would you like?", "Sand, please."),
            tap("colour_sand", "Choose Sand"),
            tap("add_to_cart", "Press Add to cart", snack("Classic watch added")),
            done(),
        ),
        result=data(lambda d: [(line["id"], line["colour"]) for line in d["cart"]] == [(18, "Sand")]),
    ),
    Script(
        id="ask-cake-timer",
        goal="Set a timer for the cake",
        app="clock",
        seed=5,
        moves=(
            tap("nav_timer", "Open the Timer", page("TimerPage")),
            ask("How long should the cake bake?", "45 minutes."),
            tap("timer_key_4", "Press 4"),
            tap("timer_key_5", "Press 5"),
            tap("timer_key_00", "Press 00"),
            tap("timer_start", "Press Start", data(lambda d: d["timer"]["running"])),
            done(),
        ),
        result=data(lambda d: d["timer"]["total"] == 45 * 60_000),
    ),
    Script(
        id="ask-guest-wifi",
        goal="Join the public Wi-Fi",
        app="settings",
        seed=3,
        moves=(
            tap("network_internet", "Open Network & internet", page("NetworkPage")),
            tap("internet", "Open Internet", page("WifiPage")),
            ask("I see library-public and Station Guest. Which one shall I join?", "I am sitting in the library."),
            tap("network_library_public", "Tap library-public", snack("Connected to library-public")),
            done(),
        ),
        result=data(lambda d: d["network"] == "library-public"),
    ),
    Script(
        id="ask-which-playlist",
        goal="Add this song to my playlist",
        app="player",
        seed=4,
        moves=(
            tap("mini_player", "Open the song that is playing", page("NowPlayingPage")),
            tap("add_to_playlist", "Tap the plus below the song", layer("AddToPlaylist")),
            ask("You have five playlists. Which one do you mean?", "Morning run."),
            tap("playlist_4", "Choose Morning run", snack("Added to Morning run")),
            done(),
        ),
        result=data(lambda d: d["current"] in d["playlists"][3]["songs"]),
    ),
    Script(
        id="ask-ringtone",
        goal="Give me another ringtone",
        app="settings",
        seed=2,
        moves=(
            tap("sound_vibration", "Open Sound & vibration", page("SoundPage")),
            tap("ringtone", "Tap Phone ringtone", layer("PhoneringtoneDialog")),
            ask("Old bell, Ripple, Two steps or Lantern: which ringtone would you like?", "Let us try Lantern."),
            tap(by_words("Lantern"), "Choose Lantern", layer(None)),
            done(),
        ),
        result=data(lambda d: d["values"]["ringtone"] == "Lantern"),
    ),
)
