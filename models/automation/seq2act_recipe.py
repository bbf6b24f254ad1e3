"""`seq2act`: phrases of the instruction by learned spans, the element by a Transformer over the screen (MoTIF, section
5.1; Li et al. 2020)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, cast

import numpy as np

from stepscope.core.domain.action import LongPress, OpenApp, Tap, Type, action_point, action_target
from stepscope.core.domain.prediction import Prediction
from stepscope.core.evaluation.predictor import StepRequest
from stepscope.core.evaluation.tasks import Item
from stepscope.models.automation import seq2act_commands, seq2act_features
from stepscope.models.automation.seq2act_answers import answer
from stepscope.models.automation.seq2act_text import place_span, span_of
from stepscope.models.automation.tower_elements import place_in, seen_elements
from stepscope.models.automation.tower_features import KINDS, kind_of
from stepscope.models.catalog import SEQ2ACT
from stepscope.models.features.vectors import Features, Vectors
from stepscope.models.learned.encoder_choice import Config
from stepscope.models.learned.recipe import Array, Example, Hyper, PreparedRequest, Run

if TYPE_CHECKING:
    from torch import Tensor
    from torch.nn import Module

_PLACED = tuple(KINDS.index(kind.kind) for kind in (Tap, LongPress, Type))
_WRITTEN = tuple(KINDS.index(kind.kind) for kind in (Type, OpenApp))
_NONE, _MISSED = -100, -101
"""Nothing is told, and left out of the loss; an element is wanted that is none of those that are looked at, which
counts as wrong too."""
_SPAN_SHARE = 0.3
"""What the spans that can be derived count in the loss beside kind and element (ours)."""
_NO_SPAN = 0


class Seq2ActRecipe:
    """The recipe by which `seq2act` is trained and asked. Source: Seq2Act (Li et al. 2020; MoTIF, section 5.1, paper);
    which spans are told, sizes and settings are ours."""

    info = SEQ2ACT
    version = "1"
    pictures = False
    encoded = False
    hyper = Hyper(
        epochs=8, batch=32, rate=2e-3, weight_decay=1e-2, patience=4, seeds=(0,), schedule="linear", warmup=0.05
    )
    measured = "right_steps"
    baselines: tuple[str, ...] = ("text-match", "nearest-element", "random")
    protocol = "aitw"
    metric = "step_accuracy"

    def prepare(self, request: StepRequest, features: Features) -> PreparedRequest:
        return seq2act_features.prepare(request)

    def example(self, draft: PreparedRequest, vectors: Vectors) -> Example:
        return seq2act_features.example(draft)

    def collate(self, examples: Sequence[Example]) -> tuple[Array, ...]:
        return seq2act_features.collate(examples)

    def invented(self, item: Item) -> list[Item]:
        """Commands about the item's screen that are made up (RicoSCA)."""
        request = cast(StepRequest, item.request)
        elements = seen_elements(request.observation, seq2act_features.OBJECTS)
        return seq2act_commands.invented(item, request, elements)

    def network(self, config: Config) -> Module:
        from stepscope.models.automation.seq2act_network import Seq2Act

        return Seq2Act()

    def answers(
        self, drafts: Sequence[PreparedRequest], examples: Sequence[Example], vectors: Vectors, run: Run, config: Config
    ) -> list[Prediction]:
        return [answer(draft, *outputs) for draft, outputs in zip(drafts, run(examples), strict=True)]

    def target(self, item: Item) -> Example | None:
        """`kind`; `element`, −100 where the action is on none, −101 where on none of those that are looked at; `place`
        and `typed`, the spans for location and input, −100 where the words do not tell. None for what is no action on
        the phone."""
        step = item.material
        if step.action is None or (kind := kind_of(step.action)) not in KINDS:
            return None
        number = KINDS.index(kind)
        read = seq2act_features.prepare(cast(StepRequest, item.request)).rest.read
        found = place_in(seen_elements(step.observation, seq2act_features.OBJECTS), step.action, step.observation)
        wanted = number in _PLACED and action_point(step.action) is not None
        target = action_target(step.action)
        place = place_span(read, target.text) if wanted and target is not None else -1
        typed = span_of(read, step.action.text) if isinstance(step.action, Type) else _NO_SPAN
        if isinstance(step.action, OpenApp):
            typed = span_of(read, step.action.text)
        return {
            "kind": np.array(number, np.int64),
            "element": np.array((found if found >= 0 else _MISSED) if wanted else _NONE, np.int64),
            "place": np.array(_told(place) if wanted else _NO_SPAN, np.int64),
            "typed": np.array(_told(typed), np.int64),
        }

    def config(self, examples: Sequence[Example], targets: Sequence[Example]) -> Config:
        return {}

    def collate_targets(self, targets: Sequence[Example], config: Config) -> tuple[Array, ...]:
        kind, element, place, typed = (
            np.stack([target[name] for target in targets]) for name in ("kind", "element", "place", "typed")
        )
        return kind, np.where(element == _MISSED, _NONE, element), place, typed

    def loss(self, outputs: Sequence[Tensor], targets: Sequence[Tensor], config: Config) -> Tensor:
        """Cross entropies: of kinds, of elements where there is one, and less of spans where they are known."""
        from torch.nn.functional import cross_entropy

        kinds, elements, spans, _ = outputs
        kind, element, place, typed = targets
        total: Tensor = cross_entropy(kinds, kind)
        for logits, wanted, weight in (
            (elements, element, 1.0),
            (spans[:, 1], place, _SPAN_SHARE),
            (spans[:, 2], typed, _SPAN_SHARE),
        ):
            part = cross_entropy(logits, wanted, ignore_index=_NONE, reduction="sum")
            total = total + weight * part / (wanted != _NONE).sum().clamp(min=1)
        return total

    def measure(self, outputs: Sequence[tuple[Array, ...]], targets: Sequence[Example], config: Config) -> float:
        """The share of steps with the right kind and, where there is one and it is told, the right element and the
        right words to type."""
        right = [
            int(kinds.argmax()) == target["kind"]
            and (target["element"] == _NONE or int(elements.argmax()) == target["element"])
            and (
                int(target["kind"]) not in _WRITTEN
                or target["typed"] == _NONE
                or int(spans[2].argmax()) == target["typed"]
            )
            for (kinds, elements, spans, _), target in zip(outputs, targets, strict=True)
        ]
        return float(np.mean(right))

    def finish(self, outputs: Sequence[tuple[Array, ...]], targets: Sequence[Example], config: Config) -> Config:
        return config


def _told(span: int) -> int:
    return span if span >= 0 else _NONE


RECIPE = Seq2ActRecipe()
