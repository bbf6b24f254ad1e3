"""Pages that people solved, as questions with the calls that answer them.

The calls are the oracle's: of the workers' answers to a field the one that scores best (TurkingBench, Xu et al. 2024,
section 4). Where one field is asked about, a demonstration is about a field of the same type if it has one, else about
one that can be seen (ours).
"""

from __future__ import annotations

from collections.abc import Sequence

from stepscope.core.domain.webtask import FieldType
from stepscope.core.evaluation.predictor import PageDemonstration
from stepscope.core.frozen import dataclass
from stepscope.core.webtask.filling import best_answers, filling
from stepscope.core.webtask.html_parts import relevant, without_noise
from stepscope.core.webtask.program import as_program
from stepscope.core.webtask.rendering import render
from stepscope.models.webtask.page_settings import Ask, Html
from stepscope.models.webtask.prompt import Question, SolvedExample

BETWEEN = "\n…\n"
"""What stands for a part of the page that is not shown."""


@dataclass(frozen=True, slots=True)
class _AnsweredPage:
    """`calls` are lines of a program by field."""

    title: str
    html: str
    types: dict[str, FieldType]
    calls: dict[str, str]


class Demonstrations:
    """Keeps what it has made: all pages of a task are shown the same ones. Threads may share it."""

    def __init__(self, html: Html, ask: Ask) -> None:
        self._html, self._ask = html, ask
        self._pages: dict[str, _AnsweredPage] = {}
        self._solved: dict[tuple[str, str], SolvedExample | None] = {}

    def solved(self, demonstrations: Sequence[PageDemonstration], kind: FieldType) -> list[SolvedExample]:
        """The solved examples in order, without those in which nothing is to be done; `kind` is the type of the field
        in question."""
        found = [self._one(demo, kind if self._ask == "field" else None) for demo in demonstrations]
        return [one for one in found if one is not None]

    def every(self, demo: PageDemonstration) -> list[SolvedExample]:
        """All that can be asked about a solved page: one question, or one for each field that is filled in."""
        page = _page(demo)
        if self._ask == "page":
            whole = self._whole(page)
            return [] if whole is None else [whole]
        return [self._about(page, name) for name in page.calls]

    def _one(self, demo: PageDemonstration, kind: FieldType | None) -> SolvedExample | None:
        key = demo.instance, "" if kind is None else kind.value
        if key not in self._solved:
            if demo.instance not in self._pages:
                self._pages[demo.instance] = _page(demo)
            page = self._pages[demo.instance]
            self._solved[key] = self._whole(page) if kind is None else self._field(page, kind)
        return self._solved[key]

    def _whole(self, page: _AnsweredPage) -> SolvedExample | None:
        if not page.calls:
            return None
        html = page.html
        if self._html == "relevant":
            html = BETWEEN.join(dict.fromkeys(filter(None, (relevant(page.html, name) for name in page.calls))))
        question = Question(page.title, html, tuple(page.types.items()))
        return SolvedExample(question, "\n".join(page.calls.values()))

    def _field(self, page: _AnsweredPage, kind: FieldType) -> SolvedExample | None:
        types = page.types
        names = sorted(page.calls, key=lambda name: (types[name] is not kind, types[name] is FieldType.HIDDEN))
        if not names:
            return None
        return self._about(page, names[0])

    def _about(self, page: _AnsweredPage, name: str) -> SolvedExample:
        html = relevant(page.html, name) if self._html == "relevant" else page.html
        return SolvedExample(Question(page.title, html, ((name, page.types[name]),), name), page.calls[name])


def _page(demo: PageDemonstration) -> _AnsweredPage:
    calls: dict[str, str] = {}
    best = best_answers(demo.task.fields, demo.answers)
    for field in demo.task.fields:
        action = filling(field.name, field.type, best[field.name]) if best.get(field.name) else None
        if action is not None:
            calls[field.name] = as_program(action)
    html = without_noise(render(demo.task, demo.inputs).html)
    return _AnsweredPage(demo.task.title, html, {field.name: field.type for field in demo.task.fields}, calls)
