"""What a person answered on a page of a web task: a draft while they fill it in, then submitted."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import field
from datetime import datetime
from enum import StrEnum

from stepscope.core.frozen import dataclass


class AnswerState(StrEnum):
    """draft: still being filled in, and counted nowhere; submitted: done, until it is taken back."""

    DRAFT = "draft"
    SUBMITTED = "submitted"


@dataclass(frozen=True, slots=True)
class WebAnswer:
    """One person's answer to one instance; nobody has two. `source` is the path of the data as it was opened.

    `fields` are values by the page's names, ticked boxes joined by "|" in page order; a field that is missing or ""
    was left empty. `seconds` are those that the person spent on the page. `changed` is when it was last saved, UTC;
    `submitted` when it was handed in, None for a draft. `log` is what was done on the page
    (`core.webtask.solving.Trace` in JSON), "" where that was not kept.
    """

    source: str
    task: str
    instance: str
    annotator: str
    fields: Mapping[str, str]
    changed: datetime
    seconds: float = 0.0
    submitted: datetime | None = None
    log: str = field(default="", repr=False)

    @property
    def state(self) -> AnswerState:
        return AnswerState.DRAFT if self.submitted is None else AnswerState.SUBMITTED

    @property
    def key(self) -> tuple[str, str, str]:
        """Source, instance and annotator: there is one answer at most for each."""
        return self.source, self.instance, self.annotator
