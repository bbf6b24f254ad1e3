"""The leaderboard as both faces show it: groups under the titles of their data, with what has to be said of scores that
are no findings."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from stepscope.app.services.provenance import not_a_finding, sample_badge, title_of_key
from stepscope.core.evaluation.leaderboard import LeaderboardGroup, LeaderboardRow
from stepscope.core.evaluation.leaderboard_texts import SeenGroup
from stepscope.core.evaluation.rules import rule_title


def group_title(group: LeaderboardGroup) -> str:
    """The group's data: what people call it, and its split."""
    return ", ".join(filter(None, (title_of_key(group.source), group.split)))


def seen_groups(
    groups: Sequence[LeaderboardGroup], order: Callable[[LeaderboardGroup], Sequence[LeaderboardRow]]
) -> tuple[SeenGroup, ...]:
    """The groups with the rows that `order` gives, those without any left out."""
    return tuple(seen_group(group, rows) for group in groups if (rows := order(group)))


def seen_group(group: LeaderboardGroup, rows: Sequence[LeaderboardRow]) -> SeenGroup:
    """A group under its titles."""
    sample = sample_badge(group.source)
    remarks = {row.key: not_a_finding(row.entry.run) for row in rows}
    return SeenGroup(
        group,
        group_title(group),
        rule_title(group.scoring),
        tuple(rows),
        sample,
        {} if sample else {key: words for key, words in remarks.items() if words},
    )
