"""World clock, timer, stopwatch and the clock's settings."""

from __future__ import annotations

import re
from typing import Any

from stepscope.core.domain.episode import InfeasibilityReason
from stepscope.resources.sample.generator.plan import Chance, GoalPlan, Slot
from stepscope.resources.sample.generator.wording import WordingSampler
from stepscope.resources.sample.script import (
    Move,
    PhoneView,
    Then,
    back,
    by_words,
    data,
    done,
    give_up,
    hold,
    layer,
    page,
    shows,
    snack,
    swipe,
    tap,
    wait,
    write,
)

CITIES = (
    "Auckland", "Berlin", "Buenos Aires", "Cairo", "Cape Town", "Chicago", "Denver", "Dublin", "Hanoi", "Helsinki",
    "Honolulu", "Istanbul", "Karachi", "Lagos", "Lima", "Lisbon", "Manila", "Mexico City", "Nairobi", "New York",
    "Oslo", "Perth", "Santiago", "Seoul", "Singapore", "Tokyo", "Toronto", "Vancouver",
)  # fmt: skip
PRESETS = (("Tea", 4), ("Eggs", 7), ("Pasta", 11), ("Focus", 25))
COOKED = ("the cake", "the rice", "the bread", "my nap", "the potatoes", "the laundry", "the meeting", "a short break")
SILENCE = ("1 minute", "5 minutes", "10 minutes", "20 minutes", "Never")


def _slug(city: str) -> str:
    return re.sub("[^a-z]+", "_", city.lower())


def world(draw: WordingSampler) -> Move:
    """To the tab of the world clock."""
    says = ("Open the World tab", "Tap World", "Go to the world clock")
    return tap("nav_worldclock", draw.say(*says), page("WorldClockPage"))


def timer(draw: WordingSampler) -> Move:
    """To the tab of the timer."""
    return tap("nav_timer", draw.say("Go to the Timer tab", "Tap Timer", "Open the timer"), page("TimerPage"))


def stopwatch(draw: WordingSampler) -> Move:
    """To the tab of the stopwatch."""
    says = ("Open the Stopwatch", "Tap Stopwatch", "Go to the last tab")
    return tap("nav_stopwatch", draw.say(*says), page("StopwatchPage"))


def add_city(view: PhoneView, chance: Chance) -> GoalPlan | None:
    """A city searched for and added to the world clock. Slot `city`."""
    draw, city = WordingSampler(chance), chance.choice([c for c in CITIES if c not in view.data["cities"]])
    words = draw.goal(
        f"Add[city| {city}| a city] to my world clock",
        f"I often call friends[city| in {city}| abroad], show me the time there too",
        f"Put[city| {city}| another city] on the list of cities, please",
        f"What time is it[city| in {city}| over there]? Keep the city in the clock from now on",
        f"World clock: add[city| {city}| one more]",
    )
    part = city[: chance.randint(3, max(3, len(city)))].strip()
    moves = (
        world(draw),
        tap("add_city", draw.say("Tap Add city", "Press the plus button", "Add a city"), page("CitySearchPage")),
        write(part, draw.say(f"Type {part}", f"Search for {part}"), shows(f"result_{_slug(city)}")),
        tap(f"result_{_slug(city)}", draw.say(f"Tap {city}", f"Choose {city}", f"Take {city}"), snack(f"{city} added")),
        done(),
    )
    questions = ("Which city shall I add?", "What is the name of the city?", "Which city do you mean?")
    slot = draw.slot(words, "city", city, 2, questions)
    return GoalPlan(words.full, moves, data(lambda d: city in d["cities"]), (slot,), key=1)


def _remove_words(draw: WordingSampler, city: str) -> Any:
    return draw.goal(
        f"Remove[city| {city}| a city] from the world clock",
        f"I am back home, take[city| {city}| the city] off my list of cities",
        f"Delete[city| {city}| one of the cities] in the world clock, please",
        f"I don't need the time[city| of {city}| of that city] any more",
    )


def remove_city(view: PhoneView, chance: Chance) -> GoalPlan | None:
    """A city swiped away, or removed in its menu. Slot `city`."""
    draw, city = WordingSampler(chance), chance.choice(view.data["cities"])
    words, card, key = _remove_words(draw, city), f"city_{_slug(city)}", None
    moves = [world(draw)]
    if chance.random() < 0.5:
        says = (f"Swipe {city} to the left", f"Swipe {city} away", "Push the city's card to the left")
        moves.append(swipe(card, "left", draw.say(*says), snack(f"{city} removed")))
    else:
        key = 2
        moves += [
            hold(card, draw.say(f"Press and hold {city}", f"Long press {city}"), layer("Menu")),
            tap("menu_delete", draw.say("Choose Remove", "Tap Remove"), snack(f"{city} removed")),
        ]
    slot = draw.slot(words, "city", city, 1, ("Which city shall go?", "Which of the cities do you mean?"))
    result = data(lambda d: city not in d["cities"])
    return GoalPlan(words.full, (*moves, done()), result, (slot,), key)


def remove_missing_city(view: PhoneView, chance: Chance) -> GoalPlan | None:
    """Premature: the city is not on the list."""
    there = view.data["cities"]
    draw, city = WordingSampler(chance), chance.choice([c for c in CITIES if c not in (*there, view.data["home"])])
    look = tap("menu_overflow", draw.say("Look in the menu", "Open More options"), layer("Menu"))
    moves: tuple[Move, ...] = (world(draw),)
    if chance.random() < 0.5:
        moves += (look, back(draw.say("Close the menu", "Go back"), layer(None)))
    end = draw.say(f"{city} is not in the list", f"The world clock does not show {city}", "This city was never added")
    ask = draw.say(
        f"{city} is not in your world clock. Did you mean {chance.choice(there)}?",
        f"I cannot find {city} among your cities. Which one shall I take out?",
        f"Your list has only {', '.join(there[:-1])} and {there[-1]}. Which of them shall go?",
    )
    result = data(lambda d: city not in d["cities"])
    words = _remove_words(draw, city).full
    return GoalPlan(words, (*moves, give_up(end)), result, reason=InfeasibilityReason.PREMATURE, follow_up=ask)


def set_timer(view: PhoneView, chance: Chance) -> GoalPlan | None:
    """A timer of some minutes, typed on its keys. Slot `minutes`."""
    draw, minutes, what = (
        WordingSampler(chance),
        chance.choice((*range(2, 10), 12, 15, 18, 20, 35, 45)),
        chance.choice(COOKED),
    )
    words = draw.goal(
        f"Set a timer[minutes| of {minutes} minutes] for {what}",
        f"Timer[minutes|, {minutes} minutes]",
        f"Tell me when[minutes| {minutes} minutes are over| the time is over], it is for {what}",
        f"Please count down[minutes| {minutes} minutes] for {what}",
        f"I need a countdown[minutes| of {minutes} min] because of {what}",
    )
    keys = [tap(f"timer_key_{d}", draw.say(f"Press {d}", f"Tap {d}", f"Type {d}")) for d in str(minutes)]
    start = tap(
        "timer_start",
        draw.say("Press Start", "Start the timer", "Tap the triangle"),
        data(lambda d: d["timer"]["running"]),
    )
    zeros = tap("timer_key_00", draw.say("Press 00", "Tap 00 for the seconds"))
    moves = (timer(draw), *keys, zeros, start, done())
    questions = (f"How long should {what} take?", "How many minutes?", "How long shall the timer run?")
    slot = draw.slot(words, "minutes", f"{minutes} minutes", 1, questions)
    result = data(lambda d: d["timer"]["total"] == minutes * 60_000)
    return GoalPlan(words.full, moves, result, (slot,), key=len(moves) - 2)


def preset_timer(view: PhoneView, chance: Chance) -> GoalPlan | None:
    """A ready-made timer started, and one or two minutes more."""
    draw, (name, minutes), more = WordingSampler(chance), chance.choice(PRESETS[:3]), chance.randint(1, 2)
    extra = ("a minute", "two minutes")[more - 1]
    words = draw.goal(
        f"Start the timer for {name.lower()} and add {extra}",
        f"Use the {name} preset and give it {extra} more",
        f"Run the {minutes} minute timer for {name.lower()}, then make it {extra} longer",
        f"{name} is on the stove. Take the ready-made timer, please, plus {extra}",
    )
    moves = [timer(draw), _preset(draw, name)]
    for _ in range(more):
        moves.append(tap("timer_add_minute", draw.say("Tap +1:00", "Add a minute", "Add one minute more")))
    result = data(lambda d: d["timer"]["running"] and d["timer"]["total"] > (minutes + more - 1) * 60_000 + 10_000)
    return GoalPlan(words.full, (*moves, done()), result, key=2)


def _preset(draw: WordingSampler, name: str) -> Move:
    says = (f"Choose the preset {name}", f"Tap {name}", f"Start the {name} timer")
    return tap(f"preset_{name.lower()}", draw.say(*says), data(lambda d: d["timer"]["running"]))


def pause_timer(view: PhoneView, chance: Chance) -> GoalPlan | None:
    """A ready-made timer started and paused at once. Slot `preset`, where the goal names it."""
    draw, (name, _) = WordingSampler(chance), chance.choice(PRESETS[:3])
    words = draw.goal(
        f"Start the {name.lower()} timer and pause it again",
        f"Get the timer[preset| for {name.lower()}] ready: start it and pause it at once",
        f"Please start the timer[preset| {name}], then hold it",
        f"Timer[preset| {name}], but paused",
    )
    moves = (
        timer(draw),
        _preset(draw, name),
        tap("timer_toggle", draw.say("Press Pause", "Pause the timer"), data(lambda d: not d["timer"]["running"])),
        done(),
    )
    slots: tuple[Slot, ...] = ()
    if words.without("preset") != words.full:
        questions = ("Which timer: Tea, Eggs, Pasta or Focus?", "Which of the presets shall I start?")
        slots = (draw.slot(words, "preset", name, 1, questions),)
    result = data(lambda d: d["timer"]["total"] > 0 and not d["timer"]["running"])
    return GoalPlan(words.full, moves, result, slots, key=2)


def pause_nothing(view: PhoneView, chance: Chance) -> GoalPlan | None:
    """Premature: no timer is running."""
    draw = WordingSampler(chance)
    words = draw.goal(
        "Pause the timer",
        "Give the timer two minutes more",
        "Please stop the countdown, somebody is at the door",
        "Delete the timer that is running",
        "Timer, one more minute",
        "Hold the timer until I am back in the kitchen",
    )
    moves = [timer(draw)]
    if chance.random() < 0.5:
        moves.append(swipe("pager", "left", draw.say("Swipe on to the stopwatch", "See if the stopwatch runs instead")))
    end = draw.say("No timer is running", "There is no timer yet", "The timer was not started")
    ask = draw.say(
        "No timer is running. How long a timer shall I start?",
        "There is no timer at the moment. Shall I set one, and for how long?",
        "The timer has not been started. Which time do you want?",
    )
    result = data(lambda d: not d["timer"]["total"])
    return GoalPlan(words.full, (*moves, give_up(end)), result, reason=InfeasibilityReason.PREMATURE, follow_up=ask)


def _laps(number: int) -> Then:
    return data(lambda d: len(d["stopwatch"]["laps"]) == number)


def laps(view: PhoneView, chance: Chance) -> GoalPlan | None:
    """One or two laps with the stopwatch, then paused. Slot `laps`."""
    draw, number = WordingSampler(chance), chance.randint(1, 2)
    how = ("one lap", "two laps")[number - 1]
    words = draw.goal(
        f"Time [laps|{how}|my laps] with the stopwatch and then pause it",
        f"Stopwatch: take [laps|{how}|the laps] and stop",
        f"I am at the track. Measure [laps|{how}|my run] and stop the clock, please",
        f"Use the stopwatch for [laps|{how}|some laps], pause it when I am through",
    )
    moves = [
        stopwatch(draw),
        tap(
            "stopwatch_toggle",
            draw.say("Press Start", "Start the stopwatch"),
            data(lambda d: d["stopwatch"]["running"]),
        ),
    ]
    for lap in range(1, number + 1):
        moves.append(wait(chance.randint(8, 30), draw.say("Wait for the end of the lap", "Wait until the lap is run")))
        counted = _laps(lap)
        moves.append(tap("stopwatch_lap", draw.say("Press the flag", "Tap Lap", "Take the lap"), counted))
    stopped = data(lambda d: len(d["stopwatch"]["laps"]) == number and not d["stopwatch"]["running"])
    moves += [tap("stopwatch_toggle", draw.say("Press Pause", "Pause the stopwatch"), stopped), done()]
    slot = draw.slot(words, "laps", how, 2, ("How many laps?", "How many laps do you want to time?"))
    return GoalPlan(words.full, tuple(moves), stopped, (slot,), key=3)


def silence_after(view: PhoneView, chance: Chance) -> GoalPlan | None:
    """After how long an alarm falls silent by itself. Slot `limit`."""
    now = view.data["settings"]["silence"]
    draw, limit = WordingSampler(chance), chance.choice([s for s in SILENCE if s != now])
    after = "never" if limit == "Never" else f"after {limit}"
    words = draw.goal(
        f"Let my alarms fall silent by themselves[limit| {after}| after a time I choose]",
        f"Set Silence after[limit| to {limit}| to something else]",
        f"The neighbours complain, change in the clock when alarms stop ringing:[limit| {after}| not as now]",
        f"In the clock's settings, alarms should be silenced[limit| {after}| at another time]",
    )
    moves = (
        tap("menu_overflow", draw.say("Open More options", "Tap the three dots"), layer("Menu")),
        tap("menu_settings", draw.say("Choose Settings", "Tap Settings"), page("ClockSettingsPage")),
        tap("silence_after", draw.say("Tap Silence after", "Open Silence after"), layer("SilenceDialog")),
        tap(by_words(limit, "option_"), draw.say(f"Choose {limit}", f"Tap {limit}"), layer(None)),
        back(draw.say("Go back to the alarms", "Go back"), page("AlarmListPage")),
        done(),
    )
    questions = ("After how many minutes should they fall silent?", "After which time shall an alarm stop?")
    slot = draw.slot(words, "limit", limit, 3, questions)
    return GoalPlan(words.full, moves, data(lambda d: d["settings"]["silence"] == limit), (slot,), key=2)
