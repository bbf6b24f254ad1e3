"""A request taken apart into the rows that a network is asked for: one for a step or an episode, one for each step or
each pair of steps whose order is to be found."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import field

from stepscope.core.domain.elements import UIElement
from stepscope.core.domain.episode import Observation, Picture
from stepscope.core.domain.geometry import Box
from stepscope.core.errors import UserError
from stepscope.core.evaluation.predictor import EpisodeRequest, OrderRequest, StepRequest
from stepscope.core.frozen import dataclass
from stepscope.core.imaging.decode import decode
from stepscope.core.imaging.parts import Pixels
from stepscope.models.automation.action_choice import sentence_of
from stepscope.models.automation.screen import shown_box, usable_elements
from stepscope.models.features.screens import screen_texts
from stepscope.models.own.manifest import Manifest
from stepscope.models.own.screen_input import fitted

MOST_STEPS = 60
"""Of a procedure whose pairs are compared: 3,540 rows."""


@dataclass(frozen=True, slots=True)
class RequestRow:
    """What one row is made of. `texts` by their source; `sent` the picture as it is sent, `observation` the screen that
    places are on; `elements` with the part of each on the screen."""

    texts: Mapping[str, str]
    sent: Pixels | None = field(default=None, repr=False)
    observation: Observation | None = None
    elements: tuple[tuple[UIElement, Box], ...] = ()


@dataclass(frozen=True, slots=True)
class PreparedRows:
    """A request with its rows. `why` says what it lacks that the network looks at: then there are no rows."""

    request: StepRequest | EpisodeRequest | OrderRequest
    rows: tuple[RequestRow, ...]
    why: str = ""


class _LackingError(Exception):
    """The request has not what the network looks at."""


def prepared(request: StepRequest | EpisodeRequest | OrderRequest, manifest: Manifest) -> PreparedRows:
    """The rows of a request. Raises SourceError for a picture that cannot be decoded."""
    try:
        match request:
            case OrderRequest():
                rows = _order_rows(request, manifest)
            case StepRequest():
                rows = (_step_row(request, manifest),)
            case EpisodeRequest():
                rows = (_episode_row(request, manifest),)
    except _LackingError as error:
        return PreparedRows(request, (), str(error))
    return PreparedRows(request, rows)


def _step_row(request: StepRequest, manifest: Manifest) -> RequestRow:
    seen = request.observation
    texts = _texts(seen, request.goal, request.app) | {"instruction": sentence_of(request)}
    elements: tuple[tuple[UIElement, Box], ...] = ()
    if manifest.elements is not None:
        elements = candidates(seen, manifest.elements.count)
        if not elements:
            raise _LackingError("the screen has no UI elements that something can be done on")
    return RequestRow(texts, _sent(seen.shown, manifest), seen, elements)


def _episode_row(request: EpisodeRequest, manifest: Manifest) -> RequestRow:
    wanted = manifest.screen
    if not request.observations:
        raise _LackingError("the episode has no screens")
    shown = [one for one in request.observations if one.shown is not None] if wanted else list(request.observations)
    if not shown:
        raise _LackingError("the episode has no screenshots")
    seen = shown[0 if wanted is not None and wanted.which == "first" else -1]
    elements = candidates(seen, manifest.elements.count) if manifest.elements else ()
    return RequestRow(_texts(seen, request.goal or "", request.app), _sent(seen.shown, manifest), seen, elements)


def _order_rows(request: OrderRequest, manifest: Manifest) -> tuple[RequestRow, ...]:
    steps = request.steps
    if manifest.output("before") is None:
        return tuple(
            RequestRow(
                {"goal": request.goal, "step": one.text},
                _sent(one.pictures[0] if one.pictures else None, manifest),
            )
            for one in steps
        )
    if len(steps) > MOST_STEPS:
        raise UserError(f"the procedure has {len(steps)} steps, more than the {MOST_STEPS} whose pairs are compared.")
    return tuple(
        RequestRow({"goal": request.goal, "step": one.text, "other step": other.text})
        for one in steps
        for other in steps
        if one is not other
    )


def candidates(seen: Observation, most: int) -> tuple[tuple[UIElement, Box], ...]:
    """The elements that something can be done on, each with its part on the screen, in the tree's order; all that can
    be seen where none says so."""
    usable = usable_elements(seen)
    chosen = [one for one in usable if one.clickable or one.editable or one.long_clickable] or usable
    return tuple((one, box) for one in chosen if (box := shown_box(one, seen)) is not None)[:most]


def _texts(seen: Observation, goal: str, app: str | None) -> dict[str, str]:
    return {"goal": goal, "app": app or "", "screen": ". ".join(screen_texts(seen))}


def _sent(picture: Picture | None, manifest: Manifest) -> Pixels | None:
    if manifest.screen is None:
        return None
    if picture is None:
        raise _LackingError("there is no screenshot")
    return fitted(decode(picture), manifest.screen)
