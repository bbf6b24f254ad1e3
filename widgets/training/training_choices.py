"""What may be chosen for a training, and what was, as frozen values."""

from __future__ import annotations

from dataclasses import fields, replace
from typing import Any

from stepscope.core.domain.prediction import Task
from stepscope.core.frozen import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class LearningSettings:
    """The settings by which a network is trained; their meaning is that of `models.learned.recipe.Hyper`, which has the
    same names."""

    seeds: tuple[int, ...] = (0,)
    epochs: int = 50
    batch: int = 32
    rate: float = 1e-3
    patience: int = 10
    optimizer: str = "adamw"
    momentum: float = 0.0
    weight_decay: float = 1e-4
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


SETTINGS = tuple(one.name for one in fields(LearningSettings))


@dataclass(frozen=True, slots=True)
class RecipeChoice(LearningSettings):
    """A way to train a model for a task, with its own settings and encoders. `measured` names what is looked at after
    each epoch, higher is better; `pictures`: it looks at screens; `shortens`: it can learn from items that are cut
    short; `parts` are what it can do without; `encoded`: it asks encoders of texts; `classifier` names the inputs of
    one whose inputs are chosen by name (else ""), `language` what its command is; `pretrains`: it can be pretrained,
    and cut down; `exports`: it can be an ONNX file; `tunes`: its encoders learn with it; `regions`: it reads regions of
    pictures; `why_not` says why it cannot be taken now, "" when it can."""

    name: str
    task: Task
    title: str
    explained: str = ""
    measured: str = ""
    pictures: bool = False
    texts: str = ""
    views: str = ""
    why_not: str = ""
    shortens: bool = False
    parts: tuple[str, ...] = ()
    encoded: bool = True
    classifier: str = ""
    language: str = ""
    pretrains: bool = False
    exports: bool = True
    tunes: bool = False
    regions: bool = False


@dataclass(frozen=True, slots=True)
class PresetChoice:
    """Published settings by name, of which some are said; `source` tells where they are published. "" in `recipe`,
    `texts` and `views`: they say nothing of it."""

    name: str
    task: Task | None
    title: str
    source: str = ""
    settings: tuple[tuple[str, Any], ...] = ()
    recipe: str = ""
    texts: str = ""
    views: str = ""
    classifier: str = ""
    language: str = ""

    def fits(self, task: Task, recipes: tuple[str, ...]) -> bool:
        """Whether it can be taken for the task, of which there are these recipes."""
        return self.task in (None, task) and (not self.recipe or self.recipe in recipes)

    def over(self, recipe: RecipeChoice) -> RecipeChoice:
        """The recipe with these settings in place of its own."""
        texts, views = self.texts or recipe.texts, self.views or recipe.views
        if recipe.classifier:
            classifier, language = self.classifier or recipe.classifier, self.language or recipe.language
            recipe = replace(recipe, classifier=classifier, language=language)
        return replace(recipe, texts=texts, views=views, **dict(self.settings))


@dataclass(frozen=True, slots=True)
class EncoderChoice:
    """An encoder by name: whether it reads texts and pictures, what may be asked of it (the usual output first), why it
    cannot be taken now, "" when it can, and whether it gives regions of pictures."""

    name: str
    title: str
    texts: bool = False
    pictures: bool = False
    outputs: tuple[str, ...] = ("pooled",)
    why_not: str = ""
    regions: bool = False

    def references(self) -> tuple[str, ...]:
        """The names under which its outputs are asked for."""
        return (self.name, *(f"{self.name}:{output}" for output in self.outputs[1:]))


@dataclass(frozen=True, slots=True)
class SourceChoice:
    """Further data that may be learned from: `path`, and the names of its splits."""

    path: str
    title: str
    splits: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class MoreData:
    """Further data that is learned from, so large a share of it in each epoch (2: each item twice)."""

    path: str
    weight: float = 1.0


@dataclass(frozen=True, slots=True)
class TrainRequest(LearningSettings):
    """All that decides a training. `data` is "all" or "filter", `filter` the text of that filter, `weight` the share of
    it when it is learned from together with `others`. An empty `train` means that the apps of the data are dealt out to
    three parts; an empty `held_out` that nothing is measured. `texts` and `views` name encoders, "" the usual ones,
    `classifier` and `language` the inputs of a recipe that takes them by name; all settings are those of `preset` where
    one is named."""

    task: Task
    recipe: str
    data: str
    name: str
    train: str = ""
    validation: str = ""
    held_out: str = ""
    filter: str = ""
    device: str = "auto"
    onnx: bool = True
    weight: float = 1.0
    others: tuple[MoreData, ...] = ()
    texts: str = ""
    views: str = ""
    preset: str = ""
    classifier: str = ""
    language: str = ""
