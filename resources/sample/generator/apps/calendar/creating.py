"""Goals that put something new into the calendar."""

from __future__ import annotations

from datetime import date

from stepscope.resources.sample.generator.apps.calendar.content import (
    coming,
    later,
    ordinal,
    pick_day,
    pick_start,
    save,
    say_day,
    say_time,
    to_event,
    today,
)
from stepscope.resources.sample.generator.plan import Chance, GoalPlan, Template
from stepscope.resources.sample.generator.wording import WordingSampler
from stepscope.resources.sample.script import Move, PhoneView, Then, data, done, hold, layer, page, snack, tap, write

TITLES = (
    "Plumber",
    "Chess club",
    "Picnic",
    "Passport office",
    "Rent meeting",
    "Sauna night",
    "Moving day",
    "Guitar lesson",
    "Window cleaner",
    "Quiz evening",
    "Flea market",
    "Vaccination",
    "Rehearsal",
    "Class reunion",
    "Boat trip",
    "Bike repair",
)
PLACES = ("Dock 9", "Lower Street 5", "Green Room", "Pavilion", "Bay 2", "Cellar bar")
_NAMES = ("What should the event be called?", "Which title should it have?", "What is it about?")
_DAYS = ("On which day?", "For which date?", "When is it, which day?")
_TIMES = ("At what time does it start?", "What time?", "When does it begin?")


def _begin(drawn: WordingSampler, title: str) -> tuple[Move, ...]:
    return (
        tap(
            "new_event",
            drawn.say("Tap the plus", "Add a new event", "Press the round button in the corner"),
            page("EventFormPage"),
        ),
        write(title, drawn.say(f"Type {title}", f"Enter {title} as the title", f"Write {title}")),
    )


def _there(title: str, **wanted: object) -> Then:
    return data(lambda d: any(e["title"] == title and all(e[k] == v for k, v in wanted.items()) for e in d["events"]))


def _hour(chance: Chance) -> tuple[int, int]:
    return chance.randint(7, 20), chance.choice((0, 0, 15, 30, 45, 20))


def timed(view: PhoneView, chance: Chance) -> GoalPlan:
    """Something today, at a time."""
    drawn = WordingSampler(chance)
    title, (hour, minute) = chance.choice(TITLES), _hour(chance)
    at = say_time(drawn, hour, minute)
    goal = drawn.goal(
        f"Put [name|{title}|something new] in my calendar for today[time| at {at}]",
        f"New event today[name|, {title}][time|, {at}]",
        f"I've got [name|{title}|an appointment] later today[time|, at {at}], could you enter it?",
        f"Please note [name|“{title}”|a new event] for today[time|, it starts at {at}]",
    )
    moves = (*_begin(drawn, title), *pick_start(drawn, hour, minute), save(drawn, "AgendaPage"), done())
    return GoalPlan(
        goal.full,
        moves,
        _there(title, day=view.data["today"], start=hour * 60 + minute),
        slots=(drawn.slot(goal, "name", title, 1, _NAMES), drawn.slot(goal, "time", at, 3, _TIMES)),
        key=0,
    )


def dated(view: PhoneView, chance: Chance) -> GoalPlan:
    """Something on another day, whatever the time."""
    drawn = WordingSampler(chance)
    title, day = chance.choice(TITLES), later(view, chance)
    said = say_day(view, drawn, day)
    goal = drawn.goal(
        f"Add [name|{title}|an event] to the calendar[day| on {said}]",
        f"Block [day|{said}|one day] for [name|{title}|something], the time does not matter",
        f"Please make an entry[name| “{title}”][day| on {said}]",
        f"So that I don't forget it: [name|{title}|something is planned][day| on {said}], add it to my calendar",
    )
    pick = pick_day(drawn, today(view), day)
    return GoalPlan(
        goal.full,
        (*_begin(drawn, title), *pick, save(drawn, "AgendaPage"), done()),
        _there(title, day=day.isoformat()),
        slots=(drawn.slot(goal, "name", title, 1, _NAMES), drawn.slot(goal, "day", said, len(pick) + 1, _DAYS)),
        key=0,
    )


def whole(view: PhoneView, chance: Chance) -> GoalPlan:
    """Title, day and time."""
    drawn = WordingSampler(chance)
    title, day, (hour, minute) = chance.choice(TITLES), later(view, chance, 1, 12), _hour(chance)
    said, at = say_day(view, drawn, day), say_time(drawn, hour, minute)
    goal = drawn.goal(
        f"Create the event {title} on {said}[time| at {at}]",
        f"{title} is on {said}[time| at {at}], put that in the calendar",
        f"I need a calendar entry for {title}: {said}[time|, {at}]",
        f"Would you plan {title} for me? It is on {said}[time| and begins at {at}]",
    )
    pick = pick_day(drawn, today(view), day)
    start = pick_start(drawn, hour, minute)
    return GoalPlan(
        goal.full,
        (*_begin(drawn, title), *pick, *start, save(drawn, "AgendaPage"), done()),
        _there(title, day=day.isoformat(), start=hour * 60 + minute),
        slots=(drawn.slot(goal, "time", at, len(pick) + 3, _TIMES),),
        key=0,
    )


def placed(view: PhoneView, chance: Chance) -> GoalPlan:
    """Something today, at a place."""
    drawn = WordingSampler(chance)
    title, place = chance.choice(TITLES), chance.choice(PLACES)
    goal = drawn.goal(
        f"Enter {title} for today[place|, the place is {place}|, with the place]",
        f"Make a new event {title}[place| with {place}| with an address] as its place",
        f"Please add {title} [place|at {place}|and where it is] to today's calendar",
        f"Today: {title}[place|, {place}|, and note down the place]. Add it",
    )
    moves = (
        *_begin(drawn, title),
        tap("form_place", drawn.say("Tap Place", "Go to the field for the place", "Tap the field below")),
        write(place, drawn.say(f"Type {place}", f"Enter {place}", f"Write {place} there")),
        save(drawn, "AgendaPage"),
        done(),
    )
    asked = ("Where is it?", "Which place should I enter?", "What is the place?")
    return GoalPlan(
        goal.full,
        moves,
        _there(title, place=place, day=view.data["today"]),
        slots=(drawn.slot(goal, "place", place, 3, asked),),
        key=0,
    )


def copied(view: PhoneView, chance: Chance) -> GoalPlan | None:
    """A second entry like one that is there."""
    drawn = WordingSampler(chance)
    event = chance.choice(coming(view))
    way = to_event(view, chance, event)
    if way is None:
        return None
    title = event["title"]
    goal = drawn.goal(
        f"Make a copy of [event|{title}|an event]",
        f"Duplicate [event|the entry {title}|one of the entries] in my calendar",
        f"I need [event|{title}|one event] twice, copy it",
        f"Could you double [event|“{title}”|that entry]? I will change the copy myself",
    )
    return GoalPlan(
        goal.full,
        (
            *way,
            hold(
                f"event_{event['id']}",
                drawn.say(f"Press and hold {title}", f"Long press {title}", f"Keep your finger on {title}"),
                layer("EventMenu"),
            ),
            tap(
                "menu_copy",
                drawn.say("Choose Make a copy", "Tap Make a copy", "Take the last entry"),
                snack("Copy added"),
            ),
            done(),
        ),
        data(lambda d: sum(e["title"] == title for e in d["events"]) == 2),
        slots=(
            drawn.slot(goal, "event", title, 0, ("Which event should I copy?", "Which one?", "What is it called?")),
        ),
    )


def month_entry(view: PhoneView, chance: Chance) -> GoalPlan:
    """A day touched in the month, then a new event there: the form starts with that day."""
    drawn = WordingSampler(chance)
    title = chance.choice(TITLES)
    day: date = later(view, chance, 1, 6)
    cell = f"day_{day.isoformat().replace('-', '_')}"
    said = say_day(view, drawn, day)
    goal = drawn.goal(
        f"Use the month view to add [name|{title}|an event] on {said}",
        f"Go to the month, touch {said} and enter [name|{title}|a new event] there",
        f"In the month view, plan [name|{title}|something] for {said}",
        f"Open the month, choose {said} and write down [name|“{title}”|what I have to do]",
    )
    turned = (day.year, day.month) != (today(view).year, today(view).month)
    turn = tap("next_month", drawn.say("Turn to the next month", "Tap the right arrow"))
    return GoalPlan(
        goal.full,
        (
            tap("view_month", drawn.say("Switch to Month", "Tap Month", "Open the month view"), page("MonthPage")),
            *((turn,) if turned else ()),
            tap(cell, drawn.say(f"Tap the {ordinal(day.day)}", f"Choose {day.day} {day:%B}", f"Touch {day.day}")),
            *_begin(drawn, title),
            save(drawn, "MonthPage"),
            done(),
        ),
        _there(title, day=day.isoformat()),
        slots=(drawn.slot(goal, "name", title, 3 + turned, _NAMES),),
        key=2 + turned,
    )


TEMPLATES = tuple(
    Template(name, "calendar", plan)
    for name, plan in (
        ("calendar-timed", timed),
        ("calendar-dated", dated),
        ("calendar-whole", whole),
        ("calendar-placed", placed),
        ("calendar-copied", copied),
        ("calendar-month-entry", month_entry),
    )
)
