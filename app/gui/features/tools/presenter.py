"""What the pages say, as tables."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from stepscope.app.gui.shell.run_words import when_words
from stepscope.app.gui.shell.selection import OpenSource
from stepscope.app.gui.shell.task_history import EndedWork
from stepscope.app.gui.shell.task_titles import TASK_TITLES
from stepscope.app.services.agreement import PairAgreement
from stepscope.app.services.licences import OWN_LICENCE, LibraryLicence
from stepscope.app.services.provenance import title_of_key
from stepscope.core.domain.annotation import Annotation
from stepscope.core.domain.episode import Problem
from stepscope.core.domain.run import Run, RunState
from stepscope.core.imaging.cache import CacheStatistics
from stepscope.widgets import format as words
from stepscope.widgets.reports import ReportRow, ReportSection

NOTEWORTHY = 0.1
"""Seconds from which on work is listed that went well: all a person does makes the window ask the store."""
ENDS = {"succeeded": ("done", ""), "failed": ("failed", "bad"), "cancelled": ("stopped", "warn")}
STATES = {
    RunState.DONE: "good", RunState.FAILED: "bad", RunState.INTERRUPTED: "warn", RunState.CANCELLED: "warn",
}  # fmt: skip
MOST_PROBLEMS = 2_000
"""So many things that are wrong with a source are listed."""
STEP_BUDGET = 0.05
"""Seconds from the key to the picture that a step may take (docs/performance.md)."""


def task_sections(
    working: Iterable[tuple[str, float]], ended: Sequence[EndedWork], runs: Sequence[tuple[Run, str]]
) -> list[ReportSection]:
    """What is under way (name, seconds), what ended in this window, and all stored runs with their names."""
    under_way = tuple(ReportRow((name, words.duration(seconds))) for name, seconds in working)
    noteworthy = [one for one in ended if one.seconds >= NOTEWORTHY or one.how != "succeeded"]
    return [
        ReportSection("Under way", ("What", "For"), under_way, empty="Nothing is under way."),
        ReportSection(
            "Runs", ("Run", "Task", "Data", "Begun", "Items", "Worked", "Rate", "State"),
            tuple(_run_row(run, name) for run, name in runs),
            about="All that are stored. A run that ended early goes on where it stopped.", empty="No run is stored.",
        ),
        ReportSection(
            "In this window", ("What", "When", "Took", "How"), _ended_rows(noteworthy),
            about=f"Since it was opened: what took {words.duration(NOTEWORTHY)} or more, and what went wrong.",
            empty="Nothing took long, and nothing went wrong.",
        ),
    ]  # fmt: skip


def _run_row(run: Run, name: str) -> ReportRow:
    rate = words.rate(run.done / run.worked_s) if run.worked_s else ""
    total = "?" if run.total is None else words.count(run.total)
    state = f"{run.state.value}: {run.message}" if run.message else run.state.value
    cells = (
        name, TASK_TITLES[run.spec.task], title_of_key(run.spec.source), when_words(run.created),
        f"{words.count(run.done)} of {total}", words.duration(run.worked_s or None), rate, state,
    )  # fmt: skip
    ended = run.state not in (RunState.RUNNING, RunState.QUEUED, RunState.PAUSED)
    return ReportRow(cells, run.id, STATES.get(run.state, ""), again=ended)


def _ended_rows(ended: Sequence[EndedWork]) -> tuple[ReportRow, ...]:
    """A row for all work of one name that ended alike, the latest first."""
    alike: dict[tuple[str, str, str], list[EndedWork]] = {}
    for one in ended:
        alike.setdefault((one.name, one.how, one.error), []).append(one)
    rows = []
    for (name, end, error), all_of_it in alike.items():
        how, state = ENDS[end]
        longest = words.duration(max(one.seconds for one in all_of_it))
        took = longest if len(all_of_it) == 1 else f"{words.counted(len(all_of_it), 'time')}, up to {longest}"
        told = f"{how}: {error}" if error else how
        rows.append(ReportRow((name[:1].upper() + name[1:], when_words(all_of_it[0].ended), took, told), state=state))
    return tuple(rows)


def defect_sections(found: Sequence[Annotation], title: str) -> list[ReportSection]:
    """What people called defective in the data, by kind of defect, the most frequent first."""
    by_kind: dict[str, list[Annotation]] = {}
    for one in found:
        by_kind.setdefault(one.value, []).append(one)
    kinds = sorted(by_kind.items(), key=lambda pair: (-len(pair[1]), pair[0]))
    columns = ("Episode", "Step", "Said by", "When")
    sections = [
        ReportSection(f"{kind[:1].upper()}{kind[1:]}: {len(said)}", columns, tuple(map(_defect_row, said)))
        for kind, said in kinds
    ]
    none = ReportSection(
        "Defects", columns, (), empty=f"Nobody called anything in {title} defective. X does on a step."
    )
    return sections or [none]


def _defect_row(one: Annotation) -> ReportRow:
    step = "whole" if one.step is None else str(one.step + 1)
    key = f"{one.episode}\n{'' if one.step is None else one.step}"
    return ReportRow((one.episode, step, one.author, when_words(one.made)), key)


def check_sections(source: OpenSource, found: Sequence[Problem]) -> list[ReportSection]:
    """What was looked at of the data, and everything in it that could not be read."""
    about = ""
    if len(found) > MOST_PROBLEMS:
        about = (
            f"The first {words.count(MOST_PROBLEMS)} of {words.count(len(found))}. "
            "stepscope inspect PATH --json lists all of them."
        )
    looked_at = [
        ("Data", str(source.source.path), ""),
        ("Format", source.source.format, ""),
        ("Records", words.count(source.episodes + source.skipped), ""),
        ("Open", words.count(source.episodes), ""),
        ("Left out", words.count(source.skipped), "bad" if source.skipped else ""),
        ("Problems", words.count(len(found)), "warn" if found else "good"),
    ]
    return [
        ReportSection("What was looked at", ("What", "Value"), _facts(looked_at)),
        ReportSection(
            "What is wrong", ("File", "Record", "Field", "Reason"), tuple(map(_problem_row, found[:MOST_PROBLEMS])),
            about=about, empty="Nothing is wrong.",
        ),
    ]  # fmt: skip


def _problem_row(problem: Problem) -> ReportRow:
    step = "" if problem.step is None else f"step {problem.step + 1}"
    record = ", ".join(filter(None, (problem.episode, step)))
    return ReportRow((problem.file, record, problem.field, problem.message))


def agreement_sections(judged: Sequence[PairAgreement], ordered: Sequence[PairAgreement]) -> list[ReportSection]:
    """Each two people, by what they said something of."""
    return [
        ReportSection(
            "Descriptions", ("Question", "First", "Second", "Pairs", "Cohen's kappa", "Equal"),
            tuple(map(_agreement_row, judged)), about="Of the pairs of descriptions that both judged (Judge, Ctrl+5).",
            empty="No two people have judged the same pair of descriptions yet.",
        ),
        ReportSection(
            "Orders of steps", ("What", "First", "Second", "Procedures", "Mean tau", "Equal"),
            tuple(map(_agreement_row, ordered)), about="Of the procedures that both ordered blind (Ordering, Ctrl+4).",
            empty="No two people have ordered the same procedure blind yet.",
        ),
    ]  # fmt: skip


def _agreement_row(one: PairAgreement) -> ReportRow:
    return ReportRow(
        (one.what, one.first, one.second, words.count(one.n), words.score(one.value), words.share(one.observed))
    )


def performance_sections(steps: Sequence[float], cache: CacheStatistics, memory: int) -> list[ReportSection]:
    """How fast this window was: `steps` in seconds, the shortest first; `memory` in bytes, 0 where it is not known."""
    facts = [("Steps shown", words.count(len(steps)), "")]
    if steps:
        median, slow = steps[len(steps) // 2], steps[min(len(steps) * 95 // 100, len(steps) - 1)]
        facts += [
            ("Key to picture, median", words.duration(median), "bad" if median > STEP_BUDGET else "good"),
            ("Key to picture, 95 of 100 within", words.duration(slow), ""),
            ("Key to picture, longest", words.duration(steps[-1]), ""),
        ]
    asked = cache.hits + cache.misses
    pictures = [
        ("Kept decoded", f"{words.count(cache.pictures)}, {words.byte_words(cache.bytes)}", ""),
        ("Bound", words.byte_words(cache.limit), ""),
        ("Needed no decoding", words.share(cache.hits / asked if asked else None), ""),
    ]
    process = [("Memory of this window", words.byte_words(memory) if memory else "–", "")]
    about = f"A step is to be there within {words.duration(STEP_BUDGET)}; pictures that were never decoded take longer."
    return [
        ReportSection("Steps", ("What", "Value"), _facts(facts), about=about),
        ReportSection("Pictures", ("What", "Value"), _facts(pictures)),
        ReportSection("Process", ("What", "Value"), _facts(process)),
    ]


def _facts(facts: Iterable[tuple[str, str, str]]) -> tuple[ReportRow, ...]:
    return tuple(ReportRow((what, value), state=state) for what, value, state in facts)


def licence_sections(found: Sequence[LibraryLicence]) -> list[ReportSection]:
    """The program's own licence, and those of what it stands on."""
    columns = ("Library", "Version", "Licence")
    needed = tuple(ReportRow((one.name, one.version, one.licence)) for one in found if not one.optional)
    more = tuple(ReportRow((one.name, one.version, one.licence)) for one in found if one.optional)
    own = (ReportRow(("Stepscope", "", OWN_LICENCE)),)
    return [
        ReportSection("This program", columns, own, about="Qt is used under the LGPL, by dynamic linking."),
        ReportSection("What it needs", columns, needed),
        ReportSection("Installed for more", columns, more, empty="Nothing optional is installed."),
    ]


def machine_sections(examined: Mapping[str, Mapping[str, object]]) -> list[ReportSection]:
    """What was found on this machine, by section (`machine.examine`)."""
    return [
        ReportSection(
            name[:1].upper() + name[1:],
            ("What", "Found"),
            tuple(
                ReportRow((key.replace("_", " "), said(value)), state=_state(value)) for key, value in content.items()
            ),
        )
        for name, content in examined.items()
    ]


def said(value: object) -> str:
    """A value of the machine's facts in words."""
    if value is None or value == []:
        return "not here"
    if isinstance(value, bool):
        return "yes" if value else "no"
    return ", ".join(map(str, value)) if isinstance(value, list) else str(value)


def _state(value: object) -> str:
    return "warn" if value is None or value is False else ""
