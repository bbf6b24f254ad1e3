"""Podcasts: goal templates, detours and searches."""

from __future__ import annotations

from stepscope.resources.sample.generator.apps.podcasts import following, keeping, listening, preferring
from stepscope.resources.sample.generator.plan import AppGoals, Chance
from stepscope.resources.sample.generator.wording import WordingSampler
from stepscope.resources.sample.script import Move, PhoneView, back, layer, page, scroll, tap, write

_LATEST = page("LatestPage")


def detours(view: PhoneView, chance: Chance) -> tuple[tuple[Move, ...], ...]:
    """Another tab, Up next, the preferences or the player, and back."""
    drawn = WordingSampler(chance)
    home = tap("tab_latest", drawn.say("Go back to Latest", "Tap Latest", "Return to the first tab"), _LATEST)
    leave = back(drawn.say("Go back", "Leave the page again", "Press back"), _LATEST)
    return (
        (tap("tab_shows", drawn.say("Look into Shows", "Tap Shows"), page("ShowsPage")), home),
        (tap("tab_explore", drawn.say("Look into Explore", "Tap Explore"), page("ExplorePage")), home),
        (tap("up_next", drawn.say("Look at Up next", "Open Up next"), page("UpNextPage")), leave),
        (tap("preferences", drawn.say("Open the preferences", "Tap the gear"), page("PreferencesPage")), leave),
        (tap("now_bar", drawn.say("Open the player", "Tap the bar at the bottom"), page("ListenPage")), leave),
    )


def searches(view: PhoneView, chance: Chance) -> tuple[tuple[Move, ...], ...]:
    """Ways to look for something that may not be there."""
    drawn = WordingSampler(chance)
    gear = tap("preferences", drawn.say("Look in the preferences", "Tap the gear"), page("PreferencesPage"))
    speed = tap("playback_speed", drawn.say("Look at the speed", "Tap Speed"), layer("SpeedSheet"))
    words = drawn.say("music", "evening", "news", "story")
    return (
        (gear, scroll("preferences_list", drawn.say("Scroll down", "Look at the rest of it"), share=0.5)),
        (tap("now_bar", drawn.say("Open the player", "Tap the bar at the bottom"), page("ListenPage")), speed),
        (
            tap("find_episode", drawn.say("Open the search", "Tap the magnifying glass"), page("FindPage")),
            write(words, drawn.say(f"Type {words}", f"Search for {words}")),
        ),
        (
            tap("tab_saved", drawn.say("Look in Saved", "Tap Saved"), page("SavedPage")),
            tap("tab_explore", drawn.say("Look in Explore", "Tap Explore"), page("ExplorePage")),
            scroll("suggestions", drawn.say("Scroll down the shows", "Look further down"), share=0.45),
        ),
    )


GOALS = AppGoals(
    app="podcasts",
    title="Podcasts",
    category="audio",
    held_out=False,
    templates=(*listening.TEMPLATES, *following.TEMPLATES, *keeping.TEMPLATES, *preferring.TEMPLATES),
    detours=detours,
    searches=searches,
)
