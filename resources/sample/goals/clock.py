"""Alarms, timers, cities and the stopwatch."""

from __future__ import annotations

from stepscope.resources.sample.script import (
    Script,
    data,
    done,
    hold,
    layer,
    page,
    scroll,
    shows,
    snack,
    tap,
    wait,
    write,
)

SCRIPTS = (
    Script(
        id="clock-airport-alarm",
        goal="Wake me at 6:45 tomorrow and call the alarm Airport",
        app="clock",
        seed=1,
        moves=(
            tap("add_alarm", "Add an alarm with the plus button", layer("TimePicker")),
            tap("hour_6", "Pick 6 on the dial"),
            tap("minute_45", "Pick 45 minutes"),
            tap("button_ok", "Confirm with OK", layer(None)),
            tap("alarm_label", "Tap on the label field", lambda view: view.state["keyboard"]),
            write("Airport", "Type Airport"),
            tap("save_alarm", "Press Save", page("AlarmListPage")),
            done(),
        ),
        result=data(lambda d: any((a["hour"], a["minute"], a["label"]) == (6, 45, "Airport") for a in d["alarms"])),
    ),
    Script(
        id="clock-pasta-timer",
        goal="I just put the pasta on, start that timer and give it one minute more",
        app="clock",
        seed=2,
        moves=(
            tap("nav_timer", "Go to the Timer tab", page("TimerPage")),
            tap("preset_pasta", "Choose the preset for pasta", data(lambda d: d["timer"]["running"])),
            tap("timer_add_minute", "Add a minute", data(lambda d: d["timer"]["left"] > 11 * 60_000)),
            done(),
        ),
        result=data(lambda d: d["timer"]["running"] and d["timer"]["total"] > 11 * 60_000),
    ),
    Script(
        id="clock-delete-choir",
        goal="Choir is over for this season, delete its alarm",
        app="clock",
        seed=4,
        moves=(
            scroll("alarm_list", "Scroll down to the evening alarms", shows("alarm_5"), share=0.55),
            hold("alarm_5", "Press and hold the Choir alarm", layer("Menu")),
            tap("menu_delete", "Choose Delete", snack("Alarm deleted")),
            done(),
        ),
        result=data(lambda d: all(a["label"] != "Choir" for a in d["alarms"])),
    ),
    Script(
        id="clock-tokyo",
        goal="Add Tokyo to my world clock so that I know when to call Kenji",
        app="clock",
        seed=3,
        moves=(
            tap("nav_worldclock", "Open the World tab", page("WorldClockPage")),
            tap("add_city", "Tap the round button with the plus", page("CitySearchPage")),
            write("Tok", "Type the beginning of Tokyo", shows("result_tokyo")),
            tap("result_tokyo", "Tap on Tokyo", page("WorldClockPage")),
            done(),
        ),
        result=data(lambda d: "Tokyo" in d["cities"]),
    ),
    Script(
        id="clock-swap-alarms",
        goal="Switch off my wake-up alarm and switch on the one for the gym",
        app="clock",
        seed=6,
        moves=(
            tap("onoff_1", "Flip the switch of the 7:40 alarm", snack("Alarm switched off")),
            tap("onoff_4", "Flip the switch of the gym alarm", snack("Alarm rings in")),
            done(),
        ),
        result=data(lambda d: {a["label"]: a["on"] for a in d["alarms"]}["Gym"]),
    ),
    Script(
        id="clock-two-laps",
        goal="Time two laps with the stopwatch and then stop it",
        app="clock",
        seed=9,
        moves=(
            tap("nav_stopwatch", "Open the Stopwatch", page("StopwatchPage")),
            tap("stopwatch_toggle", "Press Start", data(lambda d: d["stopwatch"]["running"])),
            wait(21, "Wait until the first lap is run"),
            tap("stopwatch_lap", "Press the flag for a lap", data(lambda d: len(d["stopwatch"]["laps"]) == 1)),
            wait(19, "Wait for the second lap"),
            tap("stopwatch_lap", "Take the second lap", data(lambda d: len(d["stopwatch"]["laps"]) == 2)),
            tap("stopwatch_toggle", "Press Pause", data(lambda d: not d["stopwatch"]["running"])),
            done(),
        ),
        result=data(lambda d: len(d["stopwatch"]["laps"]) == 2 and not d["stopwatch"]["running"]),
    ),
)
