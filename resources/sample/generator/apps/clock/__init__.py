"""What people want of the clock: alarms, cities, timer and stopwatch."""

from __future__ import annotations

from stepscope.resources.sample.generator.apps.clock import alarms, times
from stepscope.resources.sample.generator.plan import AppGoals, Chance, Template
from stepscope.resources.sample.generator.wording import WordingSampler
from stepscope.resources.sample.script import Move, PhoneView, back, layer, page, tap


def _detours(view: PhoneView, chance: Chance) -> tuple[tuple[Move, ...], ...]:
    draw = WordingSampler(chance)
    home = tap(
        "nav_alarmlist", draw.say("Go back to the alarms", "Tap Alarms", "Open the Alarms tab"), page("AlarmListPage")
    )
    first = view.data["alarms"][0]
    return (
        (times.world(draw), home),
        (times.timer(draw), home),
        (times.stopwatch(draw), home),
        (
            tap("menu_overflow", draw.say("Open the menu", "Tap the three dots"), layer("Menu")),
            back(draw.say("Close the menu again", "Go back"), layer(None)),
        ),
        (
            tap(
                f"alarm_{first['id']}",
                draw.say(f"Open {first['label']}", "Open the first alarm"),
                page("AlarmEditPage"),
            ),
            back(draw.say("Leave it as it is", "Go back to the list"), page("AlarmListPage")),
        ),
    )


def _searches(view: PhoneView, chance: Chance) -> tuple[tuple[Move, ...], ...]:
    draw = WordingSampler(chance)
    menu = tap("menu_overflow", draw.say("Look in the menu", "Tap the three dots"), layer("Menu"))
    return (
        (menu, tap("menu_settings", draw.say("Look in the settings", "Tap Settings"), page("ClockSettingsPage"))),
        (times.timer(draw), menu),
        (times.world(draw), times.stopwatch(draw)),
        (
            tap("add_alarm", draw.say("See what a new alarm offers", "Press the plus"), layer("TimePicker")),
            back(draw.say("Close the dial", "Go back"), layer(None)),
        ),
        (times.world(draw), tap("add_city", draw.say("Try the plus", "Tap Add city"), page("CitySearchPage"))),
    )


_TEMPLATES = (
    alarms.new_alarm,
    alarms.weekly_alarm,
    alarms.switch_alarm,
    alarms.delete_alarm,
    alarms.delete_missing,
    alarms.move_alarm,
    alarms.alarm_sound,
    alarms.copy_alarm,
    times.add_city,
    times.remove_city,
    times.remove_missing_city,
    times.set_timer,
    times.preset_timer,
    times.pause_timer,
    times.pause_nothing,
    times.laps,
    times.silence_after,
)

GOALS = AppGoals(
    app="clock",
    title="Clock",
    category="time",
    held_out=False,
    templates=tuple(Template(plan.__name__, "clock", plan) for plan in _TEMPLATES),
    detours=_detours,
    searches=_searches,
)
