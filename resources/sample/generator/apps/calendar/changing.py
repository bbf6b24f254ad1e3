"""Goals that change an event which is there."""

from __future__ import annotations

from datetime import date, timedelta

from stepscope.resources.sample.generator.apps.calendar.content import (
    WHICH,
    coming,
    kept,
    pick_day,
    pick_start,
    save,
    say_day,
    say_time,
    to_event,
    to_form,
)
from stepscope.resources.sample.generator.plan import Chance, GoalPlan, Template
from stepscope.resources.sample.generator.wording import WordingSampler
from stepscope.resources.sample.script import PhoneView, by_words, done, hold, layer, page, shows, snack, tap, write

PEOPLE = ("Boris", "Chiara", "Dario", "Edda", "Farid", "Greta", "Hugo", "Imani", "Jasper")
REMINDERS = ("None", "5 minutes before", "10 minutes before", "30 minutes before", "1 hour before", "1 day before")
COLOURS = ("Blue", "Green", "Red", "Orange", "Purple", "Pink")
TITLES = ("Family time", "Walk by the river", "Phone interview", "Open evening", "Farewell lunch", "Stocktaking")
_NAMES = ("What should the new title be?", "What should I call it?", "Which name should it get?")
PLACES = ("Tram depot", "Hall C", "Birch Road 17", "The Blue Room", "Ferry pier", "Garden shed")


def move_day(view: PhoneView, chance: Chance) -> GoalPlan | None:
    """The event two to twelve days later. Slots `event`, `day`; None when the agenda cannot be read."""
    drawn = WordingSampler(chance)
    event = chance.choice(coming(view))
    way = to_form(view, drawn, event)
    if way is None:
        return None
    old = date.fromisoformat(event["day"])
    new = old + timedelta(days=chance.randint(2, 12))
    title, said = event["title"], say_day(view, drawn, new)
    goal = drawn.goal(
        f"Move [event|{title}|an event][day| to {said}| to another day]",
        f"[event|{title}|Something] takes place [day|on {said}|later] after all, change it in the calendar",
        f"Please put [event|{title}|one of the events] off[day| until {said}]",
        f"The date of [event|{title}|an event] has changed[day|, it is now {said}], correct it",
    )
    pick = pick_day(drawn, old, new)
    days = ("To which day?", "What is the new date?", "Which day should it be?")
    return GoalPlan(
        goal.full,
        (*way, *pick, save(drawn), done()),
        kept(event, day=new.isoformat()),
        slots=(
            drawn.slot(goal, "event", title, 0, WHICH),
            drawn.slot(goal, "day", said, len(way) + len(pick) - 1, days),
        ),
    )


def shift(view: PhoneView, chance: Chance) -> GoalPlan | None:
    """By the menu of a long press: a day or a week later."""
    drawn = WordingSampler(chance)
    event = chance.choice(coming(view))
    way = to_event(view, chance, event)
    if way is None:
        return None
    days, item, words = chance.choice(
        ((1, "menu_next_day", "Move to the next day"), (7, "menu_next_week", "Move by a week"))
    )
    far = drawn.say(*(("a day", "one day") if days == 1 else ("a week", "one week")))
    title = event["title"]
    goal = drawn.goal(
        f"Shift [event|{title}|an event] by {far}",
        f"[event|{title}|One of my events] is {far} later, same time",
        f"Push [event|{title}|an event] back {far}, will you?",
        f"I can't make it to [event|{title}|an appointment], delay it by {far}",
    )
    new = date.fromisoformat(event["day"]) + timedelta(days=days)
    return GoalPlan(
        goal.full,
        (
            *way,
            hold(
                f"event_{event['id']}",
                drawn.say(f"Press and hold {title}", f"Long press {title}", f"Hold the entry {title}"),
                layer("EventMenu"),
            ),
            tap(item, drawn.say(f"Choose {words}", f"Tap {words}"), snack("Moved to")),
            done(),
        ),
        kept(event, day=new.isoformat()),
        slots=(drawn.slot(goal, "event", title, 0, WHICH),),
    )


def retime(view: PhoneView, chance: Chance) -> GoalPlan | None:
    """The event at another time of the same day. Slot `time`; None when the agenda cannot be read."""
    drawn = WordingSampler(chance)
    event = chance.choice(coming(view))
    way = to_form(view, drawn, event)
    if way is None:
        return None
    hour, minute = chance.randint(7, 20), chance.choice((0, 10, 15, 30, 45))
    if hour * 60 + minute == event["start"]:
        hour += 1
    title, at = event["title"], say_time(drawn, hour, minute)
    goal = drawn.goal(
        f"Let {title} begin [time|at {at}|at another time]",
        f"{title} starts [time|at {at}|at a different time] now, set that right",
        f"Change the time of {title}[time| to {at}]",
        f"They moved {title}[time| to {at}], same day. Please update my calendar",
    )
    asked = ("When does it start now?", "To what time should I change it?", "What is the new time?")
    return GoalPlan(
        goal.full,
        (*way, *pick_start(drawn, hour, minute), save(drawn), done()),
        kept(event, start=hour * 60 + minute, day=event["day"]),
        slots=(drawn.slot(goal, "time", at, len(way) + 1, asked),),
        key=len(way) - 1,
    )


def replace_place(view: PhoneView, chance: Chance) -> GoalPlan | None:
    """Another place in the event's form. Slot `place`; None when the agenda cannot be read."""
    drawn = WordingSampler(chance)
    event = chance.choice(coming(view))
    way = to_form(view, drawn, event)
    if way is None:
        return None
    title, place = event["title"], chance.choice(PLACES)
    goal = drawn.goal(
        f"Set the place of {title}[place| to {place}]",
        f"{title} will be held [place|at {place}|somewhere else], note that",
        f"We meet [place|at {place}|at a new place] for {title}, please change the event",
        f"Correct where {title} is[place|: {place}]",
    )
    asked = ("Which place should I enter?", "Where is it now?", "What is the place?")
    return GoalPlan(
        goal.full,
        (
            *way,
            tap(
                "form_place",
                drawn.say("Tap Place", "Tap the field for the place", "Go to the place"),
                lambda view: bool(view.state["keyboard"]),
            ),
            write(place, drawn.say(f"Type {place}", f"Enter {place}", f"Replace it by {place}"), replace=True),
            save(drawn),
            done(),
        ),
        kept(event, place=place),
        slots=(drawn.slot(goal, "place", place, len(way) + 1, asked),),
    )


def invite(view: PhoneView, chance: Chance) -> GoalPlan | None:
    """One more guest for an event. Slot `guest`; None when the agenda cannot be read."""
    drawn = WordingSampler(chance)
    event = chance.choice(coming(view))
    way = to_form(view, drawn, event)
    if way is None:
        return None
    name = chance.choice([p for p in PEOPLE if p not in event["guests"]])
    title = event["title"]
    goal = drawn.goal(
        f"Invite [guest|{name}|somebody] to {title}",
        f"[guest|{name}|One more person] is coming to {title}, add them to the guests",
        f"Add [guest|{name}|a guest] to the event {title}",
        f"I'd like to have [guest|{name}|someone] with me at {title}, send an invitation",
    )
    asked = ("Whom should I invite?", "Who is the guest?", "Who should be added?")
    return GoalPlan(
        goal.full,
        (
            *way,
            tap(
                "form_guests", drawn.say("Tap Guests", "Open the guests", "Choose the row Guests"), layer("GuestSheet")
            ),
            tap(f"guest_{name.lower()}", drawn.say(f"Tick {name}", f"Tap {name}", f"Choose {name}")),
            tap("guests_done", drawn.say("Press Done", "Tap Done", "Close the list with Done"), layer(None)),
            save(drawn),
            done(),
        ),
        kept(event, guests=[*event["guests"], name]),
        slots=(drawn.slot(goal, "guest", name, len(way) + 1, asked),),
        key=len(way),
    )


def reminder(view: PhoneView, chance: Chance) -> GoalPlan | None:
    """Another time ahead for an event's reminder. Slot `lead`; None when the agenda cannot be read."""
    drawn = WordingSampler(chance)
    event = chance.choice(coming(view))
    way = to_form(view, drawn, event)
    if way is None:
        return None
    wanted = chance.choice([r for r in REMINDERS[1:] if r != event["reminder"]])
    title, said = event["title"], wanted.removesuffix(" before").replace("1 hour", "an hour").replace("1 day", "a day")
    goal = drawn.goal(
        f"Remind me of {title}[lead| {said} ahead]",
        f"I want a reminder [lead|{said} before|before] {title}",
        f"Set the reminder for {title}[lead| to {said} before]",
        f"Please let the phone remind me of {title}, [lead|{said} earlier|in good time]",
    )
    asked = ("How long before should I remind you?", "How far ahead?", "When should the reminder come?")
    return GoalPlan(
        goal.full,
        (
            *way,
            tap(
                "form_reminder",
                drawn.say("Tap Reminder", "Open the reminder", "Choose the row with the bell"),
                layer("ReminderDialog"),
            ),
            tap(by_words(wanted, "option_"), drawn.say(f"Choose {wanted}", f"Tap {wanted}"), layer(None)),
            save(drawn),
            done(),
        ),
        kept(event, reminder=wanted),
        slots=(drawn.slot(goal, "lead", said, len(way) + 1, asked),),
        key=len(way),
    )


def colour(view: PhoneView, chance: Chance) -> GoalPlan | None:
    """Another colour for an event. Slot `colour`; None when the agenda cannot be read."""
    drawn = WordingSampler(chance)
    event = chance.choice(coming(view))
    way = to_form(view, drawn, event)
    if way is None:
        return None
    wanted = chance.choice([c for c in COLOURS if c != event["colour"]])
    title, said = event["title"], wanted.lower()
    goal = drawn.goal(
        f"Show {title} [colour|in {said}|in another colour]",
        f"Colour the event {title}[colour| {said}]",
        f"Everything important is [colour|{said}|coloured] in my calendar, so make {title} [colour|{said}|the same]",
        f"Please give {title} [colour|the colour {said}|a new colour]",
    )
    asked = ("Which colour should it have?", "What colour would you like?", "In which colour?")
    return GoalPlan(
        goal.full,
        (
            *way,
            tap(
                "form_colour",
                drawn.say("Tap Colour", "Open the colours", "Choose the row with the palette"),
                layer("ColourDialog"),
            ),
            tap(
                f"colour_{said}", drawn.say(f"Choose {wanted}", f"Tap {wanted}", f"Pick the {said} circle"), layer(None)
            ),
            save(drawn),
            done(),
        ),
        kept(event, colour=wanted),
        slots=(drawn.slot(goal, "colour", said, len(way) + 1, asked),),
        key=len(way),
    )


def rename(view: PhoneView, chance: Chance) -> GoalPlan | None:
    """Found by the search, as its day is not said."""
    drawn = WordingSampler(chance)
    event = chance.choice(coming(view))
    title = event["title"]
    new = chance.choice(TITLES)
    goal = drawn.goal(
        f"Rename {title}[name| to {new}]",
        f"Look for {title} and call it [name|{new}|something else]",
        f"The event {title} should have the title [name|{new}|that we agreed on]",
        f"Search for {title} and change what it is called[name| to “{new}”]",
    )
    return GoalPlan(
        goal.full,
        (
            tap(
                "find_event",
                drawn.say("Tap the magnifying glass", "Open the search", "Tap Find an event"),
                page("FindEventPage"),
            ),
            write(title, drawn.say(f"Type {title}", f"Search for {title}"), shows(f"event_{event['id']}")),
            tap(
                f"event_{event['id']}",
                drawn.say(f"Open {title}", "Tap the result", f"Tap on {title}"),
                page("EventPage"),
            ),
            tap("edit_event", drawn.say("Tap the pencil", "Press Edit"), page("EventFormPage")),
            tap(
                "form_title",
                drawn.say("Tap the title", "Go to the field Title"),
                lambda view: bool(view.state["keyboard"]),
            ),
            write(new, drawn.say(f"Type {new}", f"Enter {new} instead", f"Replace it by {new}"), replace=True),
            save(drawn),
            done(),
        ),
        kept(event, title=new),
        slots=(drawn.slot(goal, "name", new, 5, _NAMES),),
        key=3,
    )


TEMPLATES = tuple(
    Template(name, "calendar", plan)
    for name, plan in (
        ("calendar-move-day", move_day),
        ("calendar-shift", shift),
        ("calendar-retime", retime),
        ("calendar-replace-place", replace_place),
        ("calendar-invite", invite),
        ("calendar-reminder", reminder),
        ("calendar-colour", colour),
        ("calendar-rename", rename),
    )
)
