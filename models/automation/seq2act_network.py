"""Seq2Act's two stages in torch: spans of the instruction by learned queries, then kind and element from the spans.

Source: Li et al. 2020 and MoTIF, section 5.1 (paper): a Transformer over the words, a query vector each for action
type, location and input, each decoded from those before; spans are sums of word states and chosen by cosine
similarity; kind by an MLP from the type's span; element by softmax over the similarity of the location's span with the
elements as a Transformer sees them, whose distances across, down and in the tree it knows (released features). Ours:
sizes; words of both sides are compared one by one (`shared`), and an element is told which words name it before the
Transformer runs, so that neighbours of a named element can be found; numbers of an element (place, class, side of a
named one) are also weighed directly by the sentence (`_direct`); spans are taken softly, by their probabilities.
"""

from __future__ import annotations

import math

import torch
from torch import Tensor, nn
from torch.nn.functional import normalize

from stepscope.models.automation.seq2act_features import BINS, CLASSES, FACTS
from stepscope.models.automation.seq2act_text import BUCKETS, LENGTH, SPANS
from stepscope.models.automation.tower_features import KINDS

_WIDTH, _HEADS, _LAYERS = 64, 4, 2
_FAR = -1e4
_HIDDEN_WORDS = 0.3
"""In so many training steps words that stand on both sides get another code, on both the same: what is learned is that
equal words belong together, whatever they are."""
_PAIRS, _SIDES = 12, 8
"""Distances of two elements; the first of them tell how well one lies on each side of the other."""


class _Attention(nn.Module):
    """Multi-head self-attention with a bias (n, heads, places, places), and a feed-forward layer behind it."""

    def __init__(self, dropout: float) -> None:
        super().__init__()
        self.before, self.behind = nn.LayerNorm(_WIDTH), nn.LayerNorm(_WIDTH)
        self.all = nn.Linear(_WIDTH, 3 * _WIDTH)
        self.out = nn.Linear(_WIDTH, _WIDTH)
        self.wide = nn.Sequential(nn.Linear(_WIDTH, 2 * _WIDTH), nn.GELU(), nn.Linear(2 * _WIDTH, _WIDTH))
        self.drop = nn.Dropout(dropout)

    def forward(self, rows: Tensor, bias: Tensor) -> Tensor:
        batch, count = rows.shape[0], rows.shape[1]
        split = self.all(self.before(rows)).reshape(batch, count, 3, _HEADS, _WIDTH // _HEADS)
        query, key, value = split.permute(2, 0, 3, 1, 4).unbind(0)
        weights = torch.softmax(query @ key.transpose(2, 3) / math.sqrt(_WIDTH / _HEADS) + bias, 3)
        mixed = (weights @ value).transpose(1, 2).reshape(batch, count, _WIDTH)
        rows = rows + self.drop(self.out(mixed))
        found: Tensor = rows + self.drop(self.wide(self.behind(rows)))
        return found


class Seq2Act(nn.Module):
    """See the module. All embeddings are learned from scratch (paper)."""

    members: Tensor

    def __init__(self, dropout: float = 0.2) -> None:
        super().__init__()
        self.piece = nn.Embedding(BUCKETS + 1, _WIDTH, padding_idx=0)
        self.register_buffer("members", _members(), persistent=False)
        self.place = nn.Parameter(0.1 * torch.randn(LENGTH, _WIDTH))
        self.known = nn.Linear(1, _WIDTH)
        self.read = nn.Linear(_WIDTH, _WIDTH)
        self.text = nn.ModuleList(_Attention(dropout) for _ in range(_LAYERS))
        self.text_norm = nn.LayerNorm(_WIDTH)
        self.queries = nn.Parameter(torch.randn(3, _WIDTH))
        self.before = nn.Linear(_WIDTH, _WIDTH)
        self.look, self.span_key = nn.Linear(_WIDTH, _WIDTH), nn.Linear(_WIDTH, _WIDTH)
        self.sharp = nn.Parameter(torch.tensor(8.0))
        self.phrase = nn.LayerNorm(_WIDTH)
        self.kind = nn.Sequential(
            nn.Linear(2 * _WIDTH, _WIDTH), nn.ReLU(), nn.Dropout(dropout), nn.Linear(_WIDTH, len(KINDS))
        )
        self.own, self.named = nn.Linear(_WIDTH, _WIDTH), nn.Linear(_WIDTH, _WIDTH)
        self.classes = nn.Embedding(len(CLASSES), _WIDTH)
        self.edges = nn.ModuleList(nn.Embedding(BINS, _WIDTH) for _ in range(4))
        self.facts = nn.Linear(FACTS + 5, _WIDTH)
        self.asked, self.naming = nn.Linear(_WIDTH, _WIDTH), nn.Linear(_WIDTH, 2 * _WIDTH)
        self.counts, self.anchors = nn.Linear(_WIDTH, 1), nn.Linear(_WIDTH, 1)
        self.rules = nn.Linear(2 * _WIDTH, FACTS + len(CLASSES) + 5 + _SIDES)
        self.screen = nn.ModuleList(_Attention(dropout) for _ in range(_LAYERS))
        self.pairs = nn.ModuleList(nn.Linear(_PAIRS, _HEADS) for _ in range(_LAYERS))
        self.screen_norm = nn.LayerNorm(_WIDTH)
        self.sought, self.found = nn.Linear(_WIDTH, _WIDTH), nn.Linear(_WIDTH, _WIDTH)
        self.alone = nn.Sequential(nn.Linear(_WIDTH, _WIDTH), nn.ReLU(), nn.Linear(_WIDTH, 1))
        self.weights = nn.Parameter(torch.tensor([6.0, 3.0, 3.0, 3.0, 1.0]))
        self.drop = nn.Dropout(dropout)

    def forward(
        self,
        text: Tensor,
        pieces: Tensor,
        common: Tensor,
        words: Tensor,
        names: Tensor,
        kind: Tensor,
        bins: Tensor,
        facts: Tensor,
        mask: Tensor,
    ) -> tuple[Tensor, Tensor, Tensor, Tensor]:
        """`text` (n, 32), `words` (n, e, 10), `names` (n, e, 6) numbers of words from 1 on in `pieces` (n, u, 8);
        `common` (n, u); `kind` (n, e), `bins` (n, e, 4), `facts` (n, e, 17), `mask` (n, e).

        Gives logits of kinds (n, 19), of elements (n, e), of the spans for type, location and input (n, 3, spans), and
        how like each word is to each element's words (n, 32, e), 0 to 1.
        """
        if self.training:
            pieces = self._hidden(pieces, common)
        spelled = self.piece(pieces).sum(2) / (pieces > 0).sum(2, keepdim=True).clamp(min=1).sqrt()
        spelled = torch.cat([torch.zeros_like(spelled[:, :1]), spelled], 1)
        unit = normalize(spelled, dim=2)
        said = _rows(unit, text)
        alike = said @ unit.transpose(1, 2)
        by_words, back = _likeness(alike, words)
        by_names, _ = _likeness(alike, names)
        shared = torch.maximum(by_words, 0.7 * by_names) * mask.unsqueeze(1)
        there = (text > 0).to(unit.dtype)
        states = self._read(said, shared, there)
        spans, vectors, covered = self._phrases(states, there)
        kinds = self.kind(torch.cat([vectors[:, 0], states[:, 0]], 1))
        weigh = torch.sigmoid(self.counts(states)).squeeze(2) * there
        rows, numbers = self._elements(
            unit, words, names, kind, bins, facts, shared, back, states, weigh, covered[:, 1]
        )
        pairs = _distances(facts)
        rows = self._screened(rows, pairs, mask)
        near = (self.sought(vectors[:, 1]).unsqueeze(1) * self.found(rows)).sum(2) / math.sqrt(_WIDTH)
        direct = self._direct(states, there, weigh, shared, pairs, kind, facts, numbers)
        logits = near + direct + self.alone(rows).squeeze(2) + (numbers * self.weights).sum(2) + (1 - mask) * _FAR
        return kinds, logits, spans, shared

    def _hidden(self, pieces: Tensor, common: Tensor) -> Tensor:
        draw = torch.rand(len(pieces), 2, device=pieces.device)
        moved = 1 + (pieces + (draw[:, :1].unsqueeze(2) * BUCKETS).long()) % BUCKETS
        hide = (draw[:, 1:] < _HIDDEN_WORDS) & (common > 0)
        return torch.where(hide.unsqueeze(2) & (pieces > 0), moved, pieces)

    def _read(self, said: Tensor, shared: Tensor, there: Tensor) -> Tensor:
        """(n, 32, width): words in their sentence, each told how like it is to the likest word on the screen."""
        rows = (
            self.read(self.drop(said * math.sqrt(_WIDTH / 4))) + self.place + self.known(shared.amax(2, keepdim=True))
        )
        bias = ((1 - there) * _FAR).reshape(-1, 1, 1, LENGTH)
        for layer in self.text:
            rows = layer(rows, bias)
        found: Tensor = self.text_norm(rows) * there.unsqueeze(2)
        return found

    def _phrases(self, states: Tensor, there: Tensor) -> tuple[Tensor, Tensor, Tensor]:
        """Logits of the spans (n, 3, spans), each phrase's vector (n, 3, width), and how surely each word is in it
        (n, 3, 32)."""
        sums = self.members @ states
        keys = normalize(self.span_key(sums), dim=2)
        outside = (self.members.sum(1) - (self.members @ there.unsqueeze(2)).squeeze(2)).clamp(max=1) * _FAR
        last = torch.zeros_like(states[:, 0])
        logits, vectors, covered = [], [], []
        for number in range(3):
            query = self.queries[number] + self.before(last)
            looks = torch.softmax((self.look(states) @ query.unsqueeze(2)).squeeze(2) / 8 + (1 - there) * _FAR, 1)
            query = normalize(query + (looks.unsqueeze(1) @ states).squeeze(1), dim=1)
            score = self.sharp * (keys @ query.unsqueeze(2)).squeeze(2) + outside
            chosen = torch.softmax(score, 1)
            last = self.phrase((chosen.unsqueeze(1) @ sums).squeeze(1))
            logits.append(score)
            vectors.append(last)
            covered.append(chosen @ self.members)
        return torch.stack(logits, 1), torch.stack(vectors, 1), torch.stack(covered, 1)

    def _elements(
        self,
        unit: Tensor,
        words: Tensor,
        names: Tensor,
        kind: Tensor,
        bins: Tensor,
        facts: Tensor,
        shared: Tensor,
        back: Tensor,
        states: Tensor,
        weigh: Tensor,
        located: Tensor,
    ) -> tuple[Tensor, Tensor]:
        """Elements (n, e, width) before they see each other, and what the words say of each (n, e, 5): how much of the
        location it has, how much of all that counts, how much of its words is said, the likest word, the same two
        together."""
        close = torch.relu(shared - 0.5) * 2
        within = (weigh * located).unsqueeze(1)
        of_place = (within @ close).squeeze(1) / (within.sum(2) + 0.1)
        of_all = (weigh.unsqueeze(1) @ close).squeeze(1) / (weigh.sum(1, keepdim=True) + 0.1)
        numbers = torch.stack([of_place, of_all, back, close.amax(1), of_place * back], 2)
        rows = self.own(_mean(unit, words)) + self.named(_mean(unit, names)) + self.classes(kind)
        for place, edge in enumerate(self.edges):
            rows = rows + edge(bins[:, :, place])
        message, asked = self.naming(states).split(_WIDTH, 2)
        named = (weigh.unsqueeze(2) * message).transpose(1, 2) @ close
        rows = rows + self.facts(torch.cat([facts, numbers], 2)) + named.transpose(1, 2)
        rows = rows + self.asked((weigh.unsqueeze(2) * asked).sum(1) / (weigh.sum(1, keepdim=True) + 0.1)).unsqueeze(1)
        return self.drop(rows), numbers

    def _direct(
        self,
        states: Tensor,
        there: Tensor,
        weigh: Tensor,
        shared: Tensor,
        pairs: Tensor,
        kind: Tensor,
        facts: Tensor,
        numbers: Tensor,
    ) -> Tensor:
        """(n, e): what the sentence wants of place, class and flags, of words, and of the side of an element that it
        names, each a number of the element times one of the sentence."""
        anchor = torch.sigmoid(self.anchors(states)).squeeze(2) * there
        close = torch.relu(shared - 0.5) * 2
        named = (anchor.unsqueeze(1) @ close).squeeze(1) / (anchor.sum(1, keepdim=True) + 0.1)
        sides = (pairs[:, :, :, :_SIDES] * named.unsqueeze(2).unsqueeze(3)).amax(1)
        classes = torch.nn.functional.one_hot(kind, len(CLASSES)).to(facts.dtype)
        pooled = torch.cat([states[:, 0], (states * weigh.unsqueeze(2)).sum(1) / (weigh.sum(1, keepdim=True) + 0.1)], 1)
        wanted = self.rules(pooled).unsqueeze(1)
        found: Tensor = (torch.cat([facts, classes, numbers, sides], 2) * wanted).sum(2)
        return found

    def _screened(self, rows: Tensor, pairs: Tensor, mask: Tensor) -> Tensor:
        """Elements as they stand beside each other."""
        hidden = ((1 - mask) * _FAR).reshape(mask.shape[0], 1, 1, -1)
        for layer, weights in zip(self.screen, self.pairs, strict=True):
            rows = layer(rows, weights(pairs).permute(0, 3, 1, 2) + hidden)
        found: Tensor = self.screen_norm(rows)
        return found


def _members() -> Tensor:
    """(spans, 32): 1 for the words of each span."""
    found = torch.zeros(len(SPANS), LENGTH)
    for place, (begin, end) in enumerate(SPANS):
        found[place, begin:end] = 1
    return found


def _rows(table: Tensor, places: Tensor) -> Tensor:
    """Of table (n, u, width) the rows that `places` (n, …) name."""
    flat = places.reshape(places.shape[0], -1, 1).expand(-1, -1, table.shape[2])
    return table.gather(1, flat).reshape(*places.shape, table.shape[2])


def _likeness(alike: Tensor, words: Tensor) -> tuple[Tensor, Tensor]:
    """Of cosines of the text's words with the dictionary (n, 32, u): with each element's likest word (n, 32, e), not
    below 0; and the mean over an element's words of the likest one in the text (n, e)."""
    batch, count, width = words.shape
    flat = words.reshape(batch, 1, -1)
    found = alike.gather(2, flat.expand(-1, alike.shape[1], -1))
    found = torch.where(flat > 0, found.clamp(min=0), torch.zeros_like(found))
    found = found.reshape(batch, alike.shape[1], count, width)
    said = torch.relu(found[:, 1:].amax(1) - 0.5) * 2
    there = (words > 0).sum(2).clamp(min=1)
    return found.amax(3), said.sum(2) / there


def _mean(unit: Tensor, words: Tensor) -> Tensor:
    """(n, e, width): the mean of each element's words; zeros for none."""
    return _rows(unit, words).sum(2) / (words > 0).sum(2, keepdim=True).clamp(min=1).sqrt()


def _distances(facts: Tensor) -> Tensor:
    """(n, e, e, 12) of each element from each other: how well the second lies left, right, above and below the first,
    near and far; whether in its row and in its column; how near in the tree; whether it is itself. Edges in widths and
    heights of the screen."""
    left, top, right, bottom = (facts[:, :, place] for place in range(4))
    across, down = _gaps(left, right), _gaps(top, bottom)
    middle_x, middle_y = (left + right) / 2, (top + bottom) / 2
    dx = middle_x.unsqueeze(1) - middle_x.unsqueeze(2)
    dy = middle_y.unsqueeze(1) - middle_y.unsqueeze(2)
    beside, above = torch.exp(-12 * down - 20 * dy.abs()), torch.exp(-12 * across - 6 * dx.abs())
    found = []
    for towards, aside, gap in ((-dx, beside, across), (dx, beside, across), (-dy, above, down), (dy, above, down)):
        there = torch.sigmoid(60 * (towards - 0.01)) * aside
        found += [there * torch.exp(-3 * gap), there * torch.exp(-15 * gap)]
    tree = (facts[:, :, 15].unsqueeze(1) - facts[:, :, 15].unsqueeze(2)).abs()
    same = torch.exp(-100 * (dx.abs() + dy.abs()))
    found += [torch.exp(-30 * dy.abs()), torch.exp(-30 * dx.abs()), torch.exp(-20 * tree), same]
    return torch.stack(found, 3)


def _gaps(begin: Tensor, end: Tensor) -> Tensor:
    """(n, e, e): how much room is between two stretches; 0 where they overlap."""
    return torch.relu(torch.maximum(begin.unsqueeze(1) - end.unsqueeze(2), begin.unsqueeze(2) - end.unsqueeze(1)))
