"""How a model that puts steps in order looks for the most likely one: settings in its name, `berson?search=exact`."""

from __future__ import annotations

from collections.abc import Mapping

from stepscope.core.scoring.option import Option

BEAM_SEARCH, EXACT_SEARCH = "beam", "exact"
WIDEST = 1024
ALL_ORDERS = -1
"""The width by which the exact search is asked for."""

SEARCH = Option(
    "search",
    BEAM_SEARCH,
    "By a beam, or exactly up to nine steps, so that errors of the search and of the model are told apart.",
    "ours",
    choices=(BEAM_SEARCH, EXACT_SEARCH),
)
BEAM_WIDTH = Option("beam", 64, "Beginnings of an order that are kept.", "paper", low=1, high=WIDEST)
SEARCH_SETTINGS = (SEARCH, BEAM_WIDTH)


def width_of(given: Mapping[str, str]) -> int:
    """The width that the settings ask for, 0 the usual one; `given` was checked."""
    if given.get(SEARCH.name) == EXACT_SEARCH:
        return ALL_ORDERS
    return int(given.get(BEAM_WIDTH.name, 0))
