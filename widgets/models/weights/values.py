"""Weights as the list shows them and as the form says them."""

from __future__ import annotations

from stepscope.core.frozen import dataclass


@dataclass(frozen=True, slots=True)
class WeightsLine:
    """`kind` is what they make vectors of, or a model's task; `facts` are names and values of what is known besides.
    `own`: a person added them, and they can be taken off the list; `folder` is what can be shown, "" for none."""

    name: str
    kind: str
    here: bool
    size: str
    licence: str
    wanted_by: str
    facts: tuple[tuple[str, str], ...] = ()
    own: bool = False
    folder: str = ""
    why_not: str = ""


@dataclass(frozen=True, slots=True)
class WeightsFamily:
    """A family that weights can be of. `options`: architecture, tag."""

    name: str
    title: str
    options: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class WeightsOffer:
    """What was found at `path`: `taken_for` in words, of `family` ("" where that could not be told); `name` is a free
    one for it."""

    path: str
    taken_for: str
    family: str
    name: str


@dataclass(frozen=True, slots=True)
class WeightsChoice:
    """What the form says: the family is a person's word, or what was told."""

    path: str
    name: str
    family: str
    architecture: str = ""
    tag: str = ""
