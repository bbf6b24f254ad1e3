"""What people want of the settings: switches, values, names, networks, devices, apps."""

from __future__ import annotations

from stepscope.resources.sample.generator.apps.settings import choices, ways
from stepscope.resources.sample.generator.plan import AppGoals, Chance, Template
from stepscope.resources.sample.generator.wording import WordingSampler
from stepscope.resources.sample.script import Move, PhoneView, back, page, scroll, tap


def _detours(view: PhoneView, chance: Chance) -> tuple[tuple[Move, ...], ...]:
    draw = WordingSampler(chance)
    says = ("Go back to the settings", "Go back", "Wrong page, go back")
    leave = [
        (*ways.reached(view, draw, row), back(draw.say(*says), page("SettingsPage")))
        for row in ("network_internet", "connected_devices", "apps", "notifications", "battery")
    ]
    search = (
        tap("search_action_bar", draw.say("Tap the search bar", "Open the search"), page("SearchPage")),
        tap("navigate_up", draw.say("Leave the search", "Tap the arrow to go back"), page("SettingsPage")),
    )
    return (*leave, search)


def _searches(view: PhoneView, chance: Chance) -> tuple[tuple[Move, ...], ...]:
    draw = WordingSampler(chance)
    down = scroll("settings_list", draw.say("Scroll down the list", "Look at the rest of the page"), share=0.4)
    leave = back(draw.say("Go back", "It is not here, go back"), page("SettingsPage"))
    return (
        (*ways.reached(view, draw, "apps"), down),
        (*ways.reached(view, draw, "notifications"), down),
        (*ways.reached(view, draw, "display"), leave),
        tuple(ways.reached(view, draw, "system")),
        (tap("search_action_bar", draw.say("Tap the search bar", "Open the search"), page("SearchPage")),),
    )


_TEMPLATES = (
    ways.flip_network,
    ways.flip_screen,
    ways.flip_other,
    ways.search_and_flip,
    choices.choose_value,
    choices.rename_phone,
    choices.lock_text,
    choices.join_saved,
    choices.forget_network,
    choices.forget_unknown,
    choices.pair_device,
    choices.silence_app,
    choices.clear_cache,
    choices.developer_too_early,
    choices.access_too_early,
)

GOALS = AppGoals(
    app="settings",
    title="Settings",
    category="system",
    held_out=False,
    templates=tuple(Template(plan.__name__, "settings", plan) for plan in _TEMPLATES),
    detours=_detours,
    searches=_searches,
)
