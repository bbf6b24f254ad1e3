"""Alarms: add, change, switch, remove, and what cannot be done as long as there is no such alarm."""

from __future__ import annotations

from typing import Any

from stepscope.core.domain.episode import InfeasibilityReason
from stepscope.resources.sample.generator.plan import Chance, GoalPlan
from stepscope.resources.sample.generator.reach import scrolls_to
from stepscope.resources.sample.generator.wording import WordingSampler
from stepscope.resources.sample.script import (
    Move,
    PhoneView,
    by_words,
    data,
    done,
    give_up,
    hold,
    layer,
    page,
    snack,
    swipe,
    tap,
    write,
)

KNOWN = (
    "Wake up", "Gym", "Market day", "Medication", "Stand-up call", "Water the plants", "Pick up parcel",
    "Language class", "Bins out", "Sunday run", "Nap", "Choir",
)  # fmt: skip
NEW = (
    "Airport",
    "Dentist",
    "Call the bank",
    "Bread out",
    "Yoga",
    "School bus",
    "Feed the cat",
    "Laundry",
    "Early shift",
)
DAYS = ("Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday")
SOUNDS = ("Morning birds", "Soft bells", "Harbour", "Marimba", "Rising tide", "Wooden blocks", "Silent")
_SCROLLS = ("Scroll down the list of alarms", "Scroll to the later alarms", "Scroll down", "Look further down the list")
_WHICH = ("Which alarm do you mean?", "There are several alarms. Which one is it?", "Which of your alarms?")


def _time(hour: int, minute: int) -> str:
    return f"{hour}:{minute:02}"


def _pick_time(draw: WordingSampler, hour: int, minute: int, was: int = 0) -> list[Move]:
    """The taps on the dial that is open; the minutes are left alone when they are right as they were."""
    moves = [tap(f"hour_{hour}", draw.say(f"Pick {hour} on the dial", f"Tap {hour}", f"Set the hour to {hour}"))]
    if minute != was:
        says = (f"Pick {minute:02} minutes", f"Tap {minute:02}", "Choose the minutes")
        moves.append(tap(f"minute_{minute}", draw.say(*says)))
    return [*moves, tap("button_ok", draw.say("Confirm with OK", "Tap OK", "Close the dial with OK"), layer(None))]


def _add(draw: WordingSampler) -> Move:
    return tap(
        "add_alarm", draw.say("Tap Add alarm", "Press the plus button", "Start a new alarm"), layer("TimePicker")
    )


def _save(draw: WordingSampler) -> Move:
    return tap("save_alarm", draw.say("Press Save", "Tap Save", "Save the alarm"), page("AlarmListPage"))


def _has(**wanted: Any) -> Any:
    """Some alarm has all these values."""
    return data(lambda d: any(all(a[k] == v for k, v in wanted.items()) for a in d["alarms"]))


def new_alarm(view: PhoneView, chance: Chance) -> GoalPlan | None:
    """An alarm with a time and a label. Slots `time`, `name`."""
    draw = WordingSampler(chance)
    hour, minute, label = chance.randint(4, 22), chance.randrange(0, 60, 5), chance.choice(NEW)
    at = _time(hour, minute)
    words = draw.goal(
        f"Wake me[time| at {at}] tomorrow and[name| call the alarm {label}| give the alarm a name]",
        f"New alarm[time| for {at}],[name| label {label}| with a label]",
        f"Could you please set an alarm[time| at {at}] and[name| write {label} on it| put a label on it]?",
        f"I must not miss it, so add an alarm[time| for {at}] and name it[name| {label}| properly]",
        f"Add an alarm[time| at {at}][name| called {label}| with its own name]",
    )
    moves = [_add(draw), *_pick_time(draw, hour, minute)]
    moves += [
        tap(
            "alarm_label",
            draw.say("Tap the field Label", "Tap Alarm name", "Touch the label field"),
            lambda v: v.state["keyboard"],
        ),
        write(label, draw.say(f"Type {label}", f"Write {label}", "Type the name of the alarm")),
        _save(draw),
        done(),
    ]
    slots = (
        draw.slot(words, "time", at, 1, ("What time should the alarm ring?", "When shall it go off?", "At what time?")),
        draw.slot(
            words, "name", label, len(moves) - 3, ("What should the alarm be called?", "Which name shall I give it?")
        ),
    )
    return GoalPlan(words.full, tuple(moves), _has(hour=hour, minute=minute, label=label), slots, key=0)


def weekly_alarm(view: PhoneView, chance: Chance) -> GoalPlan | None:
    """An alarm on two days of the week. Slots `time`, and `days` where the goal names them apart."""
    draw = WordingSampler(chance)
    hour, minute = chance.randint(5, 21), chance.choice((0, 10, 15, 20, 30, 45))
    days = sorted(chance.sample(range(7), 2))
    at, on = _time(hour, minute), " and ".join(DAYS[day] for day in days)
    words = draw.goal(
        f"Set an alarm[time| for {at}] that rings every {on}",
        f"Alarm[time| at {at}],[days| each {on}| on certain days]",
        f"I have a course now, please wake me[time| at {at}] on [days|{on}|the days of the course]",
        f"Let it ring[time| at {at}] each week on [days|{on}|two days]",
    )
    moves = [_add(draw), *_pick_time(draw, hour, minute)]
    step = len(moves)
    moves += [tap(f"day_{DAYS[d][:3].lower()}", draw.say(f"Tap {DAYS[d]}", f"Choose {DAYS[d][:3]}")) for d in days]
    slots = [draw.slot(words, "time", at, 1, ("At what time should it ring?", "What time do you need?"))]
    if words.without("days") != words.full:
        slots.append(draw.slot(words, "days", on, step, ("On which days?", "Which days of the week do you mean?")))
    result = _has(hour=hour, minute=minute, days=days)
    return GoalPlan(words.full, (*moves, _save(draw), done()), result, tuple(slots), key=0)


def _reached(view: PhoneView, chance: Chance, alarm: dict[str, Any]) -> list[Move] | None:
    """The scrolls that bring the alarm's card to the finger."""
    order = [f"alarm_{a['id']}" for a in view.data["alarms"]]
    moves = scrolls_to(view, "alarm_list", order, f"alarm_{alarm['id']}", _SCROLLS, chance)
    return None if moves is None else list(moves)


def _chosen(view: PhoneView, chance: Chance) -> tuple[dict[str, Any], list[Move]] | None:
    """Some alarm, and the scrolls to it."""
    alarm = chance.choice(view.data["alarms"])
    moves = _reached(view, chance, alarm)
    return None if moves is None else (alarm, moves)


def switch_alarm(view: PhoneView, chance: Chance) -> GoalPlan | None:
    """An alarm on or off by its switch. Slot `which`; None when its card cannot be reached."""
    if (found := _chosen(view, chance)) is None:
        return None
    draw, (alarm, moves) = WordingSampler(chance), found
    label, on = alarm["label"], alarm["on"]
    to = "off" if on else "on"
    words = draw.goal(
        f"Turn {to} the alarm[which| {label}]",
        f"Please switch[which| the {label} alarm| one of my alarms] {to}",
        f"The alarm[which| called {label}] should be {to} from now on",
        f"[which|{label} alarm|alarm] {to}",
        f"Plans have changed: set the alarm[which| {label}] to {to}",
    )
    at = _time(alarm["hour"], alarm["minute"])
    says = (f"Flip the switch of {label}", f"Tap the switch next to {at}", f"Switch {to} the {label} alarm")
    moves.append(tap(f"onoff_{alarm['id']}", draw.say(*says), snack("Alarm switched off" if on else "Alarm rings in")))
    slot = draw.slot(words, "which", label, len(moves) - 1, _WHICH, (f"The one called {label}.", f"{label}."))
    return GoalPlan(words.full, (*moves, done()), _has(id=alarm["id"], on=not on), (slot,), key=len(moves) - 1)


def _delete_words(draw: WordingSampler, label: str) -> Any:
    return draw.goal(
        f"Delete the alarm[which| {label}]",
        f"I no longer need the alarm[which| {label}], remove it",
        f"Could you take[which| the {label} alarm| the old alarm] off the list?",
        f"Throw out the alarm[which| that is called {label}]",
        f"Get rid of the alarm[which| {label}], it only annoys me",
    )


def delete_alarm(view: PhoneView, chance: Chance) -> GoalPlan | None:
    """An alarm swiped away, or deleted in its menu. Slot `which`; None when its card cannot be reached."""
    if (found := _chosen(view, chance)) is None:
        return None
    draw, (alarm, moves) = WordingSampler(chance), found
    label, card, key = alarm["label"], f"alarm_{alarm['id']}", None
    words, step = _delete_words(draw, label), len(moves)
    if chance.random() < 0.4:
        says = (f"Swipe the {label} alarm away", f"Swipe {label} to the left", "Push the card out to the left")
        moves.append(swipe(card, "left", draw.say(*says), snack("Alarm deleted")))
    else:
        says = (f"Press and hold the {label} alarm", f"Long press {label}", "Hold the card of the alarm")
        moves.append(hold(card, draw.say(*says), layer("Menu")))
        key = len(moves)
        moves.append(tap("menu_delete", draw.say("Choose Delete", "Tap Delete", "Take the last entry"), snack("Alarm")))
    gone = data(lambda d: all(a["id"] != alarm["id"] for a in d["alarms"]))
    slot = draw.slot(words, "which", label, step, _WHICH, (f"{label}.", f"I mean {label}."))
    return GoalPlan(words.full, (*moves, done()), gone, (slot,), key)


def delete_missing(view: PhoneView, chance: Chance) -> GoalPlan | None:
    """Premature: no alarm has the name; the others are looked at first."""
    there = [a["label"] for a in view.data["alarms"]]
    draw, label = WordingSampler(chance), chance.choice([name for name in KNOWN if name not in there])
    order = [f"alarm_{a['id']}" for a in view.data["alarms"]]
    moves = list(scrolls_to(view, "alarm_list", order, order[-1], _SCROLLS, chance) or ())
    if not moves:
        card = f"alarm_{view.data['alarms'][0]['id']}"
        moves = [tap(card, draw.say("See what the first alarm is", "Open the first alarm"), page("AlarmEditPage"))]
    ask = draw.say(
        f"There is no alarm called {label}. Did you mean {chance.choice(there)}?",
        f"I find no {label} alarm. Which of your {len(there)} alarms shall go?",
        f"No alarm has the name {label}. At what time does the one you mean ring?",
    )
    end = draw.say(f"There is no alarm {label}", f"None of the alarms is called {label}", "No such alarm was ever set")
    result = data(lambda d: all(a["label"] != label for a in d["alarms"]))
    words = _delete_words(draw, label).full
    return GoalPlan(words, (*moves, give_up(end)), result, reason=InfeasibilityReason.PREMATURE, follow_up=ask)


def _opened(draw: WordingSampler, alarm: dict[str, Any]) -> Move:
    label, at = alarm["label"], _time(alarm["hour"], alarm["minute"])
    says = (f"Open the {label} alarm", f"Tap the alarm at {at}", f"Tap {label}")
    return tap(f"alarm_{alarm['id']}", draw.say(*says), page("AlarmEditPage"))


def move_alarm(view: PhoneView, chance: Chance) -> GoalPlan | None:
    """Another time for an alarm that is there. Slot `time`; None when its card cannot be reached."""
    if (found := _chosen(view, chance)) is None:
        return None
    draw, (alarm, moves) = WordingSampler(chance), found
    label, minute = alarm["label"], chance.randrange(0, 60, 5)
    hour = chance.choice([h for h in range(5, 23) if h != alarm["hour"]])
    at = _time(hour, minute)
    words = draw.goal(
        f"Move the {label} alarm[time| to {at}| to another time]",
        f"Please let the alarm {label} ring[time| at {at}| at a different time]",
        f"{label} starts[time| at {at}| later] from now on, change its alarm",
        f"Change {label}[time| to {at}]",
    )
    moves += [
        _opened(draw, alarm),
        tap("alarm_time", draw.say("Tap the time", "Tap the large digits", "Change its time"), layer("TimePicker")),
    ]
    step = len(moves)
    moves += [*_pick_time(draw, hour, minute, alarm["minute"]), _save(draw), done()]
    slot = draw.slot(words, "time", at, step, (f"What time should {label} ring?", "To which time shall I move it?"))
    result = _has(id=alarm["id"], hour=hour, minute=minute)
    return GoalPlan(words.full, tuple(moves), result, (slot,), key=len(moves) - 2)


def alarm_sound(view: PhoneView, chance: Chance) -> GoalPlan | None:
    """Another sound for an alarm. Slot `sound`; None when its card cannot be reached."""
    if (found := _chosen(view, chance)) is None:
        return None
    draw, (alarm, moves) = WordingSampler(chance), found
    label, sound = alarm["label"], chance.choice([s for s in SOUNDS if s != alarm["sound"]])
    words = draw.goal(
        f"Use[sound| {sound}| another sound] for the {label} alarm",
        f"I cannot bear the sound of {label} any more, take[sound| {sound}| another one] instead",
        f"Set the sound of my alarm {label}[sound| to {sound}]",
        f"Would you give the {label} alarm[sound| the tone {sound}| a new tone]?",
    )
    moves += [
        _opened(draw, alarm),
        tap("alarm_sound", draw.say("Tap Sound", "Open the list of sounds", "Tap the note"), layer("SoundDialog")),
    ]
    step, key = len(moves), len(moves) - 1
    says = (f"Choose {sound}", f"Tap {sound}", f"Take {sound} from the list")
    moves += [tap(by_words(sound, "option_"), draw.say(*says), layer(None)), _save(draw), done()]
    slot = draw.slot(words, "sound", sound, step, ("Which sound would you like?", "Which of the sounds shall I take?"))
    return GoalPlan(words.full, tuple(moves), _has(id=alarm["id"], sound=sound), (slot,), key)


def copy_alarm(view: PhoneView, chance: Chance) -> GoalPlan | None:
    """An alarm twice, by its menu. Slot `which`; None when its card cannot be reached."""
    if (found := _chosen(view, chance)) is None:
        return None
    draw, (alarm, moves) = WordingSampler(chance), found
    label, before = alarm["label"], len(view.data["alarms"])
    words = draw.goal(
        f"Make a copy of the alarm[which| {label}]",
        f"I need[which| the {label} alarm| an alarm] twice, duplicate it",
        f"Duplicate[which| {label}| an alarm]",
        f"Would you copy[which| my {label} alarm| my alarm], please? I want to change the copy later",
    )
    step = len(moves)
    says = (f"Press and hold {label}", f"Long press the {label} alarm", "Keep a finger on the alarm")
    moves += [
        hold(f"alarm_{alarm['id']}", draw.say(*says), layer("Menu")),
        tap(
            "menu_duplicate", draw.say("Choose Duplicate", "Tap Duplicate", "Tap the entry that copies"), snack("Alarm")
        ),
        done(),
    ]
    slot = draw.slot(words, "which", label, step, _WHICH, (f"{label}.", f"The one with the name {label}."))
    result = data(lambda d: len(d["alarms"]) == before + 1)
    return GoalPlan(words.full, tuple(moves), result, (slot,), key=step + 1)
