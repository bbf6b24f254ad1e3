"""The long work of pairing: vectors, clusters, picture. It runs in a process of its own where there is a window."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from stepscope.app.services.campaigns import goal_picture, goal_vectors
from stepscope.app.services.campaigns.goal_picture import Method, Places
from stepscope.app.services.campaigns.pairing import Clustering, Vectors, clustered
from stepscope.core.domain.campaign import CampaignGoal
from stepscope.core.frozen import dataclass
from stepscope.core.progress import CancelToken, Progress


@dataclass(frozen=True, slots=True)
class PairingRequest:
    """Goals of one category. `k` None: the silhouette decides; `picture` None: none is made; `fasttext`: a file of word
    vectors in place of MiniLM."""

    category: str
    goals: tuple[CampaignGoal, ...]
    k: int | None = None
    seed: int = 0
    picture: Method | None = None
    fasttext: Path | None = None


@dataclass(frozen=True, slots=True)
class PairingStage:
    """The present work; `progress` where it has an end."""

    doing: str
    progress: Progress | None = None


@dataclass(frozen=True, slots=True)
class PairingResult:
    """`places` are in the order of the request's goals, empty without a picture. `vectors` says what they are from,
    `unknown` the goals of which no word was known."""

    clustering: Clustering
    places: Places
    vectors: str
    unknown: tuple[str, ...] = ()


def pair_goals(request: PairingRequest, token: CancelToken) -> Iterator[PairingStage | PairingResult]:
    """What is being done, and at last the result, unless it is cancelled. Raises UserError."""
    yield PairingStage("Reading the goals")
    rows, name, unknown = _vectors(request, token)
    clustering: Clustering | None = None
    for event in clustered(request.category, request.goals, rows, token, k=request.k, seed=request.seed):
        if isinstance(event, Progress):
            yield PairingStage("Clustering", event)
        else:
            clustering = event
    if clustering is None or token.cancelled:
        return
    places: Places = ()
    if request.picture is not None:
        yield PairingStage(f"Drawing by {request.picture}")
        places = goal_picture.placed(rows, request.picture, request.seed)
    yield PairingResult(clustering, places, name, unknown)


def _vectors(request: PairingRequest, token: CancelToken) -> tuple[Vectors, str, tuple[str, ...]]:
    texts = [goal.text for goal in request.goals]
    if request.fasttext is None:
        rows, name = goal_vectors.sentence_vectors(texts)
        return rows, name, ()
    rows, unknown = goal_vectors.fasttext_vectors(request.fasttext, texts, token)
    return rows, f"means of word vectors of {request.fasttext.name}", unknown
