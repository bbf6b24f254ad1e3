"""What the page shows on which a model file is added."""

from __future__ import annotations

from dataclasses import field

from stepscope.core.frozen import dataclass


@dataclass(frozen=True, slots=True)
class ListedModel:
    """A model that is there already: `detail` is what it is for, or what it is; `group` where it comes from.
    `below_rules` says in a line where it is below a rule on real data."""

    name: str
    detail: str
    group: str
    below_rules: str = ""


@dataclass(frozen=True, slots=True)
class ManifestRow:
    """A field of the manifest by its place in it. `choices` are (value, words); without any it is written. `asked`: the
    file does not tell it, and nobody has yet. `file`: a path that can be looked for. `secret`: not to be read over a
    shoulder. `fixed`: it is told and cannot be changed."""

    field: str
    words: str
    value: str
    choices: tuple[tuple[str, str], ...] = ()
    asked: bool = False
    file: bool = False
    tip: str = ""
    secret: bool = False
    fixed: bool = False


@dataclass(frozen=True, slots=True)
class ManifestGroup:
    """Fields that belong together, such as those of one input; `detail` is what the file says of it."""

    title: str
    detail: str
    rows: tuple[ManifestRow, ...]


@dataclass(frozen=True, slots=True)
class FoundModel:
    """What was found at the path: `checks` are what was looked at and is well, `doubts` what is not, or may not be."""

    title: str
    detail: str
    checks: tuple[str, ...]
    doubts: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class AddModelState:
    """`trouble` is what is wrong with the file, `missing` what keeps it from being tried; both in words, "" for
    nothing. `has_prompt`: the model is asked in words, which can be looked at. `title` is the name of one that is there
    already, whose changes can be saved; `removal` says what goes and what stays when it is removed, "" where it cannot
    be."""

    path: str = ""
    found: FoundModel | None = None
    trouble: str = ""
    where: tuple[ManifestRow, ...] = ()
    speaks: tuple[ManifestGroup, ...] = ()
    runs: tuple[ManifestRow, ...] = ()
    missing: str = ""
    command: str = ""
    can_try: bool = False
    can_add: bool = False
    has_prompt: bool = False
    title: str = ""
    removal: str = ""


@dataclass(frozen=True, slots=True)
class ShownPicture:
    """A picture's file with places on it in fractions: `mark` is the model's, `reference` the recording's."""

    title: str
    data: bytes = field(repr=False)
    mark: tuple[float, float] | None = None
    reference: tuple[float, float] | None = None


@dataclass(frozen=True, slots=True)
class ShownTensor:
    """An input or output in words."""

    name: str
    shape: str
    spread: str
    numbers: str


@dataclass(frozen=True, slots=True)
class ShownTrial:
    """`problem` says why the model does not answer, "" where `answer` says what it does."""

    item: str
    goal: str
    inputs: tuple[ShownTensor, ...]
    outputs: tuple[ShownTensor, ...]
    texts: tuple[tuple[str, str], ...]
    pictures: tuple[ShownPicture, ...]
    answer: str
    problem: str
    speed: str
