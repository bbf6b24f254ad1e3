"""How sure a trained model must be before it asks: a setting in its name, `ask-timing?precision=0.7`. Light."""

from __future__ import annotations

from stepscope.core.scoring.option import Option

PRECISION = Option(
    "precision",
    0.0,
    "Asks only above the line at which so many of its questions were right on the validation split; 0: the line of "
    "best F1.",
    "ours",
    low=0.0,
    high=0.9,
)
