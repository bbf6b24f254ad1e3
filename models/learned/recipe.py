"""What the kinds of trained models have in common: from a request to numbers, and from numbers to an answer.

A recipe is all that is particular to one of them. The same `prepare` and `example` serve training and use, so that a
network is asked what it was trained on.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, Protocol, TypeGuard, cast

import numpy as np
from numpy.typing import NDArray

from stepscope.core.domain.prediction import Prediction
from stepscope.core.errors import UsageError
from stepscope.core.evaluation.predictor import ModelInfo
from stepscope.core.evaluation.tasks import Item
from stepscope.core.frozen import dataclass
from stepscope.core.scoring.names import did_you_mean
from stepscope.models.features.vectors import Features, ImageView, Vectors
from stepscope.models.learned.encoder_choice import USUAL, ClassifierChoice, Config, EncoderNames

if TYPE_CHECKING:
    from torch import Tensor
    from torch.nn import Module

Array = NDArray[Any]
Example = Mapping[str, Array]
"""One item's inputs or targets by name; the first axis of each counts what varies in number (screens, steps, elements),
where anything does."""
Run = Callable[[Sequence[Example]], list[tuple[Array, ...]]]
"""Examples through the network: for each its own outputs, padded as they came."""


@dataclass(frozen=True, slots=True)
class PreparedRequest:
    """A request read and taken apart: the texts and views whose vectors are wanted, and the recipe's own `rest`."""

    request: Any
    texts: tuple[str, ...] = ()
    views: tuple[ImageView | None, ...] = ()
    rest: Any = None


@dataclass(frozen=True, slots=True)
class Hyper:
    """The settings by which a network is trained.

    `batch` is items a step, computed in `accumulate` parts one after the other (less memory, the same gradient where
    the loss is a mean over items). `patience`: epochs without a better validation until it stops. `optimizer` and
    `schedule` by name (`models.training.schedules`), `warmup` as a share of all steps, `clip` the greatest length of
    the gradient, 0 for none. `precision` float32, bfloat16, float16 or auto; `workers` processes that make batches
    ready, −1 as many as are sensible; `side_by_side` seeds are trained at the same time. `prefixes` copies of each
    item are learned from besides, cut after even shares of its steps (`Shortening`). `threads` compute on a processor,
    0 as many as it has: sums are taken in another order by another number, so that the last digits differ. `without`
    names the recipe's parts that are left out, with commas between them (`Ablatable`). `pretrain` epochs are learned
    from before by the `objectives` that are named with commas between them, all where none is (`Pretraining`). Where
    words stand in one stream with patches of pictures the first `layers` of the text encoder are used, 0 all, and a
    square grid of patches is averaged to `grid` a side, 0 as it is; with the chance `drop_texts` all words of an item
    are left out while it learns, so that it learns to do with pictures too (Neverova et al. 2016, ModDrop). Where
    encoders learn (`TunedRecipe`), what came with them moves at `encoder_rate` times the rate (Howard and Ruder 2018,
    discriminative fine-tuning), and rests for the first `head_first` epochs (Kumar et al. 2022, LP-FT).
    """

    epochs: int = 50
    batch: int = 32
    rate: float = 1e-3
    weight_decay: float = 1e-4
    optimizer: str = "adamw"
    patience: int = 10
    seeds: tuple[int, ...] = (0,)
    momentum: float = 0.0
    schedule: str = "constant"
    warmup: float = 0.0
    clip: float = 5.0
    accumulate: int = 1
    precision: str = "float32"
    workers: int = -1
    side_by_side: int = 1
    prefixes: int = 0
    threads: int = 0
    without: str = ""
    pretrain: int = 0
    objectives: str = ""
    layers: int = 0
    grid: int = 0
    encoder_rate: float = 1.0
    head_first: int = 0
    drop_texts: float = 0.0


class Recipe(Protocol):
    """Keeps no state. `version` changes whenever the same data would give other inputs or another network.

    `pictures`: it looks at screens; one that looks at nothing through encoders says `encoded = False` besides, and one
    that stands on others than the usual ones names them as `usual_encoders`, and one that encoders may give several
    vectors of a thing says `sequences = True`, one that reads regions of pictures `takes_regions = True`.
    `measured` names what `measure` gives, higher is better. `baselines` are the models that it has to beat, `protocol`
    and `metric` by what.
    """

    @property
    def info(self) -> ModelInfo: ...

    version: str
    pictures: bool
    hyper: Hyper
    measured: str
    baselines: tuple[str, ...]
    protocol: str
    metric: str

    # --- both ------------------------------------------------------------------------------------------------------

    def prepare(self, request: Any, features: Features) -> PreparedRequest:
        """Prepare a request, in any thread. Raises SourceError for what cannot be read."""
        ...

    def example(self, draft: PreparedRequest, vectors: Vectors) -> Example:
        """Numbers only; an item without screens, tree or words gives an example all the same."""
        ...

    def collate(self, examples: Sequence[Example]) -> tuple[Array, ...]:
        """The network's inputs for a batch, padded, float32 or int64; the first axis of each counts the batch."""
        ...

    def network(self, config: Config) -> Module:
        """The torch module, its weights drawn by torch's current seed; takes what `collate` gives, in order."""
        ...

    # --- use -------------------------------------------------------------------------------------------------------

    def answers(
        self, drafts: Sequence[PreparedRequest], examples: Sequence[Example], vectors: Vectors, run: Run, config: Config
    ) -> list[Prediction]:
        """One prediction a draft, in order; `vectors` has what all drafts asked for. `run` may be called as often as is
        wanted."""
        ...

    # --- training --------------------------------------------------------------------------------------------------

    def target(self, item: Item) -> Example | None:
        """What the network should say of an item of the task, and what else `config` wants to know of it; None where
        the data does not tell."""
        ...

    def config(self, examples: Sequence[Example], targets: Sequence[Example]) -> Config:
        """What the training data decides: sizes, vocabularies, weights of classes. JSON. The sequences lie on disk: go
        through them in order, and keep little."""
        ...

    def loss(self, outputs: Sequence[Tensor], targets: Sequence[Tensor], config: Config) -> Tensor:
        """The mean over the batch. `targets` are those of `collate_targets`."""
        ...

    def collate_targets(self, targets: Sequence[Example], config: Config) -> tuple[Array, ...]:
        """The targets of a batch, padded as `collate` pads."""
        ...

    def measure(self, outputs: Sequence[tuple[Array, ...]], targets: Sequence[Example], config: Config) -> float:
        """How good the network is on the validation split, 0..1, by `measured`. One entry an item."""
        ...

    def finish(self, outputs: Sequence[tuple[Array, ...]], targets: Sequence[Example], config: Config) -> Config:
        """The config with what is chosen on the validation split once the weights stand: calibration, thresholds."""
        ...


class Shortening(Recipe, Protocol):
    """A recipe that can learn from items as they were on the way, so that it knows something before their end."""

    def shortened(self, draft: PreparedRequest, vectors: Vectors, copies: int) -> list[Example]:
        """At most so many examples of the same item, cut after even shares of its steps, each another one and none of
        them whole; the shortest first. Of three copies: after a quarter, a half and three quarters."""
        ...


class Ablatable(Recipe, Protocol):
    """A recipe that can do without some of what it looks at or learns by, so that it can be measured what each is
    worth. What is left out stands in its config (`encoder_choice.without_of`)."""

    parts: tuple[str, ...]


class LearningOtherwise(Recipe, Protocol):
    """A recipe that may learn from other items than it is measured on, where a part is left out."""

    def learning(self, without: Sequence[str]) -> Recipe:
        """The recipe as it learns."""
        ...


class Inventing(Recipe, Protocol):
    """A recipe that learns from made-up items beside those of the training split; none of them is measured on."""

    def invented(self, item: Item) -> list[Item]:
        """Further items about what the item shows, the same each time."""
        ...


class TunedRecipe(Recipe, Protocol):
    """A recipe that learns from pixels and tokens, through encoders that it changes or leaves as they are.

    What `prepare` and `example` get is `models.features.tuned_inputs.TunedInputs`: tokens and packed pictures in the
    place of vectors. `network` builds its encoders out of the weights that the config names (`models.learned.tuning`).
    `collate` unpacks the pictures straight into the batch; it takes examples whose pictures are unpacked as well.
    `came_with_weights` are what the names of those parameters begin with that came with the encoders.
    """

    came_with_weights: tuple[str, ...]

    def loaded(self, example: Example) -> Example:
        """The example with its pictures unpacked: what shapes are told of, and numbers drawn for."""
        ...


class Pretraining(Recipe, Protocol):
    """A recipe whose network can be pretrained on the same data by other objectives than its own."""

    def pretraining(self, hyper: Hyper, config: Config) -> Recipe:
        """The recipe of the pretraining, of the same examples. Raises UsageError for objectives that there are not."""
        ...

    def begun(self, state: Mapping[str, Tensor]) -> Mapping[str, Tensor]:
        """What of the pretrained network's tensors the recipe's own begins with, by their names there."""
        ...


class OwnInputs(Recipe, Protocol):
    """A recipe that looks at the data through something else than vectors."""

    def inputs_of(self, names: EncoderNames, device: str) -> Features:
        """Raises what loading encoders raises."""
        ...


class Settable(Recipe, Protocol):
    """A recipe whose models can be asked in several ways, named behind their names (`info.settings`)."""

    def set_to(self, given: Mapping[str, str]) -> Recipe:
        """The recipe that answers so; `given` was checked."""
        ...


class ChosenInputs(Recipe, Protocol):
    """A recipe whose inputs are chosen by name. With `keeps_last` the last epoch's network is kept, whatever validation
    says of it."""

    keeps_last: bool

    def chosen(self, choice: ClassifierChoice) -> ChosenInputs:
        """The recipe with what is chosen, "" as it was. Raises UsageError for what there is not."""
        ...

    def resolved(self) -> ChosenInputs:
        """The same with encoders that are here. Raises UnavailableError with what is missing, UsageError."""
        ...

    @property
    def name_of_inputs(self) -> str:
        """The name by which what it has chosen is chosen again."""
        ...

    @property
    def encoder_names(self) -> EncoderNames:
        """The encoders of a resolved one."""
        ...

    def inputs(self, device: str) -> Features:
        """What it looks at the data through, of a resolved one."""
        ...


def takes_classifier(recipe: Recipe) -> TypeGuard[ChosenInputs]:
    """Whether its inputs are chosen by name."""
    return hasattr(recipe, "chosen")


def keeps_last(recipe: Recipe) -> bool:
    """Whether the last epoch's network is kept rather than the best."""
    return bool(getattr(recipe, "keeps_last", False))


def is_tuned(recipe: Recipe) -> bool:
    """Whether the recipe learns from pixels and tokens."""
    return hasattr(recipe, "loaded")


def came_with_weights(recipe: Recipe) -> tuple[str, ...]:
    """What the names of those parameters begin with that came with the encoders; none of a recipe that tunes none."""
    return cast(TunedRecipe, recipe).came_with_weights if is_tuned(recipe) else ()


def is_taught(recipe: Recipe) -> bool:
    """Whether its network is told the targets while it learns, behind its inputs: one that decides step by step, each
    after what was right before (`taught`)."""
    return bool(getattr(recipe, "taught", False))


def can_pretrain(recipe: Recipe) -> TypeGuard[Pretraining]:
    """Whether its network can be pretrained."""
    return hasattr(recipe, "pretraining")


def has_own_inputs(recipe: Recipe) -> TypeGuard[OwnInputs]:
    """Whether it looks at the data through something of its own."""
    return hasattr(recipe, "inputs_of")


def does_without_pictures(recipe: Recipe, without: Sequence[str]) -> bool:
    """Whether no encoder of pictures is wanted: they are left out of one that can do without (`optional_pictures`)."""
    return "pictures" in without and bool(getattr(recipe, "optional_pictures", False))


def is_settable(recipe: Recipe) -> TypeGuard[Settable]:
    """Whether its models can be asked in several ways."""
    return hasattr(recipe, "set_to")


def can_export(recipe: Recipe) -> bool:
    """Whether its network is one graph: not one that searches (`exports` False)."""
    return bool(getattr(recipe, "exports", True))


def can_shorten(recipe: Recipe) -> bool:
    """Whether it can learn from items that are cut short."""
    return hasattr(recipe, "shortened")


def left_out(recipe: Recipe, without: str) -> tuple[str, ...]:
    """The parts that a recipe is to do without, of names with commas between them. Raises UsageError for one that it
    does not have."""
    names = tuple(dict.fromkeys(filter(None, (one.strip() for one in without.split(",")))))
    parts = cast(Ablatable, recipe).parts if hasattr(recipe, "parts") else ()
    for name in names:
        if name not in parts:
            rest = f"It can do without {', '.join(parts)}." if parts else "Leave without out."
            hint = f"{did_you_mean(name, parts)}{rest}"
            raise UsageError(f"{recipe.info.name} has no part {name[:60]!r} to do without.", hint=hint)
    for other in ("tree", "texts"):
        if {"pictures", other} <= {*names}:
            hint = "Leave out one of them."
            raise UsageError(f"Without {other} and pictures there is nothing to look at.", hint=hint)
    return names


def learner(recipe: Recipe, without: Sequence[str]) -> Recipe:
    """The recipe as it learns without these parts; measured is it as it is."""
    return cast(LearningOtherwise, recipe).learning(without) if hasattr(recipe, "learning") else recipe


def with_invented(recipe: Recipe, item: Item) -> list[Item]:
    """The item and, where the recipe makes some up, others about it."""
    return [item, *cast(Inventing, recipe).invented(item)] if hasattr(recipe, "invented") else [item]


def takes_regions(recipe: Recipe) -> bool:
    """Whether what it sees of a picture may be regions."""
    return bool(getattr(recipe, "takes_regions", False))


def is_encoded(recipe: Recipe) -> bool:
    """Whether it looks at anything through encoders."""
    return bool(getattr(recipe, "encoded", True))


def takes_sequences(recipe: Recipe) -> bool:
    """Whether encoders may give it several vectors of a text or a picture."""
    return bool(getattr(recipe, "sequences", False))


def reads_texts(recipe: Recipe) -> bool:
    """Whether it reads anything through encoders of texts."""
    return is_encoded(recipe) and bool(usual_encoders(recipe).texts)


def usual_encoders(recipe: Recipe) -> EncoderNames:
    """The encoders that it stands on where nobody chooses others; without `texts`, none of texts at all."""
    return cast(EncoderNames, getattr(recipe, "usual_encoders", USUAL))


def encoders_for(recipe: Recipe, chosen: EncoderNames) -> EncoderNames:
    """The encoders that a training of the recipe stands on: those chosen, its own in the place of the usual."""
    if not is_encoded(recipe):
        return EncoderNames("", "")
    own = usual_encoders(recipe)
    texts = chosen.texts if own.texts and chosen.texts != USUAL.texts else own.texts
    return EncoderNames(texts, own.views if chosen.views == USUAL.views else chosen.views)


def loaded(recipe: Recipe, example: Example) -> Example:
    """The example with nothing packed in it."""
    return cast(TunedRecipe, recipe).loaded(example) if is_tuned(recipe) else example


def share_of(labels: Sequence[float], positive: str, negative: str) -> float:
    """The share of the labels that are 1, between 0 and 1. Raises UsageError where all are equal: nothing can be
    learned then. `positive` and `negative` are the labels' names."""
    share = float(np.mean(labels))
    if 0 < share < 1:
        return share
    every, never = (positive, negative) if share else (negative, positive)
    raise UsageError(
        f"All {len(labels):,} items of the training split are {every}; none is {never}, so there is nothing to tell "
        "apart.",
        hint="Choose other data or another split to learn from.",
    )


def padded(arrays: Sequence[Array], *, least: int = 1) -> tuple[Array, Array]:
    """Arrays of (n_i, …) as one of (batch, longest, …) with zeros behind, and the mask (batch, longest), 1 where there
    is something. Never shorter than `least`, which networks need."""
    longest = max(least, *(len(one) for one in arrays))
    whole = np.zeros((len(arrays), longest, *arrays[0].shape[1:]), arrays[0].dtype)
    mask = np.zeros((len(arrays), longest), np.float32)
    for place, one in enumerate(arrays):
        whole[place, : len(one)] = one
        mask[place, : len(one)] = 1
    return whole, mask


def cuts(steps: int, copies: int) -> list[int]:
    """After how many of an item's steps its shortened copies end: even shares, rounded up, each once, none whole."""
    ends = (math.ceil(steps * (copy + 1) / (copies + 1)) for copy in range(copies))
    return [end for end in dict.fromkeys(ends) if 0 < end < steps]
