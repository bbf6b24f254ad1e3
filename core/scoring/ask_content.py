"""How like two questions are, for `ask`: cosine of sentence embeddings, and METEOR.

Source: Navi-plus, section 3.1 and appendix F.4 (paper). The embedding model is handed in: models are of no concern to
core. A measure that this machine cannot take has no values and says why.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import NamedTuple, Protocol

import numpy as np
from numpy.typing import NDArray

from stepscope.core.errors import UnavailableError
from stepscope.core.scoring.meteor import Meteor
from stepscope.core.scoring.statistics import FloatArray


class QuestionPair(NamedTuple):
    """The model's question and the reference question."""

    asked: str
    reference: str


class Embedder(Protocol):
    """Turns sentences into vectors of one length each."""

    name: str
    """Model, numbers' precision and checksum, as the result names it."""

    def embed(self, texts: Sequence[str]) -> NDArray[np.float32]:
        """One row a text, of length 1."""
        ...


FindEmbedder = Callable[[], Embedder]
"""Loads the embedding model when it is first needed. Raises UnavailableError where it is not installed."""


class QuestionSimilarity(NamedTuple):
    """Similarities, one value a pair, None when the measure was not taken; `by` names what took it, `missing` what it
    lacks."""

    values: FloatArray | None
    by: str | None = None
    missing: str | None = None


def no_embedder() -> Embedder:
    """Stands in where no embedding model was handed in: raises UnavailableError, so that `cos_sim` is null."""
    raise UnavailableError("no sentence model was given to the scorer.")


def cosines(pairs: Sequence[QuestionPair], find: FindEmbedder) -> QuestionSimilarity:
    """Cosine of the two embeddings of each pair, -1..1. Each distinct text is embedded once."""
    if not pairs:
        return QuestionSimilarity(None)
    try:
        embedder = find()
    except UnavailableError as error:
        return QuestionSimilarity(None, missing=f"cos_sim is null: {error}")
    numbers: dict[str, int] = {}
    for pair in pairs:
        for text in pair:
            numbers.setdefault(text, len(numbers))
    vectors = embedder.embed(list(numbers)).astype(np.float64)
    vectors /= np.linalg.norm(vectors, axis=1, keepdims=True)
    asked = vectors[[numbers[pair.asked] for pair in pairs]]
    reference = vectors[[numbers[pair.reference] for pair in pairs]]
    return QuestionSimilarity(np.einsum("pd,pd->p", asked, reference).clip(-1.0, 1.0), by=embedder.name)


def meteors(pairs: Sequence[QuestionPair]) -> QuestionSimilarity:
    """METEOR of each pair, 0..1: the model's question against the reference."""
    if not pairs:
        return QuestionSimilarity(None)
    try:
        meteor = Meteor.load()
    except UnavailableError as error:
        return QuestionSimilarity(None, missing=f"meteor is null: {error}")
    scores = [meteor.score(pair.reference, pair.asked) for pair in pairs]
    return QuestionSimilarity(np.array(scores, dtype=np.float64), by=meteor.name)
