"""A trained model on real data, beside the rules that it has to beat: the table `real` of its card.

Whether a model is below the rules is told here and nowhere else. It counts as below or above only where the 95 %
interval of the paired difference leaves out zero and the paired test agrees: a handful of items decides nothing (ours).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, field, replace
from enum import StrEnum
from typing import Any

from stepscope.core.frozen import dataclass
from stepscope.core.typed_forms import dataclass_of

ALL = "all"
"""`RealResult.split` where nothing but the whole set was measured on."""
SURE = 0.05
"""The p of the paired test below which a difference counts (the usual level)."""
ENOUGH = 100
"""Items of a set on which a model that is not above the rules is said to be no better than they are (ours)."""


class RuleComparison(StrEnum):
    """The model against the best rule of a set."""

    BELOW = "below"
    LEVEL = "level"
    ABOVE = "above"


@dataclass(frozen=True, slots=True)
class RuleOnSet:
    """A rule on the same items. `difference` is the model's value less the rule's; `ci` its 95 % interval by draws of
    whole episodes, None where there is one episode only; `p` of the paired test, None where there is none."""

    value: float | None
    difference: float | None
    ci: tuple[float, ...] | None = None
    p: float | None = None

    @property
    def standing(self) -> RuleComparison:
        """What interval and test say of the model; level where they say nothing."""
        if self.ci is None or self.p is None or self.p >= SURE:
            return RuleComparison.LEVEL
        if self.ci[1] < 0:
            return RuleComparison.BELOW
        return RuleComparison.ABOVE if self.ci[0] > 0 else RuleComparison.LEVEL


@dataclass(frozen=True, slots=True)
class RealResult:
    """One real set. `split` is `ALL` for the whole of it; `items` were scored, of `episodes`. `sha256` is the hash of
    what was asked and of the right answers (`app.services.real_sets`). `metric` is the protocol's by which the model
    was trained, higher is better. `drawn_from`: so many episodes were there, of which `episodes` were drawn by seed
    `draw_seed`; None where all were taken. `against` has the rules by name."""

    set: str
    format: str
    split: str
    items: int
    episodes: int
    sha256: str
    protocol: str
    metric: str
    value: float | None
    ci: tuple[float, ...] | None = None
    drawn_from: int | None = None
    draw_seed: int | None = None
    against: Mapping[str, RuleOnSet] = field(default_factory=dict)

    @property
    def key(self) -> tuple[str, str, str]:
        """A later measurement takes the place of the one with the same key."""
        return self.set, self.split, self.protocol

    @property
    def best_rule(self) -> str:
        """The rule of the highest value, "" without any."""
        known = {name: one.value for name, one in self.against.items() if one.value is not None}
        return max(known, key=lambda name: known[name]) if known else ""

    @property
    def standing(self) -> RuleComparison:
        """Against the best rule: how well a model does beside a poor one says nothing."""
        best = self.best_rule
        return self.against[best].standing if best else RuleComparison.LEVEL


def below_rules(results: Sequence[RealResult]) -> tuple[RealResult, ...]:
    """The sets on which the model is below the best rule, the widest gap first."""
    found = [one for one in results if one.standing is RuleComparison.BELOW]
    return tuple(sorted(found, key=lambda one: one.against[one.best_rule].difference or 0.0))


def below_words(results: Sequence[RealResult]) -> str:
    """The first of these in a line, such as "Below text-match on UIBert refexp: 0.322 against 0.585"; "" where there is
    none. Further sets are counted."""
    found = below_rules(results)
    if not found:
        return ""
    more = f", and on {len(found) - 1} more" if len(found) > 1 else ""
    return f"Below {_against_best(found[0])}{more}"


def level_words(results: Sequence[RealResult]) -> str:
    """That the model is no better than the best rule on its largest set, in a line; "" where it is, where it is below a
    rule, and where that set is too small to tell."""
    largest = max(results, key=lambda one: one.items, default=None)
    if largest is None or largest.items < ENOUGH or not largest.best_rule or below_rules(results):
        return ""
    return f"No better than {_against_best(largest)}" if largest.standing is RuleComparison.LEVEL else ""


def _against_best(result: RealResult) -> str:
    best = result.best_rule
    return f"{best} on {result.set}: {number(result.value)} against {number(result.against[best].value)}"


def number(value: float | None) -> str:
    """Three digits; a dash where there is no value."""
    return "–" if value is None else f"{value:.3f}"


def interval(ci: Sequence[float] | None) -> str:
    """0.321 – 0.405; a dash where there is none."""
    return "–" if ci is None else f"{ci[0]:.3f} – {ci[1]:.3f}"


def as_form(result: RealResult) -> dict[str, Any]:
    """As a card keeps it; what is None of the draw is left out."""
    form = asdict(result)
    return {name: value for name, value in form.items() if value is not None or not name.startswith("draw")}


def from_forms(forms: object) -> tuple[RealResult, ...]:
    """The table of a card, which anybody may have written. Raises ValueError naming what is wrong in it."""
    if not isinstance(forms, list):
        raise ValueError("real is no list")
    found = tuple(_result(form) for form in forms)
    if len({one.key for one in found}) < len(found):
        raise ValueError("real has a set twice")
    return found


def _result(form: object) -> RealResult:
    if not isinstance(form, Mapping) or not isinstance(form.get("against", {}), Mapping):
        raise ValueError("a set of real, or what it is measured against, is no object")
    plain = dataclass_of(RealResult, {name: value for name, value in form.items() if name != "against"})
    against = {str(name): dataclass_of(RuleOnSet, one) for name, one in form.get("against", {}).items()}
    if min(plain.items, plain.episodes) < 0:
        raise ValueError("real counts fewer than no items")
    for ci in (plain.ci, *(one.ci for one in against.values())):
        if ci is not None and (len(ci) != 2 or ci[0] > ci[1]):
            raise ValueError(f"ci {list(ci)[:3]} is no interval")
    return replace(plain, against=against)
