"""Goals about birthdays and the options."""

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

_CHOICES = {
    # id: (key in the data, the row's words, how it is called, the values)
    "first_weekday": (
        "weekStart",
        "First day of the week",
        "the first day of the week",
        ("Monday", "Saturday", "Sunday"),
    ),
    "usual_length": (
        "length",
        "Usual length",
        "the usual length of an event",
        ("30 minutes", "60 minutes", "90 minutes"),
    ),
    "usual_colour": ("colour", "Usual colour", "the usual colour of new events", ("Blue", "Green", "Red", "Purple")),
    "usual_reminder": (
        "reminder",
        "Usual reminder",
        "the usual reminder",
        ("5 minutes before", "1 hour before", "1 day before"),
    ),
}
_SWITCHES = {
    "week_numbers": ("weekNumbers", "Show week numbers", "the week numbers"),
    "dim_past": ("dimPast", "Dim past events", "the dimming of past events"),
}


def _menu(drawn: WordingSampler, key: str, target: str) -> tuple[Move, ...]:
    title = key.capitalize()
    return (
        tap("open_menu", drawn.say("Open the menu", "Tap the lines at the top left", "Tap Menu"), layer("SideMenu")),
        tap(f"side_{key}", drawn.say(f"Choose {title}", f"Tap {title}", f"Go to {title}"), page(target)),
    )


def birthday(view: PhoneView, chance: Chance) -> GoalPlan | None:
    """One person's birthday reminder switched on or off. Slot `name`; None when all bells are so already."""
    drawn = WordingSampler(chance)
    want = chance.random() < 0.7
    people = [b["name"] for b in view.data["birthdays"] if b["remind"] != want]
    if not people:
        return None
    name = chance.choice(people)
    goals = (
        (
            f"Remind me of [name|{name}'s birthday|a birthday]",
            f"I must not forget [name|{name}'s birthday|that birthday] again, switch its reminder on",
            f"Turn on the birthday reminder[name| for {name}]",
            f"Please set the bell [name|of {name}|of one person] under Birthdays",
        )
        if want
        else (
            f"Stop reminding me of [name|{name}'s birthday|a birthday]",
            f"I don't need the birthday reminder [name|for {name}|for one of them], switch it off",
            f"Turn off the birthday reminder[name| for {name}]",
            f"Please silence the bell [name|of {name}|of one person] under Birthdays",
        )
    )
    goal = drawn.goal(*goals)
    says = (
        f"Tap the bell beside {name}",
        f"Tap {name}'s bell",
        f"Switch the reminder of {name} {'on' if want else 'off'}",
    )
    asked = ("Whose birthday is it?", "Which person do you mean?", "For whom?")
    return GoalPlan(
        goal.full,
        (*_menu(drawn, "birthdays", "BirthdaysPage"), tap(f"remind_{name.lower()}", drawn.say(*says)), done()),
        data(lambda d: next(b["remind"] for b in d["birthdays"] if b["name"] == name) == want),
        slots=(drawn.slot(goal, "name", name, 2, asked),),
        key=2,
    )


def choice(view: PhoneView, chance: Chance) -> GoalPlan:
    """Another value of an option that has several. Slot `value`."""
    drawn = WordingSampler(chance)
    name = chance.choice(list(_CHOICES))
    key, words, called, values = _CHOICES[name]
    wanted = chance.choice([v for v in values if v != view.data["settings"][key]])
    said = wanted if name == "first_weekday" else wanted.lower()
    goal = drawn.goal(
        f"Change {called}[value| to {said}]",
        f"In the calendar's options, {called} should be [value|{said}|changed]",
        f"I'd like {called} to be [value|{said}|something else]",
        f"Please set {called}[value| to {said}] in my calendar",
    )
    asked = ("What should it be?", "Which value would you like?", "What should I choose?")
    return GoalPlan(
        goal.full,
        (
            *_menu(drawn, "options", "OptionsPage"),
            tap(name, drawn.say(f"Tap {words}", f"Open {words}", f"Choose {words}"), layer("ChoiceDialog")),
            tap(
                by_words(wanted, "option_"),
                drawn.say(f"Choose {wanted}", f"Tap {wanted}", f"Pick {wanted}"),
                layer(None),
            ),
            done(),
        ),
        data(lambda d: d["settings"][key] == wanted),
        slots=(drawn.slot(goal, "value", said, 3, asked),),
        key=2,
    )


def switch(view: PhoneView, chance: Chance) -> GoalPlan:
    """One of the options on or off."""
    drawn = WordingSampler(chance)
    name = chance.choice(list(_SWITCHES))
    key, words, called = _SWITCHES[name]
    on = not view.data["settings"][key]
    turn = "on" if on else "off"
    goal = drawn.goal(
        f"Turn {called} {turn} in the calendar",
        f"I want {called} {turn}, it is somewhere in the calendar's options",
        f"Calendar: {called} {turn}, please",
        f"Could you switch {turn} {called}?",
    )
    return GoalPlan(
        goal.full,
        (
            *_menu(drawn, "options", "OptionsPage"),
            tap(name, drawn.say(f"Tap {words}", f"Flip the switch {words}", f"Turn {words} {turn}")),
            done(),
        ),
        data(lambda d: d["settings"][key] == on),
        key=2,
    )


def delete_past(view: PhoneView, chance: Chance) -> GoalPlan:
    """Everything deleted that is over, by the last row of the options."""
    drawn = WordingSampler(chance)
    goal = drawn.goal(
        "Delete everything in the calendar that is over",
        "Remove all past events from my calendar",
        "I don't need the old events, clear them out for good",
        "Tidy the calendar up: past events can go",
    )
    return GoalPlan(
        goal.full,
        (
            *_menu(drawn, "options", "OptionsPage"),
            scroll(
                "options_list",
                drawn.say("Scroll down to the end", "Scroll to the last option", "Swipe up"),
                shows("delete_past"),
                share=0.55,
            ),
            tap(
                "delete_past",
                drawn.say("Tap Delete past events", "Choose Delete past events", "Tap the last row"),
                layer("DeletePast"),
            ),
            tap(
                "button_ok", drawn.say("Confirm with Delete", "Tap Delete", "Agree to it"), snack("Past events deleted")
            ),
            done(),
        ),
        data(lambda d: all(e["day"] >= d["today"] for e in d["events"])),
    )


TEMPLATES = tuple(
    Template(name, "calendar", plan)
    for name, plan in (
        ("calendar-birthday", birthday),
        ("calendar-choice", choice),
        ("calendar-switch", switch),
        ("calendar-delete-past", delete_past),
    )
)
