"""Calendar: goal templates, detours and searches."""

from __future__ import annotations

from stepscope.resources.sample.generator.apps.calendar import changing, creating, options, using
from stepscope.resources.sample.generator.plan import AppGoals, Chance
from stepscope.resources.sample.generator.wording import WordingSampler
from stepscope.resources.sample.script import Move, PhoneView, back, layer, page, scroll, tap, write

_FIRST = page("AgendaPage")


def detours(view: PhoneView, chance: Chance) -> tuple[tuple[Move, ...], ...]:
    """Another view, the menu, the search or an empty form, and back."""
    drawn = WordingSampler(chance)
    agenda = tap("view_agenda", drawn.say("Back to Agenda", "Tap Agenda", "Switch to the agenda again"), _FIRST)
    menu = tap("open_menu", drawn.say("Open the menu", "Tap Menu"), layer("SideMenu"))
    form = tap("new_event", drawn.say("Start a new event", "Tap the plus"), page("EventFormPage"))
    look = tap("find_event", drawn.say("Open the search", "Tap the magnifying glass"), page("FindEventPage"))
    return (
        (tap("view_week", drawn.say("Look at the week", "Tap Week"), page("WeekPage")), agenda),
        (tap("view_day", drawn.say("Look at the day", "Tap Day"), page("DayPage")), agenda),
        (tap("view_month", drawn.say("Look at the month", "Tap Month"), page("MonthPage")), agenda),
        (menu, back(drawn.say("Close the menu", "Go back"), layer(None))),
        (form, tap("discard", drawn.say("Close the form again", "Tap the cross"), _FIRST)),
        (look, tap("navigate_up", drawn.say("Leave the search", "Tap the arrow back"), _FIRST)),
    )


def searches(view: PhoneView, chance: Chance) -> tuple[tuple[Move, ...], ...]:
    """Ways to look for something that may not be there."""
    drawn = WordingSampler(chance)
    menu = tap("open_menu", drawn.say("Look into the menu", "Open the menu"), layer("SideMenu"))
    choose = tap("side_options", drawn.say("Choose Options", "Look at the options"), page("OptionsPage"))
    words = drawn.say("alarm", "timer", "clock", "city")
    return (
        (menu, choose, scroll("options_list", drawn.say("Scroll down", "Look at the rest of the options"), share=0.5)),
        (
            tap("find_event", drawn.say("Open the search", "Tap the magnifying glass"), page("FindEventPage")),
            write(words, drawn.say(f"Type {words}", f"Search for {words}")),
        ),
        (
            tap("new_event", drawn.say("Look at a new event", "Tap the plus"), page("EventFormPage")),
            back(drawn.say("Put the keyboard away", "Close the keyboard")),
        ),
        (
            scroll("agenda_list", drawn.say("Scroll through the agenda", "Look further ahead"), share=0.45),
            tap("view_month", drawn.say("Look at the month", "Tap Month"), page("MonthPage")),
        ),
    )


GOALS = AppGoals(
    app="calendar",
    title="Calendar",
    category="time",
    held_out=True,
    templates=(*creating.TEMPLATES, *changing.TEMPLATES, *using.TEMPLATES, *options.TEMPLATES),
    detours=detours,
    searches=searches,
)
