"""The pretraining of the step encoder on procedures in their right order, one objective drawn for each batch.

Source: Wu et al. 2022, section 4.2 (paper). What the text leaves open is ours: the head of the words is BERT's with the
encoder's own word vectors; regions are told apart by a layer over both states and one number of each pair; the states
of the candidates are taken without a gradient.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any

import torch
from torch import Tensor, nn

from stepscope.models.ordering import pretraining_draws as draws
from stepscope.models.ordering.pretraining_objectives import Objective
from stepscope.models.ordering.step_encoder import MOST_STEPS, Rows, StepEncoder
from stepscope.models.training.drawn_steps import DrawnSteps


class SequencePretraining(nn.Module):
    """Gives the loss of the drawn objective for each procedure (n,); while it is only looked at, the mean over all
    objectives by the same draws each time. `drawn` tells what was done to the last batch."""

    def __init__(self, encoder: StepEncoder, tokenizer: Any, objectives: Sequence[Objective]) -> None:
        super().__init__()
        self.encoder, self.tokenizer = encoder, tokenizer
        self.objectives = tuple(objectives)
        width = encoder.width
        self.words = nn.Sequential(nn.Linear(width, width), nn.GELU(), nn.LayerNorm(width))
        self.bias = nn.Parameter(torch.zeros(encoder.model.get_input_embeddings().num_embeddings))
        self.in_order = nn.Linear(width, 1)
        self.pieces_in_order = nn.Linear(width, 1)
        self.same = nn.Sequential(nn.Linear(2 * width, width), nn.Tanh(), nn.Linear(width, 1))
        self.drawn: DrawnSteps | None = None

    def forward(
        self, ids: Tensor, lengths: Tensor, patches: Tensor, seen: Tensor, search: Tensor, order: Tensor
    ) -> Tensor:
        """The inputs of `BersonOrdering`, and the right `order` (n, s) of the steps as places, −1 behind its end."""
        if self.training:
            objective = self.objectives[int(torch.randint(len(self.objectives), ()))]
            return self._loss(objective, self._ordered(ids, lengths, patches, seen, order)).expand(len(ids))
        with torch.random.fork_rng(devices=[]):
            torch.manual_seed(0)
            rows = self._ordered(ids, lengths, patches, seen, order)
            found = torch.stack([self._loss(one, rows) for one in self.objectives])
        return found.mean().expand(len(ids))

    def _ordered(self, ids: Tensor, lengths: Tensor, patches: Tensor, seen: Tensor, order: Tensor) -> Rows:
        """A drawn sub-sequence of each procedure, in the right order."""
        chosen = torch.full((len(ids), MOST_STEPS), -1, dtype=torch.long)
        for row, one in enumerate(order.cpu()):
            whole = one[one >= 0]
            if len(whole):
                places = draws.subsequence(len(whole), MOST_STEPS)
                chosen[row, : len(places)] = whole[places]
        chosen = chosen[:, : max(1, int((chosen >= 0).sum(1).max()))].to(ids.device)
        there, at = (chosen >= 0).long(), chosen.clamp(min=0)
        rows = torch.arange(len(ids), device=ids.device).unsqueeze(1)
        pictures = self.encoder.places(patches[rows, at]) if self.encoder.view_size else None
        return Rows(ids[rows, at], lengths[rows, at] * there, pictures, seen[rows, at] * there)

    def _loss(self, objective: Objective, rows: Rows) -> Tensor:
        by_name: dict[Objective, Callable[[Rows], Tensor]] = {
            Objective.MLM: self._of_words,
            Objective.ISP: self._of_pictures,
            Objective.PISP: self._of_patches,
            Objective.SMRM: self._of_regions,
        }
        return by_name[objective](rows)

    def _of_words(self, rows: Rows) -> Tensor:
        masked = torch.stack([draws.masked_words(one, rows.ids.shape[2]) for one in rows.lengths.cpu()])
        given = draws.replaced_words(rows.ids.cpu(), masked, self.tokenizer.mask_token_id, len(self.bias)).to(
            rows.ids.device
        )
        self._tell(Objective.MLM, replace(rows, ids=given), masked=masked[0])
        states = self.encoder(replace(rows, ids=given))
        row = torch.arange(len(rows.ids), device=given.device).unsqueeze(1)
        step = states.step_of.clamp(min=0)
        wanted = masked.to(given.device)[row, step, states.source] & (states.step_of >= 0)
        if not bool(wanted.any()):
            return _nothing(states.whole)
        guessed = self.words(states.tokens[wanted]) @ self.encoder.model.get_input_embeddings().weight.T + self.bias
        return nn.functional.cross_entropy(guessed, rows.ids[row, step, states.source][wanted])

    def _of_pictures(self, rows: Rows) -> Tensor:
        assert rows.patches is not None and rows.seen is not None
        found = [draws.swapped_pictures(one) for one in rows.seen.cpu()]
        source = torch.stack([one for one, _ in found]).to(rows.ids.device)
        row = torch.arange(len(source), device=source.device).unsqueeze(1)
        places = rows.patches.shape[2]
        moved = source.cpu()[0].unsqueeze(1) * places + torch.arange(places)
        self._tell(Objective.ISP, rows, moved=moved, swapped=found[0][1])
        states = self.encoder(replace(rows, patches=rows.patches[row, source], seen=rows.seen[row, source]))
        return self._told_apart(self.in_order, states.whole, [swapped for _, swapped in found], rows.seen)

    def _of_patches(self, rows: Rows) -> Tensor:
        assert rows.patches is not None and rows.seen is not None
        places = rows.patches.shape[2]
        found = [draws.swapped_patches(one, places) for one in rows.seen.cpu()]
        source = torch.stack([one for one, _ in found]).to(rows.ids.device)
        flat = rows.patches.flatten(1, 2)
        row = torch.arange(len(source), device=source.device).view(-1, 1, 1)
        self._tell(Objective.PISP, rows, moved=source.cpu()[0], swapped=found[0][1])
        states = self.encoder(replace(rows, patches=flat[row, source]))
        return self._told_apart(self.pieces_in_order, states.whole, [swapped for _, swapped in found], rows.seen)

    def _told_apart(self, head: nn.Linear, whole: Tensor, swapped: Sequence[bool], seen: Tensor) -> Tensor:
        """Whether all stands in its order, of procedures with two pictures and more."""
        right = torch.tensor([float(not one) for one in swapped], device=whole.device)
        several = ((seen > 0).sum(1) > 1).to(whole.dtype)
        found = nn.functional.binary_cross_entropy_with_logits(head(whole).squeeze(1), right, reduction="none")
        return (found * several).sum() / several.sum().clamp(min=1)

    def _of_regions(self, rows: Rows) -> Tensor:
        assert rows.patches is not None and rows.seen is not None
        masked = torch.stack([draws.masked_regions(one, rows.patches.shape[2]) for one in rows.seen.cpu()])
        self._tell(Objective.SMRM, rows, regions=masked[0])
        there = masked.to(rows.ids.device)
        with torch.no_grad():
            whole = self.encoder(rows).patches
        read = self.encoder(rows, blank=there)
        assert whole is not None and read.patches is not None
        losses = []
        for row, places in enumerate(there):
            if int(places.sum()) < 2:
                continue
            guesses, candidates = read.patches[row][places], whole[row][places]
            order, own = (one.to(guesses.device) for one in draws.shuffled_candidates(len(candidates)))
            offered = candidates[order]
            pairs = torch.cat([guesses.unsqueeze(1).expand_as(offered), offered], 2)
            losses.append(nn.functional.cross_entropy(self.same(pairs).squeeze(2), own))
        return torch.stack(losses).mean() if losses else _nothing(read.whole)

    def _tell(
        self,
        objective: Objective,
        rows: Rows,
        *,
        masked: Tensor | None = None,
        regions: Tensor | None = None,
        moved: Tensor | None = None,
        swapped: bool | None = None,
    ) -> None:
        """Keep what was done to the first row."""
        steps = range(int((rows.lengths[0] > 0).sum()))
        places = 0 if rows.patches is None else rows.patches.shape[2]
        seen = [] if rows.seen is None else rows.seen[0].tolist()
        ids = [rows.ids[0, step, : int(rows.lengths[0, step])].tolist() for step in steps]
        self.drawn = DrawnSteps(
            objective.value,
            tuple(tuple(self.tokenizer.convert_ids_to_tokens(one)) for one in ids),
            tuple(_places(masked, step) for step in steps),
            tuple(_places(regions, step) for step in steps),
            tuple(_moved(moved, step, places) for step in steps),
            tuple(min(places, int(seen[step])) if seen else places for step in steps),
            swapped,
        )


def _nothing(states: Tensor) -> Tensor:
    """A loss of nothing that a gradient can be asked of."""
    return states.sum() * 0


def _places(flags: Tensor | None, step: int) -> tuple[int, ...]:
    found: Any = () if flags is None else torch.nonzero(flags[step]).flatten().tolist()
    return tuple(found)


def _moved(source: Tensor | None, step: int, places: int) -> tuple[tuple[int, int, int], ...]:
    """Place, and the step and place from which its patch came, of those that stand elsewhere than they did."""
    if source is None:
        return ()
    found = [(place, *divmod(int(one), places)) for place, one in enumerate(source[step].tolist())]
    return tuple(one for one in found if one[1:] != (step, one[0]))
