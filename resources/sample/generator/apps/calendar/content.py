"""Reading the calendar's own data, saying days and times, and the ways that several goals share."""

from __future__ import annotations

from datetime import date, timedelta
from typing import Any

from stepscope.resources.sample.generator.plan import Chance
from stepscope.resources.sample.generator.reach import scrolls_to
from stepscope.resources.sample.generator.wording import WordingSampler
from stepscope.resources.sample.script import Move, PhoneView, Then, data, layer, page, shows, tap

Event = dict[str, Any]

WHICH = ("Which event do you mean?", "Which entry of the calendar is it?", "What is the event called?")
DOWN = ("Scroll on to later days", "Scroll down the agenda", "Swipe up towards the later events", "Look further ahead")


def today(view: PhoneView) -> date:
    """The day that the phone takes for today."""
    return date.fromisoformat(view.data["today"])


def coming(view: PhoneView) -> list[Event]:
    """The events from today on, as the agenda lists them."""
    return [event for event in view.data["events"] if event["day"] >= view.data["today"]]


def to_event(view: PhoneView, chance: Chance, event: Event) -> tuple[Move, ...] | None:
    """The scrolls of the agenda that bring the event to a finger."""
    order = [f"event_{other['id']}" for other in coming(view)]
    return scrolls_to(view, "agenda_list", order, f"event_{event['id']}", DOWN, chance)


def open_event(drawn: WordingSampler, event: Event) -> Move:
    """The agenda's entry touched, which opens the event's page."""
    title = event["title"]
    says = (f"Open {title}", f"Tap on {title}", f"Tap the entry {title}", f"Choose {title} in the agenda")
    return tap(f"event_{event['id']}", drawn.say(*says), page("EventPage"))


def edit(drawn: WordingSampler) -> Move:
    """From an event's page into its form."""
    return tap("edit_event", drawn.say("Tap the pencil", "Press Edit", "Open it for editing"), page("EventFormPage"))


def save(drawn: WordingSampler, back_to: str = "EventPage") -> Move:
    """The form saved; `back_to` is the page that stands below it."""
    return tap("save_event", drawn.say("Press Save", "Tap Save", "Save it with the button at the top"), page(back_to))


def to_form(view: PhoneView, drawn: WordingSampler, event: Event) -> tuple[Move, ...] | None:
    """From the agenda into the form of an event; None when the agenda cannot be read."""
    way = to_event(view, drawn.chance, event)
    return None if way is None else (*way, open_event(drawn, event), edit(drawn))


def pick_day(drawn: WordingSampler, shown: date, day: date) -> tuple[Move, ...]:
    """Open the form's date and choose `day`, at most a month after `shown`; the chosen day is tapped last."""
    cell = f"date_{day.isoformat().replace('-', '_')}"
    turn = tap("picker_next", drawn.say("Turn to the next month", "Tap the arrow to the right"), shows(cell))
    words = f"{day.day} {day:%B}"
    return (
        tap("form_date", drawn.say("Tap Date", "Open the date", "Tap the row with the date"), layer("DayDialog")),
        *(() if (shown.year, shown.month) == (day.year, day.month) else (turn,)),
        tap(cell, drawn.say(f"Choose {words}", f"Tap {day.day}", f"Pick the {ordinal(day.day)}"), layer(None)),
    )


def pick_start(drawn: WordingSampler, hour: int, minute: int) -> tuple[Move, ...]:
    """Open the form's start and choose hour and minutes, in three moves."""
    return (
        tap(
            "form_start",
            drawn.say("Tap Starts at", "Open the starting time", "Tap the row with the time"),
            layer("StartSheet"),
        ),
        tap(
            f"start_hour_{hour}",
            drawn.say(f"Choose {hour:02d} for the hour", f"Tap {hour:02d}", f"Pick the hour {hour:02d}"),
            shows(f"start_minute_{minute}"),
        ),
        tap(
            f"start_minute_{minute}",
            drawn.say(f"Choose {minute:02d} for the minutes", f"Tap {minute:02d}", f"Pick {minute:02d} minutes"),
            layer(None),
        ),
    )


def kept(event: Event, **wanted: object) -> Then:
    """The event, known by its number, has these values."""

    def test(found: dict[str, Any]) -> bool:
        now = next((e for e in found["events"] if e["id"] == event["id"]), None)
        return now is not None and all(now[key] == value for key, value in wanted.items())

    return data(test)


# --- saying ----------------------------------------------------------------------------------------------------------


def ordinal(number: int) -> str:
    """A whole number as 1st, 2nd, 3rd, 11th."""
    ending = "th" if 10 <= number % 100 <= 13 else {1: "st", 2: "nd", 3: "rd"}.get(number % 10, "th")
    return f"{number}{ending}"


def say_day(view: PhoneView, drawn: WordingSampler, day: date) -> str:
    """The day in words that fit behind "on"."""
    return drawn.say(f"{day:%A} {day.day} {day:%B}", f"{day.day} {day:%B}", f"the {ordinal(day.day)} of {day:%B}")


def say_time(drawn: WordingSampler, hour: int, minute: int) -> str:
    """The time as 14:05, or as 2:05 pm; full hours as 2 pm."""
    half = "am" if hour < 12 else "pm"
    short = f"{(hour + 11) % 12 + 1}:{minute:02d} {half}" if minute else f"{(hour + 11) % 12 + 1} {half}"
    return drawn.say(f"{hour}:{minute:02d}", short)


def later(view: PhoneView, chance: Chance, low: int = 1, high: int = 20) -> date:
    """A day ahead of today."""
    return today(view) + timedelta(days=chance.randint(low, high))
