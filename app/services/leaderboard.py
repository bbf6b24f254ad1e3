"""The leaderboard as both faces show it: groups under the titles of their data, with what has to be said of scores that
are no findings."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence

from stepscope.app.services.provenance import below_rules_of, not_a_finding, sample_badge, title_of_key
from stepscope.core.domain.run import Run
from stepscope.core.evaluation.leaderboard import LeaderboardGroup, LeaderboardRow
from stepscope.core.evaluation.leaderboard_texts import SeenGroup
from stepscope.core.evaluation.rules import rule_title


def group_title(group: LeaderboardGroup) -> str:
    """The group's data: what people call it, and its split."""
    return ", ".join(filter(None, (title_of_key(group.source), group.split)))


def below_rules_by_run(runs: Iterable[Run]) -> dict[str, str]:
    """Of each run by its id where its model is below a rule on real data, without those that are not. Reads card and
    weights of each model once."""
    words: dict[tuple[str, str, bool], str] = {}
    found: dict[str, str] = {}
    for run in runs:
        same = run.spec.model, run.weights, bool(run.spec.predictions)
        if same not in words:
            words[same] = below_rules_of(run)
        if words[same]:
            found[run.id] = words[same]
    return found


def seen_groups(
    groups: Sequence[LeaderboardGroup],
    order: Callable[[LeaderboardGroup], Sequence[LeaderboardRow]],
    below_rules: Mapping[str, str],
) -> tuple[SeenGroup, ...]:
    """The groups with the rows that `order` gives, those without any left out; `below_rules` as `below_rules_by_run`
    tells it."""
    return tuple(seen_group(group, rows, below_rules) for group in groups if (rows := order(group)))


def seen_group(group: LeaderboardGroup, rows: Sequence[LeaderboardRow], below_rules: Mapping[str, str]) -> SeenGroup:
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
        below_rules,
    )
