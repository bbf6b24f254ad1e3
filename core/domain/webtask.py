"""Web tasks: a page template, what is filled into it, and what people answered."""

from __future__ import annotations

from collections.abc import Mapping
from enum import StrEnum

from stepscope.core.domain.episode import Problem
from stepscope.core.frozen import dataclass


class FieldType(StrEnum):
    """Type of an answer field, in the words of the scoring rules."""

    TEXT = "text"
    TEXTAREA = "textarea"
    HIDDEN = "hidden"
    RADIO = "radio"
    SELECT = "select"
    CHECKBOX = "checkbox"
    RANGE = "range"


@dataclass(frozen=True, slots=True)
class WebField:
    """An answer field of the page; `options` are the values that can be chosen, in page order."""

    name: str
    type: FieldType
    options: tuple[str, ...] = ()
    label: str = ""


@dataclass(frozen=True, slots=True)
class WebTask:
    """`template` is the page's HTML with `${column}` variables, which `columns` names in order of appearance.

    `fields` are those that people's answers are kept of, in page order; where none are kept, all that can be filled in.
    """

    name: str
    title: str
    description: str
    template: str
    columns: tuple[str, ...]
    fields: tuple[WebField, ...]
    keywords: str = ""
    splits: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class WebInstance:
    """One page to fill in: `inputs` by column, and one mapping of field name to value for each worker who answered.

    A field that a worker left empty is missing from the mapping.
    """

    id: str
    task: str
    inputs: Mapping[str, str]
    answers: tuple[Mapping[str, str], ...]
    problems: tuple[Problem, ...] = ()


def task_of(instance_id: str) -> str:
    """The name of the task in an instance's id, `<task>/<instance>`; the id itself where it names none."""
    return instance_id.rpartition("/")[0] or instance_id
