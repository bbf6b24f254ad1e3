"""Reading the podcast app's own data: shows, episodes, and what stands where."""

from __future__ import annotations

import random
from typing import Any

from stepscope.resources.sample.generator.reach import scrolls_to
from stepscope.resources.sample.generator.wording import WordingSampler
from stepscope.resources.sample.script import Move, PhoneView, data, page, tap

Item = dict[str, Any]

DOWN = ("Scroll down the list", "Swipe up to see older episodes", "Look further down", "Move down the list")


def shows(view: PhoneView, *, mine: bool) -> list[Item]:
    """The shows that are subscribed to, or those that are not."""
    return [show for show in view.data["shows"] if (show["id"] in view.data["subscribed"]) == mine]


def episode(view: PhoneView, number: int) -> Item:
    """The podcast episode with this number. StopIteration for an unknown one."""
    found: Item = next(e for e in view.data["episodes"] if e["id"] == number)
    return found


def latest(view: PhoneView) -> list[Item]:
    """The episodes on the first page from the top, without the one that is playing."""
    return [episode(view, number) for number in view.data["latest"] if number != view.data["current"]]


def to_episode(view: PhoneView, chance: random.Random, item: Item) -> tuple[Move, ...] | None:
    """The scrolls of the first page that bring the episode to a finger."""
    order = [f"episode_{number}" for number in view.data["latest"]]
    return scrolls_to(view, "latest_list", order, f"episode_{item['id']}", DOWN, chance)


def also_under_latest(drawn: WordingSampler, chance: random.Random) -> tuple[Move, ...]:
    """Every other time, a second look at the downloads: among the latest episodes."""
    if chance.random() < 0.5:
        return ()
    return (
        tap("tab_latest", drawn.say("Look under Latest too", "Go back to Latest"), page("LatestPage")),
        tap(
            "filter_saved",
            drawn.say("Show only what is downloaded", "Tap Downloaded", "Filter by Downloaded"),
            data(lambda d: d["filter"] == "saved"),
        ),
    )
