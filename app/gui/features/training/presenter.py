"""A training in words."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from stepscope.widgets.format import counted, interval, score, signed

if TYPE_CHECKING:
    from stepscope.models.learned.card import ModelCard

NOTHING_HELD_OUT = "Nothing was held out, so there are no numbers on episodes that it never saw."


def stopped_words(name: str, epochs: int, *, in_epoch: bool, in_pretraining: bool = False) -> str:
    """What is kept of a training that was stopped after so many epochs; `in_epoch`: in the middle of the next one;
    `in_pretraining`: before the first one."""
    if not epochs and not in_epoch and not in_pretraining:
        return f"{name} has learned nothing yet."
    kept = counted(epochs, "epoch") if epochs else "a part of its first epoch"
    if in_pretraining:
        kept = "a part of its pretraining"
    return f"What {name} learned in {kept} is kept. Train with the same settings to go on."


def held_out_words(card: ModelCard) -> tuple[str, ...]:
    """For each data set with held-out episodes the protocol's metric on those, with its interval and what it is above
    baselines."""
    found = card.held_out
    if not found:
        return (NOTHING_HELD_OUT,)
    also = found.get("also", ())
    return tuple(_on_source(one, f" of {one['source']}" if also else "") for one in (found, *also))


def _on_source(found: Mapping[str, Any], source: str) -> str:
    name = found["metric"]
    low_high = found["ci"].get(name)
    value = score(found["metrics"].get(name)) + (f" ({interval(low_high)})" if low_high else "")
    words = [f"On held-out episodes{source} {name.replace('_', ' ')} is {value}, n {found['n']:,}."]
    for baseline, one in found["against"].items():
        if one["difference"] is not None:
            words.append(f"{signed(one['difference'])} against {baseline}.")
    return " ".join(words)
