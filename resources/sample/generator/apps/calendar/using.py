"""Goals that use an event, look at a stretch of time, or take something out."""

from __future__ import annotations

from datetime import timedelta

from stepscope.core.domain.episode import InfeasibilityReason
from stepscope.resources.sample.generator.apps.calendar.content import (
    WHICH,
    coming,
    open_event,
    say_day,
    to_event,
    today,
)
from stepscope.resources.sample.generator.plan import Chance, GoalPlan, Template
from stepscope.resources.sample.generator.wording import WordingSampler
from stepscope.resources.sample.script import (
    Move,
    PhoneView,
    both,
    data,
    done,
    give_up,
    layer,
    page,
    snack,
    swipe,
    tap,
    write,
)

NOTES = (
    "I am ten minutes late",
    "See you there",
    "Please be on time",
    "Who brings the cake",
    "It is on, rain or shine",
)


def _note_goals(title: str, text: str) -> tuple[str, ...]:
    return (
        f"Write to the guests of {title}[text|: {text}]",
        f"Let everyone who is invited to {title} know[text|: “{text}”| something]",
        f"Send the guests of {title} a message[text| saying {text}]",
        f"Please tell the others at {title}[text|, “{text}”| what I think]",
    )


def note(view: PhoneView, chance: Chance) -> GoalPlan | None:
    """A message to an event's guests. Slot `text`; None without an event with guests, or when none can be reached."""
    drawn = WordingSampler(chance)
    events = [e for e in coming(view) if e["guests"]]
    event = chance.choice(events) if events else None
    way = to_event(view, chance, event) if event else None
    if event is None or way is None:
        return None
    text = chance.choice(NOTES)
    goal = drawn.goal(*_note_goals(event["title"], text))
    asked = ("What should I write?", "What is the message?", "What would you like to tell them?")
    return GoalPlan(
        goal.full,
        (
            *way,
            open_event(drawn, event),
            tap(
                "message_guests",
                drawn.say("Tap Message", "Press Message beside the guests", "Write to the guests"),
                layer("NoteDialog"),
            ),
            write(text, drawn.say(f"Type {text}", f"Enter the text {text}", f"Write: {text}")),
            tap("send_note", drawn.say("Press Send", "Tap Send", "Send it"), snack("Sent to")),
            done(),
        ),
        data(lambda d: {"event": event["id"], "text": text} in d["sent"]),
        slots=(drawn.slot(goal, "text", text, len(way) + 2, asked),),
        key=len(way) + 1,
    )


def note_early(view: PhoneView, chance: Chance) -> GoalPlan | None:
    """An event without guests has nobody to write to."""
    drawn = WordingSampler(chance)
    events = [e for e in coming(view) if not e["guests"]]
    event = chance.choice(events) if events else None
    way = to_event(view, chance, event) if event else None
    if event is None or way is None:
        return None
    title = event["title"]
    return GoalPlan(
        drawn.goal(*_note_goals(title, chance.choice(NOTES))).full,
        (
            *way,
            open_event(drawn, event),
            give_up(drawn.say("Nobody is invited", f"{title} has no guests", "There is nobody to write to")),
        ),
        page("EventPage"),
        reason=InfeasibilityReason.PREMATURE,
        follow_up=drawn.say(
            f"Nobody is invited to {title} yet. Whom should I add first?",
            f"{title} has no guests so far, shall I invite someone before I write?",
        ),
    )


def _copy_goals(title: str) -> tuple[str, ...]:
    return (
        f"Copy the place of [event|{title}|an event], I'll paste it into the map",
        f"I need the address of [event|{title}|my appointment] on the clipboard",
        f"Where is [event|“{title}”|my appointment]? Copy the place",
        f"Please copy where [event|{title}|one of the events] takes place",
    )


def copy_place(view: PhoneView, chance: Chance) -> GoalPlan | None:
    """An event's place into the clipboard. Slot `event`; None without an event with a place in reach."""
    drawn = WordingSampler(chance)
    events = [e for e in coming(view) if e["place"]]
    event = chance.choice(events) if events else None
    way = to_event(view, chance, event) if event else None
    if event is None or way is None:
        return None
    goal = drawn.goal(*_copy_goals(event["title"]))
    return GoalPlan(
        goal.full,
        (
            *way,
            open_event(drawn, event),
            tap(
                "copy_place",
                drawn.say("Tap Copy", "Press Copy beside the place", "Copy the place"),
                snack("Place copied"),
            ),
            done(),
        ),
        data(lambda d: d["clipboard"] == event["place"]),
        slots=(drawn.slot(goal, "event", event["title"], 0, WHICH),),
        key=len(way) + 1,
    )


def copy_place_early(view: PhoneView, chance: Chance) -> GoalPlan | None:
    """No place was entered yet."""
    drawn = WordingSampler(chance)
    events = [e for e in coming(view) if not e["place"]]
    event = chance.choice(events) if events else None
    way = to_event(view, chance, event) if event else None
    if event is None or way is None:
        return None
    title = event["title"]
    return GoalPlan(
        drawn.goal(*_copy_goals(title)).full,
        (
            *way,
            open_event(drawn, event),
            give_up(drawn.say("It has no place", f"No place is noted for {title}", "The place is missing")),
        ),
        both(page("EventPage"), data(lambda d: not d["clipboard"])),
        reason=InfeasibilityReason.PREMATURE,
        follow_up=drawn.say(
            f"{title} has no place yet. Where is it?", f"No place is entered for {title}, which one should I add first?"
        ),
    )


def delete(view: PhoneView, chance: Chance) -> GoalPlan | None:
    """An event into the bin, from its own page. Slot `event`; None when the agenda cannot be read."""
    drawn = WordingSampler(chance)
    event = chance.choice(coming(view))
    way = to_event(view, chance, event)
    if way is None:
        return None
    title = event["title"]
    goal = drawn.goal(
        f"Take [event|{title}|an event] out of my calendar",
        f"[event|{title}|Something] was cancelled, delete it",
        f"Please remove the event[event| {title}]",
        f"I'm not going to [event|{title}|one of these], so get rid of it",
    )
    return GoalPlan(
        goal.full,
        (
            *way,
            open_event(drawn, event),
            tap(
                "delete_event",
                drawn.say("Tap the bin", "Press Delete event", "Tap the bin at the top"),
                layer("DeleteEvent"),
            ),
            tap(
                "button_ok",
                drawn.say("Confirm with Delete", "Tap Delete", "Say yes to deleting"),
                snack("Moved to the bin"),
            ),
            done(),
        ),
        data(lambda d: all(e["id"] != event["id"] for e in d["events"])),
        slots=(drawn.slot(goal, "event", title, 0, WHICH),),
        key=len(way) + 1,
    )


def restore(view: PhoneView, chance: Chance) -> GoalPlan:
    """Feasible when the bin holds something; otherwise nothing was deleted yet."""
    drawn = WordingSampler(chance)
    goal = drawn.goal(
        "Bring back the event that I deleted last",
        "I deleted an event by mistake, restore the last one",
        "Restore the topmost event of the bin",
        "Undo my last deletion in the calendar, it is in the bin",
    )
    menu = tap("open_menu", drawn.say("Open the menu", "Tap the lines at the top left", "Tap Menu"), layer("SideMenu"))
    bin_ = tap("side_bin", drawn.say("Choose Bin", "Open the bin", "Tap Bin"), page("BinPage"))
    if not view.data["bin"]:
        return GoalPlan(
            goal.full,
            (menu, bin_, give_up(drawn.say("The bin is empty", "There is nothing in the bin"))),
            both(page("BinPage"), data(lambda d: not d["bin"])),
            reason=InfeasibilityReason.PREMATURE,
            follow_up=drawn.say(
                "Nothing was deleted yet. Which event are you missing?", "The bin is empty, what are you looking for?"
            ),
        )
    event = view.data["bin"][0]
    says = (f"Restore {event['title']}", f"Tap Restore beside {event['title']}", "Tap the first Restore")
    return GoalPlan(
        goal.full,
        (menu, bin_, tap(f"restore_{event['id']}", drawn.say(*says), snack(event["title"])), done()),
        data(lambda d: any(e["id"] == event["id"] for e in d["events"])),
        key=2,
    )


def weeks(view: PhoneView, chance: Chance) -> GoalPlan:
    """The week view, one or two weeks on."""
    drawn = WordingSampler(chance)
    number = chance.choice((1, 2))
    words = {1: ("next week", "the coming week"), 2: ("the week after next", "the week in two weeks' time")}[number]
    said = drawn.say(*words)
    goal = drawn.goal(
        f"Show me [week|{said}|a week] in the calendar",
        f"What does [week|{said}|a later week] look like? Open it as a week",
        f"Open the week view[week| at {said}| at another week]",
        f"I want to see [week|{said}|one of the coming weeks] as a whole",
    )
    target = (today(view) + timedelta(days=7 * number)).isoformat()
    turns = [_turned(drawn, chance, "week", today(view) + timedelta(days=7 * (i + 1))) for i in range(number)]
    asked = ("Which week would you like to see?", "Which week?", "How far ahead should I look?")
    return GoalPlan(
        goal.full,
        (
            tap("view_week", drawn.say("Switch to Week", "Tap Week", "Open the week view"), page("WeekPage")),
            *turns,
            done(),
        ),
        both(page("WeekPage"), data(lambda d: d["day"] == target)),
        slots=(drawn.slot(goal, "week", said, 1, asked),),
    )


def _turned(drawn: WordingSampler, chance: Chance, what: str, day: object) -> Move:
    """Turn the page on, by the arrow or with a swipe."""
    then = data(lambda d: d["day"] == str(day))
    if chance.random() < 0.5:
        return tap(
            f"next_{what}", drawn.say("Tap the right arrow", f"Go on to the next {what}", f"Tap Next {what}"), then
        )
    return swipe(
        f"{what}_view", "left", drawn.say("Swipe to the left", f"Swipe on to the next {what}", "Swipe left"), then
    )


def some_day(view: PhoneView, chance: Chance) -> GoalPlan:
    """The day view, a few days on."""
    drawn = WordingSampler(chance)
    number = chance.choice((1, 2, 3))
    day = today(view) + timedelta(days=number)
    said = say_day(view, drawn, day)
    goal = drawn.goal(
        f"What have I got on [day|{said}|a certain day]? Show it as a day",
        f"Open [day|{said}|one of the next days] in the day view",
        f"Show me the hours of [day|{said}|another day]",
        f"Go to [day|{said}|the day that I mean], hour by hour please",
    )
    turns = [_turned(drawn, chance, "day", today(view) + timedelta(days=i + 1)) for i in range(number)]
    asked = ("Which day would you like to see?", "Which day?", "For which date?")
    return GoalPlan(
        goal.full,
        (tap("view_day", drawn.say("Switch to Day", "Tap Day", "Open the day view"), page("DayPage")), *turns, done()),
        both(page("DayPage"), data(lambda d: d["day"] == day.isoformat())),
        slots=(drawn.slot(goal, "day", said, 1, asked),),
    )


TEMPLATES = tuple(
    Template(name, "calendar", plan)
    for name, plan in (
        ("calendar-note", note),
        ("calendar-note-early", note_early),
        ("calendar-copy-place", copy_place),
        ("calendar-copy-place-early", copy_place_early),
        ("calendar-delete", delete),
        ("calendar-restore", restore),
        ("calendar-weeks", weeks),
        ("calendar-some-day", some_day),
    )
)
