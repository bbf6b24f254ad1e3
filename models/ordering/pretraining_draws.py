"""What the sequence-aware pretraining masks and swaps: drawn by torch's random numbers, so that a training that goes on
draws what it would have drawn.

Source: Wu et al. 2022, sections 4.2.1 to 4.2.4 (paper): the same share of every step's words; two whole pictures, or M
patches of each of two, exchanged with the chance 0.5; 15 % of every picture's patches put out, less than half of them
in common to any two pictures; sub-sequences of two steps and more.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import torch
from torch import Tensor

SHARE = 0.15
"""Of a step's words and of a picture's patches that are masked (section 4.2.3; of words as in BERT)."""
SWAPPED = 0.5
"""The chance of a swap, of pictures and of patches (section 5.2)."""
_TRIES = 30
"""Draws of one picture's patches before all are drawn anew, and so often that: of five pictures with two of 16 patches
each, the tightest, none was missed in 8,600; two in a hundred were when all were always drawn together."""
_MASKED, _OTHER = 0.8, 0.9
"""Of masked words so many become the mask, up to so many that or another word, and the rest stay (BERT)."""


def subsequence(count: int, most: int) -> Tensor:
    """Places of at least two of `count` steps, at most `most`, in their order; each length is as likely as another, and
    each choice of a length."""
    least = min(2, count)
    size = int(torch.randint(least, min(most, count) + 1, ()))
    return torch.randperm(count)[:size].sort().values


def masked_words(lengths: Tensor, size: int) -> Tensor:
    """Which tokens of each step are masked (k, size): the same share of every step's words, at least one; never the
    special ones at both ends. `lengths` (k,) counts tokens with these."""
    found = torch.zeros(len(lengths), size, dtype=torch.bool)
    for step, length in enumerate(lengths.tolist()):
        words = length - 2
        if words > 0:
            taken = torch.randperm(words)[: max(1, round(SHARE * words))]
            found[step, taken + 1] = True
    return found


def replaced_words(ids: Tensor, masked: Tensor, mask: int, vocabulary: int) -> Tensor:
    """The ids with what stands in the place of masked words: the mask (80 %), any other word (10 %), or the word itself
    (Devlin et al. 2019)."""
    chance = torch.rand(ids.shape)
    other = torch.randint(0, vocabulary, ids.shape)
    found = torch.where(masked & (chance < _MASKED), torch.full_like(ids, mask), ids)
    return torch.where(masked & (chance >= _MASKED) & (chance < _OTHER), other, found)


def swapped_pictures(seen: Tensor) -> tuple[Tensor, bool]:
    """Whose picture each step gets (k,), and whether two were exchanged; among steps that have one (`seen` (k,))."""
    source = torch.arange(len(seen))
    places = torch.nonzero(seen > 0).flatten()
    if len(places) < 2 or float(torch.rand(())) >= SWAPPED:
        return source, False
    first, second = places[torch.randperm(len(places))[:2]].tolist()
    source[first], source[second] = second, first
    return source, True


def swapped_patches(seen: Tensor, places: int) -> tuple[Tensor, bool]:
    """Which patch, counted through all pictures, stands at each place (k, places), and whether any were exchanged: M of
    each of two pictures, M from 1 to all of the one with fewer, chosen in each by itself. `seen` (k,) as in `Rows`."""
    source = torch.arange(len(seen) * places).reshape(len(seen), places)
    pictures = torch.nonzero(seen > 0).flatten()
    if len(pictures) < 2 or float(torch.rand(())) >= SWAPPED:
        return source, False
    first, second = pictures[torch.randperm(len(pictures))[:2]].tolist()
    sizes = [min(places, int(seen[one])) for one in (first, second)]
    count = int(torch.randint(1, min(sizes) + 1, ()))
    here, there = (torch.randperm(size)[:count] for size in sizes)
    source[first, here], source[second, there] = source[second, there].clone(), source[first, here].clone()
    return source, True


def masked_regions(seen: Tensor, places: int) -> Tensor:
    """Which patches are put out (k, places): the same share of every picture, any two pictures with less than half of
    the fewer in common; none where that cannot be. `seen` (k,) as in `Rows`."""
    found = torch.zeros(len(seen), places, dtype=torch.bool)
    pictures = torch.nonzero(seen > 0).flatten().tolist()
    sizes = {picture: min(places, int(seen[picture])) for picture in pictures}
    counts = {picture: max(1, round(SHARE * size)) for picture, size in sizes.items()}
    if min(sizes.values(), default=0) < 2 or (max(counts.values()) == 1 and len(pictures) > max(sizes.values())):
        return found
    for _ in range(_TRIES):
        if all(
            _region_found(found, pictures[:place], picture, sizes, counts) for place, picture in enumerate(pictures)
        ):
            return found
    return torch.zeros_like(found)


def _region_found(
    found: Tensor, before: Sequence[int], picture: int, sizes: Mapping[int, int], counts: Mapping[int, int]
) -> bool:
    """Draw the patches of a picture until they have little enough in common with those drawn before; False when they
    never had."""
    for _ in range(_TRIES):
        found[picture] = False
        found[picture, torch.randperm(sizes[picture])[: counts[picture]]] = True
        mine = found[picture]
        if all(2 * int((mine & found[other]).sum()) < min(counts[picture], counts[other]) for other in before):
            return True
    return False


def shuffled_candidates(count: int) -> tuple[Tensor, Tensor]:
    """For each of `count` masked patches the candidates in an order of its own (count, count), and where among them it
    is itself (count,)."""
    order = torch.stack([torch.randperm(count) for _ in range(count)])
    own = (order == torch.arange(count).unsqueeze(1)).long().argmax(1)
    return order, own
