"""MoTIF's tables beside its traces: goals, splits, screen sizes and feasibility annotations by trace id.

* `tasknames.csv`: "<trace id> <goal>" a line; despite its name no commas are split at.
* `train_traces.txt`, `test_traces.txt`: the feasibility split, one trace id a line.
* `eccv_motif_app_….json`: an automation split {"train": [ids], "test": [ids]}; the partition's name is the file's.
* `widget_exception_dims.json`: {trace id: ["width", "height"]}, the true frame of the view hierarchies.
* `feasibility_annotations.p`: a pickled list; of each record the items 1 trace id, 2 goal and 3 Yes/No are read.

Facts: github.com/aburns4/MoTIF: `all_in_one_motif_preprocess.py`, `data_loader.py` (the pickle's places), READMEs; the
text tables were checked on the released files, the pickle on a fixture.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from stepscope.core.domain.episode import FeasibilityLabel, Problem
from stepscope.core.domain.geometry import Size
from stepscope.core.errors import SourceError
from stepscope.core.sources.files import mapping_of, read_bytes, read_json, read_text, shortened, text_of
from stepscope.core.sources.findings import problem_of, relative_name
from stepscope.core.sources.sniffers.motif import ANNOTATIONS, EXCEPTIONS, FEASIBILITY, TASK_NAMES, partition_of

LABELS = {"yes": FeasibilityLabel.FEASIBLE, "no": FeasibilityLabel.INFEASIBLE}

_ID = re.compile(r"[0-9a-fA-F-]{8,64}")


@dataclass
class Tables:
    """The contents of the tables, each by trace id.

    `listed` holds, in order, the ids that the opened tables name and the table's file below `base`.
    """

    base: Path
    goals: dict[str, str] = field(default_factory=dict)
    splits: dict[str, tuple[str, ...]] = field(default_factory=dict)
    frames: dict[str, Size] = field(default_factory=dict)
    annotated: dict[str, tuple[str, tuple[FeasibilityLabel, ...]]] = field(default_factory=dict)
    listed: dict[str, str] = field(default_factory=dict)
    problems: list[Problem] = field(default_factory=list)

    def add(self, path: Path, own: bool) -> None:
        """Read one table; what is wrong in it becomes a problem. `own`: the ids in it are episodes of the source."""
        reader = _TableReading(self, path, own)
        try:
            reader.read()
        except SourceError as error:
            self.problems.append(problem_of(error, self.base, file=relative_name(path, self.base)))


@dataclass
class _TableReading:
    """The reading of one table into `tables`; of problems of one kind the first is told, with the count of all."""

    tables: Tables
    path: Path
    own: bool
    _wrong: dict[str, tuple[int, str]] = field(default_factory=dict)

    def read(self) -> None:
        name = self.path.name
        if name == TASK_NAMES:
            self._task_names()
        elif name == EXCEPTIONS:
            self._frames()
        elif name == ANNOTATIONS:
            self._annotations()
        elif match := FEASIBILITY.fullmatch(name):
            self._split(read_text(self.path).split("\n"), f"feasibility/{match[1]}", "line")
        else:
            self._partition(partition_of(name))
        for kind, (count, first) in self._wrong.items():
            more = f" ({count} such records)" if count > 1 else ""
            self.tables.problems.append(Problem(f"{first}{more}", field=kind, file=self._name))

    @property
    def _name(self) -> str:
        return relative_name(self.path, self.tables.base)

    def _task_names(self) -> None:
        for number, line in enumerate(read_text(self.path).split("\n"), start=1):
            trace, _, goal = line.strip().partition(" ")
            if not trace:
                continue
            if self._known_id(trace, f"line {number}"):
                if trace in self.tables.goals:
                    self._say("id", f"line {number}: the id {trace} was there before; its first goal counts")
                self.tables.goals.setdefault(trace, text_of(goal.strip()))

    def _partition(self, partition: str) -> None:
        form = read_json(self.path)
        parts = form if isinstance(form, dict) else {}
        if not all(isinstance(parts.get(split), list) for split in ("train", "test")):
            raise SourceError("the split has no lists `train` and `test`", place=self.path, field="splits")
        for split, ids in parts.items():
            if isinstance(ids, list):
                self._split(ids, f"{partition}/{text_of(split)}", f"{shortened(split)} record")

    def _split(self, ids: list[Any], split: str, record: str) -> None:
        for number, value in enumerate(ids, start=1):
            trace = value.strip() if isinstance(value, str) else value
            if trace == "" or not self._known_id(trace, f"{record} {number}"):
                continue
            before = self.tables.splits.get(trace, ())
            rival = next((one for one in before if one.split("/")[0] == split.split("/")[0]), None)
            if rival is not None:
                self._say("splits", f"{record} {number}: the id {trace} is in {rival} already")
            if split not in before:
                self.tables.splits[trace] = (*before, split)

    def _frames(self) -> None:
        for trace, value in mapping_of(read_json(self.path)).items():
            try:
                width, height = map(int, value if isinstance(value, list) else ())
                self.tables.frames[trace] = Size(width, height)
            except (ValueError, TypeError, OverflowError):
                said = shortened(repr(value))
                self._say("view_hierarchy", f"{shortened(trace)}: {said} is no [width, height]")

    def _annotations(self) -> None:
        from stepscope.core.archives.pickles import load_plain

        try:
            records = load_plain(read_bytes(self.path))
        except SourceError as error:
            raise SourceError(error.message, place=self.path, field=error.field, hint=error.hint) from error
        if not isinstance(records, (list, tuple)):
            raise SourceError("the pickle holds no list of annotations", place=self.path, field="feasibility")
        for number, record in enumerate(records, start=1):
            fields = record if isinstance(record, (list, tuple)) else ()
            trace, goal, word = fields[1:4] if len(fields) >= 4 else (None, None, None)
            if not self._known_id(trace, f"record {number}"):
                continue
            label = LABELS.get(word.strip().lower()) if isinstance(word, str) else None
            if label is None:
                said = shortened(repr(word))
                self._say("feasibility", f"record {number}: feasibility {said} is neither Yes nor No")
            first, labels = self.tables.annotated.get(trace, ("", ()))
            more = (label,) if label is not None else ()
            self.tables.annotated[trace] = (first or text_of(goal).strip(), (*labels, *more))

    def _known_id(self, trace: object, record: str) -> bool:
        """Whether `trace` can be a trace's id; then it is one of the source's episodes."""
        if not isinstance(trace, str) or not _ID.fullmatch(trace):
            self._say("id", f"{record}: {shortened(repr(trace))} is no trace id")
            return False
        if self.own:
            self.tables.listed.setdefault(trace, self._name)
        return True

    def _say(self, kind: str, message: str) -> None:
        count, first = self._wrong.get(kind, (0, message))
        self._wrong[kind] = (count + 1, first)
