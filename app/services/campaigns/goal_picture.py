"""A picture of goals in a plane, to look at: by t-SNE, as the paper shows its clusters (MoTIF, section 3.1), or by UMAP
where it is installed (ours). Decided by the seed."""

from __future__ import annotations

import warnings
from enum import StrEnum
from importlib.util import find_spec

import numpy as np
from numpy.typing import NDArray

from stepscope.core.errors import UnavailableError

Places = tuple[tuple[float, float], ...]

MOST_NEIGHBOURS = 30
"""t-SNE's own perplexity; a third of the goals where they are few, as scikit-learn advises."""
FEWEST = 5
"""Of fewer different goals the two main directions are shown: neighbours say nothing."""


class Method(StrEnum):
    """The method by which the plane is found."""

    TSNE = "t-SNE"
    UMAP = "UMAP"


def methods() -> tuple[Method, ...]:
    """Those that are installed."""
    packages = {Method.TSNE: "sklearn", Method.UMAP: "umap"}
    return tuple(method for method, package in packages.items() if find_spec(package) is not None)


def placed(vectors: NDArray[np.float32] | NDArray[np.float64], method: Method, seed: int) -> Places:
    """A place for each row, between -1 and 1. Raises UnavailableError where the method is not installed."""
    rows = np.asarray(vectors, np.float64)
    if len(np.unique(rows, axis=0)) < FEWEST:
        return _scaled(_main_directions(rows))
    if method not in methods():
        hint = "Install it with pip install umap-learn." if method is Method.UMAP else ""
        raise UnavailableError(f"{method} is not installed.", hint=hint or "pip install 'stepscope[campaigns]'.")
    from threadpoolctl import threadpool_limits

    with threadpool_limits(1):  # several threads would sum in another order each time
        return _scaled(_by_tsne(rows, seed) if method is Method.TSNE else _by_umap(rows, seed))


def _by_tsne(rows: NDArray[np.float64], seed: int) -> NDArray[np.float64]:
    from sklearn.manifold import TSNE

    perplexity = min(MOST_NEIGHBOURS, (len(rows) - 1) / 3)
    return np.asarray(TSNE(2, perplexity=perplexity, random_state=seed).fit_transform(rows), np.float64)


def _by_umap(rows: NDArray[np.float64], seed: int) -> NDArray[np.float64]:
    from umap import UMAP

    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # what it says of its own libraries
        made = UMAP(n_neighbors=min(15, len(rows) - 1), random_state=seed, n_jobs=1, init="random")
        return np.asarray(made.fit_transform(rows), np.float64)


def _main_directions(rows: NDArray[np.float64]) -> NDArray[np.float64]:
    centred = rows - rows.mean(axis=0)
    _, _, directions = np.linalg.svd(centred, full_matrices=False)
    found = centred @ directions[:2].T
    return np.pad(found, ((0, 0), (0, 2 - found.shape[1])))


def _scaled(places: NDArray[np.float64]) -> Places:
    """The points with their middle at 0 and the farthest at 1; the same scale both ways, so that distances keep their
    ratio."""
    low, high = places.min(axis=0), places.max(axis=0)
    half = max(float((high - low).max()) / 2, 1e-12)
    return tuple((round(float(x), 6), round(float(y), 6)) for x, y in (places - (low + high) / 2) / half)
