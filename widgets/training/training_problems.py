"""What does not fit together in a training's form, and what is worth knowing of it, in words."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Sequence

from stepscope.widgets.training.encoder_field import encoder_problem
from stepscope.widgets.training.more_data import source_title
from stepscope.widgets.training.training_choices import EncoderChoice, RecipeChoice, SourceChoice, TrainRequest

_NAME = re.compile(r"\w[\w.-]{0,99}")


def is_name(text: str) -> bool:
    """Whether a model may be called so."""
    return _NAME.fullmatch(text) is not None


def wrong_in(
    request: TrainRequest, recipe: RecipeChoice, *, encoders: Sequence[EncoderChoice], taken: Collection[str], path: str
) -> str:
    """What does not fit together, "" where all does. `encoders` are those that there are, () while nobody knows;
    `taken` names of models of others; `path` is that of the open data."""
    return (
        _wrong_splits(request)
        or _wrong_inputs(request, recipe, encoders)
        or _wrong_data(request, path)
        or _wrong_names(request, taken)
    )


OBJECTIVES = ("mlm", "isp", "pisp", "smrm")
"""What a pretraining can ask; the names are those of `models.ordering.pretraining_objectives`."""


def _wrong_splits(request: TrainRequest) -> str:
    if request.train and request.validation == request.train:
        return "Choose by another split than the one to learn from."
    if request.train and request.held_out in (request.train, request.validation):
        return "Measure on a split that nothing was learned from or chosen by."
    return ""


def _wrong_inputs(request: TrainRequest, recipe: RecipeChoice, encoders: Sequence[EncoderChoice]) -> str:
    if any(one not in recipe.parts for one in request.without.split(",") if one):
        return f"Leave out only what the recipe has: {', '.join(recipe.parts)}, with commas between them."
    if {"texts", "pictures"} <= {*request.without.split(",")}:
        return "Without texts and pictures there is nothing to look at. Leave out one of them."
    if any(one not in OBJECTIVES for one in request.objectives.split(",") if one):
        return f"The pretraining has the objectives {', '.join(OBJECTIVES)}: name some of them with commas between."
    if request.objectives and not request.pretrain:
        return "The objectives are those of a pretraining: say how many epochs it has, or name none."
    if request.pretrain and not _asked(request):
        return "There is nothing to pretrain by. Take mlm for words, or isp, pisp or smrm for pictures."
    if recipe.classifier:
        return "" if request.classifier else "Write what the classifier reads, such as clip(screen,et,id)+cat."
    return _wrong_encoders(request, recipe, encoders) if encoders else ""


def _asked(request: TrainRequest) -> list[str]:
    """The objectives that are left: the first one asks about words, the others about pictures."""
    without = request.without.split(",")
    left = [one for one in OBJECTIVES if ("texts" if one == OBJECTIVES[0] else "pictures") not in without]
    named = [one for one in request.objectives.split(",") if one]
    return [one for one in left if not named or one in named]


def _wrong_encoders(request: TrainRequest, recipe: RecipeChoice, encoders: Sequence[EncoderChoice]) -> str:
    read = [one for one in encoders if one.texts]
    texts = encoder_problem(request.texts, read, "texts") if recipe.encoded else ""
    if texts or not recipe.pictures:
        return texts
    named = [one.partition(":")[0].strip() for one in request.views.split("+")]
    regions = [one.name for one in encoders if one.regions and one.name in named]
    if regions and not recipe.regions:
        return f"{recipe.name} reads no regions, which {regions[0]} gives. Choose another encoder of pictures."
    if regions and len(named) > 1:
        return f"{regions[0]} gives regions and stands alone. Remove the others."
    return encoder_problem(request.views, [one for one in encoders if one.pictures], "pictures")


def _wrong_data(request: TrainRequest, path: str) -> str:
    if any(one.path == path for one in request.others):
        return f"{source_title(path)} is open, and is learned from already. Remove it below."
    return ""


def _wrong_names(request: TrainRequest, taken: Collection[str]) -> str:
    if not is_name(request.name):
        return "Give the model a name of letters, digits, dots and dashes."
    if request.name in taken:
        return f"There is a model {request.name} that is not yours. Choose another name."
    if not request.seeds:
        return "Write seeds as numbers, such as 0, or 0-9, or 0, 3, 5."
    return ""


def others_note(request: TrainRequest, source: Callable[[str], SourceChoice | None]) -> str:
    """What happens with further data that does not have the split to learn from, or that nobody has read yet; `source`
    gives what is known of a path."""
    if not request.others:
        return ""
    dealt, unread = [], []
    for one in request.others:
        known = source(one.path)
        if known is None:
            unread.append(source_title(one.path))
        elif request.train and request.train not in known.splits:
            dealt.append(source_title(one.path))
    split, words = request.train, []
    if dealt:
        verb, whose = ("has", "its") if len(dealt) == 1 else ("have", "their")
        words.append(f"{_listed(dealt)} {verb} no split {split}: {whose} apps are dealt out to the three parts.")
    if unread:
        verb, whose = ("is", "its") if len(unread) == 1 else ("are", "their")
        without = f" Without a split {split} {whose} apps are dealt out." if split else ""
        words.append(f"{_listed(unread)} {verb} read when the training begins.{without}")
    if request.filter:
        words.append("The filter holds for all data.")
    return " ".join(words)


def _listed(names: Sequence[str]) -> str:
    """A, B and C."""
    return names[0] if len(names) == 1 else f"{', '.join(names[:-1])} and {names[-1]}"
