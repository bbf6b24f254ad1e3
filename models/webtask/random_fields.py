"""`random-fields`: fills pages in by chance, the floor above which a model has understood something.

Ours: the paper has no such baseline. Radio buttons and lists evenly over what can be chosen, each box by the toss of a
coin, a slider anywhere on its way, a text one word of the page. Drawn by seed and instance, so that the same page gets
the same answers whatever else is evaluated.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import suppress
from functools import cache
from random import Random

from stepscope.core.domain.webtask import FieldType
from stepscope.core.evaluation.predictor import FieldsRequest
from stepscope.core.sources.web_template import parsed
from stepscope.core.webtask.actions import (
    GetHtml,
    ModifyCheckbox,
    ModifyRadio,
    ModifyRange,
    ModifySelect,
    ModifyText,
    PageAction,
)
from stepscope.core.webtask.page import Page, PageError, PageField, PageLook
from stepscope.core.webtask.predictor import PagePredictor
from stepscope.core.webtask.solving import Notes
from stepscope.models.catalog import RANDOM_FIELDS

LOWEST, HIGHEST = 0.0, 100.0
"""The ends of a slider that names none (HTML standard)."""


class FillByChance:
    """A field that cannot be filled in stays as it is."""

    def __init__(self, seed: int = 0) -> None:
        self._seed = seed

    def solve(self, page: Page, look: PageLook, request: FieldsRequest) -> Notes:
        draw = Random(f"{self._seed}:{request.instance}")
        html = cache(lambda: page.do(GetHtml()).text)
        for field in look.fields:
            with suppress(PageError):
                action = _drawn(field, draw, html)
                if action is not None:
                    page.do(action)
        return Notes()


def _drawn(field: PageField, draw: Random, html: Callable[[], str]) -> PageAction | None:
    """A random action for the field; None where there is nothing to choose from."""
    values = [option.value for option in field.options]
    match field.type:
        case FieldType.RADIO:
            return ModifyRadio(field.name, draw.choice(values)) if values else None
        case FieldType.SELECT:
            return ModifySelect(field.name, draw.choice(values)) if values else None
        case FieldType.CHECKBOX:
            return ModifyCheckbox(field.name, tuple(value for value in values if draw.random() < 0.5))
        case FieldType.RANGE:
            return ModifyRange(field.name, draw.uniform(*ends_of(html(), field.name)))
        case _:
            words = words_of(html())
            return ModifyText(field.name, draw.choice(words)) if words else None


def random_fields(*, seed: int = 0, device: str = "auto") -> PagePredictor:
    """The device is taken as every model takes it; it does not matter here."""
    return PagePredictor(RANDOM_FIELDS, FillByChance(seed))


def words_of(html: str) -> Sequence[str]:
    """The words that the page has in its text, in order, each as often as it is there."""
    from lxml import etree

    page = parsed(html)
    if page is None:
        return ()
    etree.strip_elements(page, "script", "style", "noscript", "template", etree.Comment, with_tail=False)
    return " ".join(page.itertext()).split()


def ends_of(html: str, name: str) -> tuple[float, float]:
    """The lowest and the highest value of the slider of this name."""
    page = parsed(html)
    found = None if page is None else next((one for one in page.iter("input") if one.get("name") == name), None)
    if found is None:
        return LOWEST, HIGHEST
    lowest, highest = _number(found.get("min"), LOWEST), _number(found.get("max"), HIGHEST)
    return lowest, max(lowest, highest)


def _number(text: str | None, otherwise: float) -> float:
    try:
        return float(text or "")
    except ValueError:
        return otherwise
