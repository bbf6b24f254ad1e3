"""A person's order of a procedure's steps: a draft that goes on, or one that was accepted."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from datetime import UTC, datetime
from enum import StrEnum
from typing import Any, TypeVar

from stepscope.core.domain.web_answer import AnswerState
from stepscope.core.frozen import dataclass

MOST_CONFIDENT = 5
"""Confidence is a whole number from 1 (guessed) to this (certain) (ours)."""

LARGEST_SEED = 2**31 - 1

StepOrder = tuple[str, ...]

InputWord = TypeVar("InputWord", bound=StrEnum)


class StepInput(StrEnum):
    """What of the steps was shown, or what of it helped."""

    TEXT = "text"
    PICTURE = "picture"
    BOTH = "both"


class HelpfulInput(StrEnum):
    """Which of the inputs helped a person to find the order."""

    TEXT = "text"
    PICTURE = "picture"
    BOTH = "both"
    NEITHER = "neither"


@dataclass(frozen=True, slots=True)
class HumanOrder:
    """One person's order of one procedure; nobody has two under the same conditions (`blind`). `source` is the path of
    the data, `procedure` an id in it.

    `orders` lists step ids: the first is the person's order, the others are right too in their eyes. `blind`: neither
    reference nor models were shown. `seconds` are those that the person spent. `confidence` counts from 1 to
    MOST_CONFIDENT, None where nothing was said. `seed` is that of the shuffle in which the steps were shown. `changed`
    is when it was last saved, UTC; `submitted` when it was accepted, None for a draft.
    """

    source: str
    procedure: str
    annotator: str
    blind: bool
    orders: tuple[StepOrder, ...]
    changed: datetime
    seconds: float = 0.0
    confidence: int | None = None
    helped: HelpfulInput | None = None
    shown: StepInput = StepInput.BOTH
    seed: int = 0
    submitted: datetime | None = None

    @property
    def order(self) -> StepOrder:
        return self.orders[0]

    @property
    def state(self) -> AnswerState:
        return AnswerState.DRAFT if self.submitted is None else AnswerState.SUBMITTED

    @property
    def key(self) -> tuple[str, str, str, bool]:
        """Source, procedure, annotator and blind: there is one order at most for each."""
        return self.source, self.procedure, self.annotator, self.blind

    @property
    def said(self) -> tuple[object, ...]:
        """All that the person decided; the time that went by is none of it, nor what was shown."""
        return self.orders, self.confidence, self.helped, self.seed, self.submitted is not None


def human_order_to_json(one: HumanOrder, references: Sequence[StepOrder] = ()) -> dict[str, Any]:
    """The order as a record that the protocol `ordering` reads too, where `references` are known: `prediction` is the
    person's order."""
    return {
        "id": one.procedure,
        "references": [list(order) for order in references],
        "prediction": list(one.order),
        "alternatives": [list(order) for order in one.orders[1:]],
        "annotator": one.annotator,
        "blind": one.blind,
        "shown": one.shown.value,
        "seed": one.seed,
        "seconds": one.seconds,
        "confidence": one.confidence,
        "helped": one.helped.value if one.helped else None,
        "changed": one.changed.isoformat(),
        "submitted": one.submitted.isoformat() if one.submitted else None,
    }


def human_order_from_json(form: object, source: str, *, annotator: str, now: datetime) -> HumanOrder:
    """The reverse of `human_order_to_json`; `annotator` and `now` stand in where it names neither. A record without
    `submitted` is taken as accepted now, one with null as a draft.

    Raises ValueError with the field and what is wrong with it.
    """
    if not isinstance(form, Mapping):
        raise ValueError("an order is an object")
    orders = (_order(form.get("prediction"), "prediction"), *_orders(form.get("alternatives") or []))
    if any(sorted(order) != sorted(orders[0]) for order in orders):
        raise ValueError("alternatives must have the steps of prediction")
    seconds = form.get("seconds") or 0.0
    if isinstance(seconds, bool) or not isinstance(seconds, int | float) or not 0 <= seconds < 1e9:
        raise ValueError("seconds must be a number from 0")
    changed = _time(form.get("changed"), "changed") or now
    submitted = _time(form["submitted"], "submitted") if "submitted" in form else now
    return HumanOrder(
        source,
        _text(form.get("id"), "id"),
        _text(form.get("annotator") or annotator, "annotator"),
        _flag(form.get("blind", False)),
        orders,
        changed,
        float(seconds),
        _whole(form.get("confidence"), "confidence", 1, MOST_CONFIDENT),
        None if form.get("helped") is None else _word(HelpfulInput, form["helped"], "helped"),
        _word(StepInput, form.get("shown", StepInput.BOTH.value), "shown"),
        _whole(form.get("seed"), "seed", 0, LARGEST_SEED) or 0,
        submitted,
    )


def orders_to_text(orders: Iterable[StepOrder]) -> str:
    """The stored form: JSON, [[id, …], …]."""
    return json.dumps([list(order) for order in orders], ensure_ascii=True, separators=(",", ":"))


def orders_from_text(text: str) -> tuple[StepOrder, ...]:
    """The reverse of `orders_to_text`. Raises ValueError for what is no list of orders of the same steps."""
    form = json.loads(text)
    if not isinstance(form, list) or not form:
        raise ValueError("there is no order")
    orders = tuple(_order(order, "order") for order in form)
    if any(sorted(order) != sorted(orders[0]) for order in orders):
        raise ValueError("the orders are not of the same steps")
    return orders


def _orders(value: object) -> list[StepOrder]:
    if not isinstance(value, list):
        raise ValueError("alternatives must be a list of orders")
    return [_order(order, "alternatives") for order in value]


def _order(value: object, field: str) -> StepOrder:
    if not isinstance(value, list) or not value or not all(isinstance(step, str) for step in value):
        raise ValueError(f"{field} must be a list of step ids")
    if len(set(value)) != len(value):
        raise ValueError(f"{field} names a step twice")
    return tuple(value)


def _text(value: object, field: str) -> str:
    if not isinstance(value, str) or not value:
        raise ValueError(f"{field} must be a text")
    return value


def _flag(value: object) -> bool:
    if not isinstance(value, bool):
        raise ValueError("blind must be true or false")
    return value


def _whole(value: object, field: str, least: int, most: int) -> int | None:
    if value is None:
        return None
    if isinstance(value, bool) or not isinstance(value, int) or not least <= value <= most:
        raise ValueError(f"{field} must be a whole number from {least} to {most}, or null")
    return value


def _word(words: type[InputWord], value: object, field: str) -> InputWord:
    try:
        return words(str(value))
    except ValueError:
        raise ValueError(f"{field} {value!r} is not one of {', '.join(words)}") from None


def _time(value: object, field: str) -> datetime | None:
    if value is None:
        return None
    try:
        made = datetime.fromisoformat(value) if isinstance(value, str) else None
        found = made.astimezone(UTC) if made is not None and made.tzinfo else None
    except (ValueError, OverflowError):
        found = None
    if found is None:
        raise ValueError(f"{field} must be a time with its zone, such as 2024-05-01T12:00:00+00:00")
    return found
