"""Tasks: what is to be done, and when. Held out: never trained on."""

from __future__ import annotations

from stepscope.resources.sample.generator.apps.tasks import adding, changing, early, listing
from stepscope.resources.sample.generator.apps.tasks.common import list_open
from stepscope.resources.sample.generator.plan import AppGoals, Chance, Template
from stepscope.resources.sample.generator.wording import WordingSampler
from stepscope.resources.sample.script import Move, PhoneView, back, hold, layer, page, scroll, tap, write

Ways = tuple[tuple[Move, ...], ...]
_VIEWS = {"today": "Today", "starred": "Starred", "planned": "Planned", "all": "All tasks"}


def _detours(view: PhoneView, chance: Chance) -> Ways:
    draw, chosen = WordingSampler(chance), chance.choice(view.data["lists"])
    name, key = chosen["name"], chance.choice(list(_VIEWS))
    close = back(draw.say("Close it again", "Not this, go back"), layer(None))
    home = back(draw.say("Go back to the lists", "Return to the first page"), page("MainPage"))
    up = tap("navigate_up", draw.say("Tap the arrow at the top left", "Go back with the arrow"), page("MainPage"))
    first = view.data["order"][str(chosen["id"])][0]
    return (
        (listing.menu(draw), close),
        (list_open(draw, name), home),
        (tap(f"view_{key}", draw.say(f"Look into {_VIEWS[key]}", f"Tap {_VIEWS[key]}"), page("ListPage")), up),
        (*listing.settings_open(draw), home),
        (tap("search_button", draw.say("Tap Search", "Start a search"), page("SearchPage")), up),
        (
            hold(f"list_{chosen['id']}", draw.say(f"Hold the list {name}", f"Long press {name}"), layer("ListMenu")),
            close,
        ),
        (
            list_open(draw, name),
            tap(f"task_{first}", draw.say("Look at the first task", "Open the task at the top"), page("TaskPage")),
            back(draw.say("Go back to the list", "Leave the task"), page("ListPage")),
            home,
        ),
    )


def _searches(view: PhoneView, chance: Chance) -> Ways:
    draw, name = WordingSampler(chance), chance.choice(view.data["lists"])["name"]
    word = chance.choice(("list", "today", "plan", "home", "number", "title"))
    first = view.data["order"]["all"][0]
    return (
        (
            *listing.settings_open(draw),
            scroll("settings_list", draw.say("Look further down the settings", "Scroll down the settings")),
        ),
        (listing.menu(draw),),
        (list_open(draw, name), listing.menu(draw)),
        (
            tap("view_all", draw.say("Look through all tasks", "Tap All tasks"), page("ListPage")),
            scroll("task_list", draw.say("Scroll down the tasks", "Look further down")),
        ),
        (
            tap("view_all", draw.say("Open All tasks", "Tap All tasks"), page("ListPage")),
            tap(f"task_{first}", draw.say("Look into a task", "Open the first task"), page("TaskPage")),
        ),
        (
            tap("search_button", draw.say("Search for it", "Tap Search"), page("SearchPage")),
            write(word, draw.say(f"Type {word}", f"Try the word {word}")),
        ),
        (tap("add_task", draw.say("See what can be added", "Tap Add task"), layer("QuickAddSheet")),),
    )


_PLANS = (
    adding.add_task,
    adding.add_with_date,
    adding.add_to_list,
    adding.add_subtask,
    adding.duplicate,
    adding.new_list,
    adding.rename_list,
    adding.delete_list,
    changing.complete,
    changing.reopen,
    changing.star,
    changing.set_due,
    changing.pick_date,
    changing.postpone,
    changing.priority,
    changing.repeat,
    changing.tick_subtask,
    changing.move,
    changing.retitle,
    changing.delete,
    listing.show_view,
    listing.sort,
    listing.filter_priority,
    listing.find_task,
    listing.clear_completed,
    listing.share_list,
    listing.switch,
    listing.home_list,
    listing.week_start,
    early.repeat_without_date,
    early.complete_too_early,
    early.clear_nothing,
    early.share_without_sync,
    early.move_to_missing,
)

GOALS = AppGoals(
    app="tasks",
    title="Tasks",
    category="writing",
    held_out=True,
    templates=tuple(Template(f"tasks_{plan.__name__}", "tasks", plan) for plan in _PLANS),
    detours=_detours,
    searches=_searches,
)
