"""All that is told of runs of asking at once: as tables for a reader, and as one JSON object for programs."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from dataclasses import asdict
from functools import cached_property
from typing import Any

from stepscope.app.services.ask_tables import (
    SETTING_WORDS,
    AskTable,
    cost_table,
    lanes_tables,
    lists_table,
    published_removed_tables,
    published_tables,
    removed_table,
    settings_tables,
    shown,
)
from stepscope.core.domain.action import Action
from stepscope.core.domain.wire import action_to_json
from stepscope.core.evaluation.ask_cost import AskCost, ask_cost
from stepscope.core.evaluation.ask_lanes import AskLanes, StreamCell, by_outcome, episode_rows
from stepscope.core.evaluation.ask_removed import RemovedRow, removed_sweep
from stepscope.core.evaluation.ask_settings import (
    AskedEpisodes,
    AskSettingRow,
    AskSwitches,
    FourSettings,
    four_settings,
)
from stepscope.core.frozen import dataclass


@dataclass(frozen=True)
class AskStudy:
    """`runs` by name, the first of which the curve and the lists are about; with `curve` the others stand beside it.
    With `removed` all runs together are the sweep: one for each data set."""

    runs: Sequence[tuple[str, AskedEpisodes]]
    switches: AskSwitches
    curve: bool = False
    removed: bool = False
    lanes: AskLanes | None = None
    draws: int = 1000
    seed: int = 0

    @cached_property
    def settings(self) -> tuple[tuple[str, FourSettings], ...]:
        """The four settings of each run."""
        return tuple(
            (name, four_settings(asked, self.switches, draws=self.draws, seed=self.seed)) for name, asked in self.runs
        )

    @cached_property
    def cost(self) -> AskCost | None:
        """The curve of the first run with the others beside it, where it is wanted."""
        if not self.curve:
            return None
        others = dict(self.runs[1:])
        return ask_cost(self.runs[0][1], self.switches, others, draws=self.draws, seed=self.seed)

    @cached_property
    def sweep(self) -> tuple[RemovedRow, ...]:
        """The rows by what is removed, where they are wanted."""
        if not self.removed:
            return ()
        return removed_sweep([one for _, one in self.runs], self.switches, draws=self.draws, seed=self.seed)

    def tables(self) -> tuple[AskTable, ...]:
        """All tables in the order in which they are read, the published ones beside ours."""
        return tuple(self._tables())

    def _tables(self) -> Iterator[AskTable]:
        for name, found in self.settings:
            yield from settings_tables(name, found)
        yield from published_tables()
        name, asked = self.runs[0]
        yield lists_table(name, episode_rows(asked, self.switches))
        if self.cost is not None:
            yield cost_table(name, self.cost)
        if self.sweep:
            yield removed_table(", ".join(name for name, _ in self.runs), self.sweep)
            yield from published_removed_tables()
        if self.lanes is not None:
            yield from lanes_tables(self.lanes)

    def form(self) -> dict[str, Any]:
        """The JSON form; numbers are fractions and not rounded."""
        rows = episode_rows(self.runs[0][1], self.switches)
        lists = {outcome.name.lower(): [row.name for row in mine] for outcome, mine in by_outcome(rows).items()}
        form: dict[str, Any] = {
            "switches": {
                "dual": "on" if self.switches.dual else "off",
                "early_ask": "credit" if self.switches.credit else "neutral",
                "answered": self.switches.answered.value,
            },
            "runs": [{"run": name, **_settings_form(found)} for name, found in self.settings],
            "outcomes": lists,
            "episodes": [asdict(row) | {"outcome": row.outcome.name.lower()} for row in rows],
            "published": [_table_form(one) for one in published_tables()],
        }
        if self.cost is not None:
            form["cost"] = asdict(self.cost) | {"setting": self.cost.setting.value, "own_place": self.cost.own_place}
        if self.sweep:
            form["removed"] = [_removed_form(row) for row in self.sweep]
            form["published_removed"] = [_table_form(one) for one in published_removed_tables()]
        if self.lanes is not None:
            form["lanes"] = _lanes_form(self.lanes)
        return form

    def as_json(self) -> str:
        return json.dumps(self.form(), indent=2, ensure_ascii=False) + "\n"


def _settings_form(found: FourSettings) -> dict[str, Any]:
    return {
        "episodes": found.episodes,
        "steps": found.steps,
        "without_question": found.without_question,
        "left_out": found.left_out,
        "unanswered": found.unanswered,
        "settings": [_row_form(row) for row in found.rows],
    }


def _row_form(row: AskSettingRow) -> dict[str, Any]:
    return asdict(row) | {"setting": row.setting.value, "title": SETTING_WORDS[row.setting]}


def _removed_form(row: RemovedRow) -> dict[str, Any]:
    return {
        "removed": row.removed,
        "change": {name: row.change(name) for name in ("ssr", "sr")},
        **_settings_form(row.settings),
    }


def _table_form(one: AskTable) -> dict[str, Any]:
    rows = [dict(zip(one.columns, map(shown, row), strict=True)) for row in one.rows]
    return {"title": one.title, "rows": rows, "note": one.note}


def _lanes_form(lanes: AskLanes) -> dict[str, Any]:
    steps = [
        {
            "step": step.index,
            "reference": _action_form(step.reference),
            "due": step.due is not None,
            **{name: _cell_form(getattr(step, name)) for name in ("whole", "first", "second", "unasked")},
            "counts": step.counts.value,
            "right": step.right,
            "asks": step.asks,
            "offset": step.offset,
            "rescued": step.rescued,
            "needless": step.needless,
            "error": step.error or None,
        }
        for step in lanes.steps
    ]
    questions = [
        {"due": one.ask.step, "kind": one.kind, "reference_question": one.ask.question, "answer": one.ask.answer,
         "step": one.step, "question": one.asked, **one.likeness}
        for one in lanes.questions
    ]  # fmt: skip
    return {
        "episode": lanes.episode,
        "goal": lanes.goal,
        "original_goal": lanes.whole_goal,
        "outcome": lanes.outcome.name.lower(),
        "steps": steps,
        "questions": questions,
        "doubts": list(lanes.doubts),
    }


def _cell_form(cell: StreamCell | None) -> dict[str, Any] | None:
    if cell is None:
        return None
    return {"action": _action_form(cell.action), "question": cell.question, "right": cell.right}


def _action_form(action: Action | None) -> dict[str, Any] | None:
    return None if action is None else action_to_json(action)
