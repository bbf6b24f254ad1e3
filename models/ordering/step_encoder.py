"""The encoder of steps: one stream over the tokens of their words and the patches of their pictures.

Source: Wu et al. 2022, sections 4.1 and 5.2 (paper): RoBERTa over words; VisualBERT and CLIP-ViL as one transformer
over words and regions or patches, with a modality embedding (text 0, image 1) beside that of positions. Words come
first and pictures behind them, as in figure 2. Which picture a patch is of stands in an embedding of its own (ours: the
position in the paper's long row says as much). The transformer is any that takes `inputs_embeds`.
"""

from __future__ import annotations

from typing import Any

import torch
from torch import Tensor, nn

from stepscope.core.frozen import dataclass
from stepscope.models.ordering.step_inputs import MOST_PLACES, text_checkpoint

TEXT, IMAGE = 0, 1
"""Rows of the modality embedding (Wu et al. 2022, section 5.2)."""
MOST_STEPS = 5
"""Steps in one row of input; the paper's longest (section 5.2)."""
SPREAD = 0.02
"""Of weights that are drawn, as in BERT."""


@dataclass(frozen=True, slots=True)
class EncoderShape:
    """How the encoder is cut down: `layers` of the text checkpoint that are used, 0 all; `grid` patches a side to which
    a square grid of more is averaged, 0 as they come; `view_size` numbers of a patch, 0 for no pictures. With `regions`
    patches are regions, which tell their places themselves and stand in no grid."""

    layers: int = 0
    grid: int = 0
    view_size: int = 0
    regions: bool = False


@dataclass(frozen=True, slots=True)
class Rows:
    """Rows of steps as the encoder reads them. `ids` (r, k, tokens) of up to k steps with special tokens at both ends,
    `lengths` (r, k) how many of them there are, 0 for no step; `patches` (r, k, places, size); `seen` (r, k) how many
    of its picture's places there are, 0 for no picture."""

    ids: Tensor
    lengths: Tensor
    patches: Tensor | None = None
    seen: Tensor | None = None


@dataclass(frozen=True, slots=True)
class States:
    """`whole` (r, d) at the first token; `tokens` (r, n, d) of the words, `step_of` (r, n) whose each is, −1 of none,
    `source` (r, n) where in its step's ids it stands; `patches` (r, k, places, d)."""

    whole: Tensor
    tokens: Tensor
    step_of: Tensor
    source: Tensor
    patches: Tensor | None


class StepEncoder(nn.Module):
    """One transformer over words and patches. Raises what `text_checkpoint` and `load_model` raise."""

    def __init__(self, texts: str, shape: EncoderShape, views: nn.Module | None = None) -> None:
        """`views` makes patches of pictures' bytes, and learns with the rest; None where it is given patches."""
        super().__init__()
        self.views = views
        from stepscope.models.encoders.transformers_folder import load_model

        model, _ = load_model(text_checkpoint(texts).folder)
        self.model: Any = model.requires_grad_(True)
        self.width = int(self.model.config.hidden_size)
        _cut(self.model, shape.layers)
        self.padding = int(getattr(self.model.config, "pad_token_id", 0) or 0)
        self.first = _first_position(self.model)
        self.segments = int(getattr(self.model.config, "type_vocab_size", 1)) > 1
        self.grid, self.view_size = 0 if shape.regions else shape.grid, shape.view_size
        self.modality = nn.Embedding(2, self.width)
        nn.init.normal_(self.modality.weight, std=SPREAD)
        if shape.view_size:
            self.project = nn.Linear(shape.view_size, self.width)
            self.place = None if shape.regions else nn.Embedding(MOST_PLACES, self.width)
            self.picture = nn.Embedding(MOST_STEPS, self.width)
            self.norm = nn.LayerNorm(self.width)
            for one in filter(None, (self.place, self.picture)):
                nn.init.normal_(one.weight, std=SPREAD)

    def places(self, patches: Tensor) -> Tensor:
        """The patches (n, s, places, size) out of such, or out of pictures (n, s, height, width, 3) bytes; a square
        grid averaged where it is to be."""
        if patches.ndim == _PICTURES and self.views is not None:
            seen = self.views(patches.flatten(0, 1))
            patches = seen.reshape(*patches.shape[:2], -1, seen.shape[-1])
        patches = patches.float()
        side = round(patches.shape[-2] ** 0.5)
        if not self.grid or side * side != patches.shape[-2] or side <= self.grid:
            return patches
        flat = patches.reshape(-1, side, side, patches.shape[-1]).permute(0, 3, 1, 2)
        found = nn.functional.adaptive_avg_pool2d(flat, self.grid).flatten(2).transpose(1, 2)
        return found.reshape(*patches.shape[:-2], self.grid**2, patches.shape[-1])

    def forward(self, rows: Rows, *, blank: Tensor | None = None) -> States:
        """Read the rows; `blank` (r, k, places) true where a patch is put out (its numbers become 0). The patches are
        those of `places` already."""
        ids, step_of, source = joined(rows.ids, rows.lengths, self.padding)
        words = self.model.get_input_embeddings()(ids) + self.modality.weight[TEXT]
        there = step_of >= 0
        size = ids.shape[1]
        position = torch.arange(size, device=ids.device).expand_as(ids) + self.first
        segment = (step_of > 0).long()
        patches = None
        if rows.patches is not None and self.view_size:
            pictures = rows.patches.float()
            if blank is not None:
                pictures = pictures.masked_fill(blank.unsqueeze(3), 0.0)
            count, steps, places = pictures.shape[:3]
            seen = self.project(pictures) + self.picture.weight[:steps].unsqueeze(1)
            if self.place is not None:
                seen = seen + self.place.weight[:places]
            patches = self.norm(seen + self.modality.weight[IMAGE])
            words = torch.cat([words, patches.flatten(1, 2)], 1)
            there = torch.cat([there, shown_places(rows, places).flatten(1)], 1)
            behind = ids.new_full((count, steps * places), self.first)
            position = torch.cat([position, behind], 1)
            which = torch.arange(steps, device=ids.device).repeat_interleave(places).clamp(max=1)
            segment = torch.cat([segment, which.expand(count, -1)], 1)
        given = {"token_type_ids": segment} if self.segments else {}
        found = self.model(
            inputs_embeds=words, attention_mask=there.long(), position_ids=position, **given
        ).last_hidden_state
        shape = None if patches is None else (*rows.lengths.shape, -1, self.width)
        return States(
            found[:, 0], found[:, :size], step_of, source, None if shape is None else found[:, size:].reshape(shape)
        )


_PICTURES = 5
"""Axes of a batch of pictures; of patches there is one less."""


def shown_places(rows: Rows, places: int) -> Tensor:
    """Which places of each picture there are (r, k, places); all where it is not said."""
    at = torch.arange(places, device=rows.ids.device)
    if rows.seen is None:
        return at.expand(*rows.lengths.shape, places) >= 0
    return at < rows.seen.unsqueeze(2)


def joined(ids: Tensor, lengths: Tensor, padding: int) -> tuple[Tensor, Tensor, Tensor]:
    """Steps (r, k, tokens) one behind the other in a row (r, n): the first with its beginning sign, the others without.

    Gives the ids, whose step each is (−1 of padding), and where in its step it stood.
    """
    count, steps, _ = ids.shape
    taken = lengths.clone()
    taken[:, 1:] = (lengths[:, 1:] - 1).clamp(min=0)
    ends = taken.cumsum(1)
    size = max(1, int(ends[:, -1].max())) if count else 1
    at = torch.arange(size, device=ids.device).expand(count, -1)
    step_of = torch.searchsorted(ends, at.contiguous(), right=True)
    there = step_of < steps
    step_of = step_of.clamp(max=steps - 1)
    begins = ends - taken
    source = at - begins.gather(1, step_of) + (step_of > 0)
    source = source.clamp(0, ids.shape[2] - 1)
    row = torch.arange(count, device=ids.device).unsqueeze(1)
    found = torch.where(there, ids[row, step_of, source], torch.full_like(at, padding))
    return found, torch.where(there, step_of, torch.full_like(at, -1)), source


def _cut(model: Any, layers: int) -> None:
    """Leave the first so many of the transformer's layers."""
    inside = getattr(model, "encoder", None)
    whole = getattr(inside, "layer", None)
    if layers and isinstance(whole, nn.ModuleList) and inside is not None:
        inside.layer = nn.ModuleList(list(whole)[:layers])


def _first_position(model: Any) -> int:
    """The position of the first token: behind the padding's in RoBERTa, 0 elsewhere."""
    table = getattr(getattr(model, "embeddings", None), "position_embeddings", None)
    unused = getattr(table, "padding_idx", None)
    return 0 if unused is None else int(unused) + 1
