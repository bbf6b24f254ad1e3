"""Runs over the same web pages, put side by side by what their models were given: demonstrations, HTML, pictures.

The names of models that fill in pages carry their settings, `page:lab/gpt?demos=3&html=relevant&vision=1`.
Source of the comparisons: TurkingBench (Xu et al. 2024), figures 6 and 7.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from stepscope.core.domain.model_name import PAGES, split_name
from stepscope.core.domain.prediction import Task
from stepscope.core.domain.run import Run, RunSpec
from stepscope.core.frozen import dataclass

DO_NOTHING, ORACLE = "do-nothing", "oracle"
"""Models that say what is easy and what is possible at all."""


SETTINGS: dict[str, str] = {"demos": "0", "html": "full", "vision": "0"}
"""What a name that leaves the setting out means."""


@dataclass(frozen=True, slots=True)
class PageModelSettings:
    """A model's name taken apart: `base` is the name without settings, `others` are those that are not the three."""

    base: str
    demos: int
    html: str
    vision: bool
    others: tuple[tuple[str, str], ...] = ()

    @property
    def words(self) -> str:
        """What it is given, demonstrations aside: "full page, with pictures"."""
        html = {"full": "full page", "relevant": "relevant parts"}.get(self.html, f"{self.html} HTML")
        seen = "with pictures" if self.vision else "text only"
        return ", ".join([html, seen, *(f"{name} {value}" for name, value in self.others)])


def page_model(name: str) -> PageModelSettings | None:
    """A name as it is stored; None where it is of no model that has these settings."""
    base, given = split_name(name)
    if not (base.startswith(PAGES) or given.keys() & SETTINGS.keys()):
        return None
    own = {setting: given.pop(setting, default) for setting, default in SETTINGS.items()}
    if not own["demos"].isdecimal():
        return None
    seen = own["vision"].lower() not in ("", "0", "false", "no")
    return PageModelSettings(base, int(own["demos"]), own["html"], seen, tuple(sorted(given.items())))


def same_pages(one: RunSpec, other: RunSpec) -> bool:
    """Whether the two were asked for the same pages, both of them web tasks."""
    parts = [(spec.task, spec.source, spec.split, spec.limit, spec.filter, spec.chosen) for spec in (one, other)]
    return one.task is Task.WEBTASK and parts[0] == parts[1]


def bounds(run: Run, runs: Iterable[Run]) -> dict[str, Run]:
    """The latest run of each bound over the run's pages, by model; itself is none of its bounds."""
    found: dict[str, Run] = {}
    for other in sorted(runs, key=lambda one: one.created):
        if other.id != run.id and other.spec.model in (DO_NOTHING, ORACLE) and same_pages(run.spec, other.spec):
            found[other.spec.model] = other
    return found


def relatives(run: Run, runs: Iterable[Run]) -> list[tuple[PageModelSettings, Run]]:
    """Runs over the same pages with the same model, whatever its settings, itself among them. Ordered by what the
    model is given, then by demonstrations, the latest last; none for a model without such settings."""
    own = page_model(run.spec.model)
    if own is None:
        return []
    found = [(page_model(one.spec.model), one) for one in runs if same_pages(run.spec, one.spec)]
    known = [(model, one) for model, one in found if model is not None and model.base == own.base]
    return sorted(known, key=lambda pair: (pair[0].words, pair[0].demos, pair[1].created))


def counterpart(run: Run, runs: Iterable[Run]) -> Run | None:
    """The latest run over the same pages whose model differs in nothing but in seeing pictures or not."""
    own = page_model(run.spec.model)
    if own is None:
        return None
    wanted = replace(own, vision=not own.vision)
    found = [one for one in runs if same_pages(run.spec, one.spec) and page_model(one.spec.model) == wanted]
    return max(found, key=lambda one: one.created, default=None)
