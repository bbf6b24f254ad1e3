"""Goals about the preferences."""

from __future__ import annotations

from stepscope.resources.sample.generator.plan import Chance, GoalPlan, Template
from stepscope.resources.sample.generator.wording import WordingSampler
from stepscope.resources.sample.script import (
    Move,
    PhoneView,
    by_words,
    data,
    done,
    layer,
    page,
    scroll,
    shows,
    snack,
    tap,
)

SKIPS = ("10 seconds", "15 seconds", "30 seconds", "45 seconds", "60 seconds")
STORAGE = ("1 GB", "2 GB", "5 GB", "10 GB")
_SWITCHES = {
    # id: (key in the data, the row's words, what is said of it)
    "trim_silence": ("trim", "Trim silence", ("trim silence", "the trimming of silence")),
    "boost_voices": ("boost", "Boost voices", ("boost voices", "the voice boost")),
    "auto_download": ("autoDownload", "Auto-download", ("auto-download", "the automatic download of new episodes")),
    "wifi_only": ("wifiOnly", "Only on Wi-Fi", ("downloading only on Wi-Fi", "the Wi-Fi only option for downloads")),
    "charging_only": (
        "charging",
        "Only while charging",
        ("downloading only while charging", "the charging only option"),
    ),
}


def _open(drawn: WordingSampler) -> Move:
    says = ("Open the preferences", "Tap the gear", "Tap the gear in the corner")
    return tap("preferences", drawn.say(*says), page("PreferencesPage"))


def _down(drawn: WordingSampler, target: str) -> Move:
    says = ("Scroll down to the end", "Scroll the preferences down", "Swipe up for the rest")
    return scroll("preferences_list", drawn.say(*says), shows(target), share=0.55)


def switch(view: PhoneView, chance: Chance) -> GoalPlan:
    """One of the preferences on or off."""
    drawn = WordingSampler(chance)
    name = chance.choice(list(_SWITCHES))
    key, words, called = _SWITCHES[name]
    on = not view.data["settings"][key]
    what, turn = drawn.say(*called), "on" if on else "off"
    goal = drawn.goal(
        f"Switch {turn} {what} in the podcast app",
        f"Turn {what} {turn}, please",
        f"For podcasts I want {what} {turn}",
        f"Go to the preferences and turn {what} {turn}",
    )
    return GoalPlan(
        goal.full,
        (
            _open(drawn),
            tap(
                name,
                drawn.say(f"Tap {words}", f"Flip the switch of {words}", f"Switch {words} {turn}"),
                data(lambda d: d["settings"][key] == on),
            ),
            done(),
        ),
        data(lambda d: d["settings"][key] == on),
        key=1,
    )


def skip_length(view: PhoneView, chance: Chance) -> GoalPlan:
    """How far the buttons jump ahead or back. Slot `length`."""
    drawn = WordingSampler(chance)
    way = chance.choice(["ahead", "back"])
    key, name = {"ahead": ("forward", "skip_ahead_length"), "back": ("back", "skip_back_length")}[way]
    wanted = chance.choice([s for s in SKIPS if s != view.data["settings"][key]])
    goal = drawn.goal(
        f"Make the skip {way} button jump [length|{wanted}|differently]",
        f"Set skip {way}[length| to {wanted}]",
        f"When I skip {way} I want it to be [length|{wanted}|another length], change that in the preferences",
        f"Please change how far skip {way} goes[length|, {wanted} would be right]",
    )
    asked = ("How many seconds should it be?", "How far should it jump?", "Which length would you like?")
    return GoalPlan(
        goal.full,
        (
            _open(drawn),
            tap(name, drawn.say(f"Tap Skip {way} by", f"Open Skip {way} by"), layer(f"Skip{way}byDialog")),
            tap(
                by_words(wanted, "option_"),
                drawn.say(f"Choose {wanted}", f"Pick {wanted}", f"Tap {wanted}"),
                layer(None),
            ),
            done(),
        ),
        data(lambda d: d["settings"][key] == wanted),
        slots=(drawn.slot(goal, "length", wanted, 2, asked),),
        key=1,
    )


def storage(view: PhoneView, chance: Chance) -> GoalPlan:
    """How much room downloads may take. Slot `amount`."""
    drawn = WordingSampler(chance)
    wanted = chance.choice([s for s in STORAGE if s != view.data["settings"]["storage"]])
    goal = drawn.goal(
        f"Let podcasts use [amount|{wanted}|a different amount] of storage",
        f"Set the storage limit of the podcast app[amount| to {wanted}]",
        f"Change the limit for downloaded episodes[amount| to {wanted}]",
        f"My phone has little room, so the podcasts' storage limit should be [amount|{wanted}|something else]",
    )
    asked = ("How much storage may they use?", "What should the limit be?", "How many gigabytes?")
    return GoalPlan(
        goal.full,
        (
            _open(drawn),
            _down(drawn, "all_alerts"),
            tap("storage_limit", drawn.say("Tap Storage limit", "Open Storage limit"), layer("StoragelimitDialog")),
            tap(by_words(wanted, "option_"), drawn.say(f"Choose {wanted}", f"Tap {wanted}"), layer(None)),
            done(),
        ),
        data(lambda d: d["settings"]["storage"] == wanted),
        slots=(drawn.slot(goal, "amount", wanted, 3, asked),),
        key=2,
    )


def clear_history(view: PhoneView, chance: Chance) -> GoalPlan:
    """What was listened to forgotten."""
    drawn = WordingSampler(chance)
    goal = drawn.goal(
        "Clear my listening history",
        "Nobody needs to know what I listened to, clear the history in Podcasts",
        "Forget which episodes I have played, please",
        "Reset everything that counts as played by clearing the listening history",
    )
    return GoalPlan(
        goal.full,
        (
            _open(drawn),
            _down(drawn, "clear_history"),
            tap(
                "clear_history",
                drawn.say("Tap Clear listening history", "Choose the last row", "Clear the listening history"),
                layer("ClearHistory"),
            ),
            tap("button_ok", drawn.say("Confirm with Clear", "Tap Clear", "Agree"), snack("Listening history cleared")),
            done(),
        ),
        data(lambda d: not d["played"]),
    )


TEMPLATES = tuple(
    Template(name, "podcasts", plan)
    for name, plan in (
        ("podcasts-switch", switch),
        ("podcasts-skip-length", skip_length),
        ("podcasts-storage", storage),
        ("podcasts-clear-history", clear_history),
    )
)
