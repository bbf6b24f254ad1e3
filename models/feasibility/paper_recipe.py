"""`motif-feasibility`: MoTIF's feasibility classifier, its inputs and aggregation chosen by a name."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, ClassVar, cast

import numpy as np

from stepscope.core.domain.episode import FeasibilityLabel
from stepscope.core.domain.prediction import FeasibilityAnswer, Prediction
from stepscope.core.errors import UsageError
from stepscope.core.evaluation.predictor import EpisodeRequest, ModelInfo
from stepscope.core.evaluation.tasks import Item
from stepscope.core.frozen import dataclass
from stepscope.core.scoring.names import did_you_mean
from stepscope.models.catalog import MOTIF_FEASIBILITY
from stepscope.models.feasibility import paper_features
from stepscope.models.feasibility.calibration import HALF, probability
from stepscope.models.feasibility.classifier_name import EXAMPLE, STEPS, Classifier, parse_classifier
from stepscope.models.features.vectors import Features, Vectors
from stepscope.models.learned.encoder_choice import ClassifierChoice, Config, EncoderNames, sizes_of
from stepscope.models.learned.recipe import Array, Example, Hyper, PreparedRequest, Run, share_of

if TYPE_CHECKING:
    from torch import Tensor
    from torch.nn import Module


_BEST = parse_classifier(EXAMPLE)
"""That of the best row of table 3."""


@dataclass(frozen=True, slots=True)
class PaperRecipe:
    """Source: MoTIF, section 4.1 (paper): cross entropy, SGD, rate 1e-2, 50 epochs, ten seeds; batches of 126 (code).
    The network of the last epoch is kept and the line is a half: nothing is chosen by validation, of which the paper
    says nothing. Classes are not weighted. What differs from the released code is said in `paper_network` and
    `paper_features`."""

    classifier: Classifier = _BEST
    language: str = "goal"

    version: ClassVar[str] = "1"
    pictures: ClassVar[bool] = True
    keeps_last: ClassVar[bool] = True
    hyper: ClassVar[Hyper] = Hyper(
        epochs=50, batch=126, rate=1e-2, weight_decay=0.0, optimizer="sgd", patience=50, clip=0.0,
        seeds=(0, 1, 2, 3, 4, 5, 6, 7, 8, 9),
    )  # fmt: skip
    measured: ClassVar[str] = "f1"
    baselines: ClassVar[tuple[str, ...]] = ("never-feasible", "always-feasible", "random-feasibility")
    protocol: ClassVar[str] = "feasibility"
    metric: ClassVar[str] = "f1"

    @property
    def info(self) -> ModelInfo:
        if self.language == "goal":
            return MOTIF_FEASIBILITY
        return replace(MOTIF_FEASIBILITY, step_instructions=True)

    # --- what is chosen --------------------------------------------------------------------------------------------

    def chosen(self, choice: ClassifierChoice) -> PaperRecipe:
        """The recipe with this classifier and language. Raises UsageError for what there is not."""
        language = choice.language or self.language
        if language not in paper_features.LANGUAGES:
            known = paper_features.LANGUAGES
            hint = f"{did_you_mean(language, known)}Give {', '.join(known)}."
            raise UsageError(f"The command cannot be {language!r}.", hint=hint)
        classifier = parse_classifier(choice.classifier) if choice.classifier else self.classifier
        return replace(self, classifier=classifier, language=language)

    def resolved(self) -> PaperRecipe:
        """With encoders that are here. Raises what `paper_features.resolved` raises."""
        return replace(self, classifier=paper_features.resolved(self.classifier))

    @property
    def name_of_inputs(self) -> str:
        return str(self.classifier)

    @property
    def encoder_names(self) -> EncoderNames:
        """The encoders of the resolved recipe."""
        return paper_features.encoder_names(self.classifier)

    def inputs(self, device: str) -> Features:
        """Its encoders. Raises what `load_paper_inputs` raises."""
        return paper_features.load_paper_inputs(self.classifier, device=device)

    # --- both ------------------------------------------------------------------------------------------------------

    def prepare(self, request: EpisodeRequest, features: Features) -> PreparedRequest:
        inputs = cast(paper_features.PaperInputs, features)
        draft = paper_features.prepare(request, inputs, self.classifier, self.language)
        return replace(draft, rest=(draft.rest, inputs.part_sizes))

    def example(self, draft: PreparedRequest, vectors: Vectors) -> Example:
        read, sizes = draft.rest
        return paper_features.example_of(read, vectors, self.classifier, sizes)

    def collate(self, examples: Sequence[Example]) -> tuple[Array, ...]:
        """Commands (n, c), steps (n, 20, s) with zeros behind, and, unless they stand one behind the other, weights
        (n, 20)."""
        commands = np.stack([one["command"] for one in examples])
        width = examples[0]["states"].shape[1]
        states = np.zeros((len(examples), STEPS, width), np.float32)
        weights = np.zeros((len(examples), STEPS), np.float32)
        for row, one in enumerate(examples):
            count = min(STEPS, len(one["states"]))
            states[row, :count] = one["states"][:count]
            if count and self.classifier.aggregation == "avg":
                weights[row, :count] = 1 / count
            elif count:
                weights[row, count - 1] = 1
        return (commands, states) if self.classifier.aggregation == "cat" else (commands, states, weights)

    def network(self, config: Config) -> Module:
        from stepscope.models.feasibility.paper_network import PaperClassifier

        sizes = sizes_of(config)
        return PaperClassifier(sizes.text, sizes.view, self.classifier.aggregation)

    # --- use -------------------------------------------------------------------------------------------------------

    def answers(
        self, drafts: Sequence[PreparedRequest], examples: Sequence[Example], vectors: Vectors, run: Run, config: Config
    ) -> list[Prediction]:
        found = []
        for draft, example in zip(drafts, examples, strict=True):
            ends = range(1, len(example["states"]) + 1) or (0,)
            curve = tuple(map(_infeasible, run([{**example, "states": example["states"][:end]} for end in ends])))
            score = curve[-1]
            label = FeasibilityLabel.INFEASIBLE if score > HALF else FeasibilityLabel.FEASIBLE
            answer = FeasibilityAnswer(label, score, curve if len(example["states"]) else ())
            sure = max(score, 1 - score)
            raw = f"P(infeasible) {score:.3f}"
            found.append(Prediction(draft.request.episode, None, answer, confidence=sure, raw=raw))
        return found

    # --- training --------------------------------------------------------------------------------------------------

    def target(self, item: Item) -> Example | None:
        if not item.reference:
            return None
        return {"label": np.array(item.reference == FeasibilityLabel.INFEASIBLE.value, np.int64)}

    def config(self, examples: Sequence[Example], targets: Sequence[Example]) -> Config:
        share_of([float(target["label"]) for target in targets], "infeasible", "feasible")
        return {"classifier": str(self.classifier), "language": self.language}

    def collate_targets(self, targets: Sequence[Example], config: Config) -> tuple[Array, ...]:
        return (np.stack([target["label"] for target in targets]),)

    def loss(self, outputs: Sequence[Tensor], targets: Sequence[Tensor], config: Config) -> Tensor:
        import torch

        return torch.nn.functional.cross_entropy(outputs[0], targets[0])

    def measure(self, outputs: Sequence[tuple[Array, ...]], targets: Sequence[Example], config: Config) -> float:
        """F1 of infeasible at a half; 0 where nothing is called so."""
        said = np.array([_infeasible(one) > HALF for one in outputs])
        labels = np.array([target["label"] for target in targets]) > 0
        both = int((said & labels).sum())
        return 2 * both / max(1, int(said.sum() + labels.sum()))

    def finish(self, outputs: Sequence[tuple[Array, ...]], targets: Sequence[Example], config: Config) -> Config:
        return config


def _infeasible(outputs: tuple[Array, ...]) -> float:
    """P(infeasible) of one item's two logits."""
    return probability(float(outputs[0][1]) - float(outputs[0][0]))


RECIPE = PaperRecipe()
