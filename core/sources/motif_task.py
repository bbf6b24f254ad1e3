"""What MoTIF says of a trace in words: goal, feasibility, reason and follow-up questions, in its three packagings.

Facts: README of github.com/aburns4/MoTIF; Burns et al., ECCV 2022, table 2 (the three reasons and what they mean).
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from stepscope.core.domain.episode import Feasibility, FeasibilityLabel, InfeasibilityReason
from stepscope.core.errors import SourceError
from stepscope.core.sources.files import mapping_of, parse_json, read_text, safe_join, shortened, text_of
from stepscope.core.sources.findings import Findings
from stepscope.core.sources.motif_tables import LABELS, Tables
from stepscope.core.sources.small_files import ABSENT, read_small_json
from stepscope.core.sources.sniffers.motif import ANNOTATIONS
from stepscope.core.sources.traces import TraceMetadata

_INFO = "trace_info.json"
_LABEL = "feasibility.txt"

TRACE_TYPES = ("language", "action", "exploration", "other")

_REASON_WORDS = (
    (InfeasibilityReason.PREMATURE, ("premature", "first", "not sure how", "figure out")),
    (InfeasibilityReason.UNCLEAR, ("unclear", "specified", "ambiguous", "vague")),
    (InfeasibilityReason.IMPOSSIBLE, ("impossible", "cannot", "can't", "not possible", "infeasible")),
)
"""Words by which a reason is known: the class, or words of the sentences that annotators chose among (table 2)."""


def read_task(folder: Path, trace: str, tables: Tables, findings: Findings) -> TraceMetadata:
    """What the trace's own files say (`trace_info.json`, else the older text files), completed from the tables."""
    own = _aggregated(folder, findings)
    listed = listed_task(trace, tables, findings)
    feasibility, other = own.feasibility, listed.feasibility.label
    if feasibility.label is None and not feasibility.follow_up:
        feasibility = listed.feasibility
    elif other is not None and feasibility.label not in (None, other):
        findings.add(
            f"the trace says {feasibility.label}, its annotation {other}: the trace counts", field="feasibility"
        )
    return TraceMetadata(own.goal or listed.goal, feasibility, listed.splits, own.has_trees)


def listed_task(trace: str, tables: Tables, findings: Findings) -> TraceMetadata:
    """What the tables say of a trace. Its annotations must agree to be a label; the first one's goal counts."""
    goal, labels = tables.annotated.get(trace, ("", ()))
    if len(set(labels)) > 1:
        findings.add(f"its {len(labels)} annotations do not agree", field="feasibility", file=ANNOTATIONS)
    label = labels[0] if len(set(labels)) == 1 else None
    return TraceMetadata(goal or tables.goals.get(trace, ""), Feasibility(label), tables.splits.get(trace, ()))


def _aggregated(folder: Path, findings: Findings) -> TraceMetadata:
    try:
        found = read_small_json(folder, _INFO)
    except SourceError as error:
        findings.add_error(error, field="goal", file=_INFO)
        return TraceMetadata()
    if found is ABSENT:
        return _older(folder, findings)
    form = mapping_of(found)
    kind = form.get("trace_type")
    if kind == "other":
        findings.add('trace_type is "other": the data set says that the metadata is broken', field="goal", file=_INFO)
    elif kind not in TRACE_TYPES:
        findings.add(f"trace_type {kind!r} is not one of {', '.join(TRACE_TYPES)}", field="goal", file=_INFO)
    label = form.get("feasibility")
    feasibility = Feasibility() if label is None else _feasibility(mapping_of(label), _INFO, findings)
    goal = text_of(form.get("all_tasks" if kind == "language" else "task_command")).strip()
    return TraceMetadata(goal, feasibility, has_trees=kind != "language")


def _older(folder: Path, findings: Findings) -> TraceMetadata:
    """`task.txt` holds the goal; `task_type.txt`, where there is one, says if only language was collected."""
    goal = _optional_text(folder / "task.txt", "goal", findings)
    kind = _optional_text(folder / "task_type.txt", "goal", findings)
    return TraceMetadata(goal, _older_feasibility(folder, findings), has_trees=kind != "LANGUAGE ANNOTATION")


def _older_feasibility(folder: Path, findings: Findings) -> Feasibility:
    """JSON as in `trace_info.json`, or Yes/No, the reason and the questions line by line."""
    text = _optional_text(folder / _LABEL, "feasibility", findings)
    if not text:
        return Feasibility()
    try:
        form = parse_json(text)
    except SourceError:
        form = None
    if isinstance(form, dict):
        return _feasibility(mapping_of(form.get("feasibility", form)), _LABEL, findings)
    first, *lines = [line.strip() for line in text.splitlines() if line.strip()]
    word, _, reason = first.replace(",", " ", 1).strip().partition(" ")
    rest = [line for line in (reason.strip(), *lines) if line]
    fields = {"binary": word.strip('".:;'), "reason": rest[0] if rest else None, "follow_up": rest[1:]}
    return _feasibility(fields, _LABEL, findings)


def _optional_text(path: Path, field: str, findings: Findings) -> str:
    if not path.is_file():
        return ""
    try:
        return read_text(safe_join(path.parent, path.name)).strip()
    except SourceError as error:
        findings.add_error(error, field=field, file=path)
        return ""


def _feasibility(form: Mapping[str, Any], file: str, findings: Findings) -> Feasibility:
    """The released loader takes everything but "Yes" for infeasible; here other words are a finding and no label."""
    word = text_of(form.get("binary")).strip()
    label = LABELS.get(word.lower())
    if label is None:
        said = form.get("binary") if not word else shortened(word)
        findings.add(f"feasibility {said!r} is neither Yes nor No", field="feasibility", file=file)
    questions = form.get("follow_up")
    asked = questions if isinstance(questions, list) else [questions]
    follow_up = tuple(text for question in asked if (text := text_of(question).strip()))
    reason = None
    if label is FeasibilityLabel.INFEASIBLE:
        reason = _reason(text_of(form.get("reason")).strip(), file, findings)
    return Feasibility(label, reason, follow_up)


def _reason(text: str, file: str, findings: Findings) -> InfeasibilityReason | None:
    if not text:
        return None
    for reason, words in _REASON_WORDS:
        if text.lower() == reason.value or any(word in text.lower() for word in words):
            return reason
    findings.add(f"the reason {shortened(text)!r} is not one that MoTIF knows", field="feasibility", file=file)
    return None
