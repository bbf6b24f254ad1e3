"""Weights: those of encoders and of models, what stands on them, where they lie, and whether they are what they were.

For both faces. Listing looks only; checking reads every byte again.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

from stepscope.core.errors import UsageError, UserError
from stepscope.core.frozen import dataclass
from stepscope.core.lazy import lazy_module
from stepscope.core.scoring.names import did_you_mean
from stepscope.models.catalog import CATALOG
from stepscope.models.encoders import added, registry
from stepscope.models.encoders.encoder import EncoderInfo
from stepscope.models.encoders.families import FAMILIES, recognised
from stepscope.models.learned.encoder_choice import encoders_of
from stepscope.models.learned.model_folders import TrainedModel, trained_models
from stepscope.models.learned.recipes import recipe

if TYPE_CHECKING:
    from stepscope.models.runtimes import weights as weight_readers
else:
    weight_readers = lazy_module("stepscope.models.runtimes.weights")

_OURS = "Apache-2.0"
"""The licence of what comes with this project."""


@dataclass(frozen=True, slots=True)
class WeightsRow:
    """The weights of an encoder or a model. `kind` is the encoder's kind or the model's task, `wanted_by` names what
    stands on an encoder. `where_from` says where they come from, or what to do where they are not `here`. `paths` are
    the files or folders, `own` those that a person added and can take off the list. `sha256` and `bytes` "" and 0 where
    they are not known; `licence` "" where nothing says it."""

    name: str
    sort: Literal["encoder", "model"]
    kind: str
    title: str
    wanted_by: tuple[str, ...]
    licence: str
    bytes: int
    sha256: str
    here: bool
    where_from: str
    outputs: tuple[str, ...] = ()
    paths: tuple[str, ...] = ()
    own: bool = False

    def form(self) -> dict[str, Any]:
        """As JSON."""
        return {
            "name": self.name, "sort": self.sort, "kind": self.kind, "title": self.title,
            "wanted_by": list(self.wanted_by), "licence": self.licence, "bytes": self.bytes, "sha256": self.sha256,
            "here": self.here, "from": self.where_from, "outputs": list(self.outputs), "paths": list(self.paths),
            "own": self.own,
        }  # fmt: skip


@dataclass(frozen=True, slots=True)
class CheckedWeights:
    """`problem` says what is wrong with them, "" for nothing."""

    name: str
    problem: str = ""


def rows() -> tuple[WeightsRow, ...]:
    """All encoders, then all models with weights of their own. Raises UserError for a list of added encoders that
    cannot be read; models whose cards cannot be read are left out, as other lists tell them."""
    models = [one for one in trained_models() if isinstance(one, TrainedModel)]
    wanted = _wanted(models)
    encoders = [_encoder_row(info, tuple(wanted.get(info.name, ()))) for info in registry.encoders().values()]
    return (*encoders, *map(_model_row, models))


def row_of(name: str) -> WeightsRow:
    """Raises UsageError naming the nearest."""
    found = {one.name: one for one in rows()}
    if name not in found:
        raise UsageError(f"There are no weights {name!r}.", hint=f"{did_you_mean(name, found)}See: weights list.")
    return found[name]


@dataclass(frozen=True, slots=True)
class FoundWeights:
    """What lies at `path`: `taken_for` in words, of `family` ("" where that could not be told); `name` is free."""

    path: Path
    taken_for: str
    family: str
    name: str


def look_at(path: Path) -> FoundWeights:
    """What lies there, before it is added. Raises UserError for what cannot be read."""
    name = added.free_name(path, registry.OWN)
    found = recognised(path)
    if found is None:
        return FoundWeights(path, "nothing that is known; say what it is", "", name)
    return FoundWeights(path, found[1].words, found[0].name, name)


def add(path: Path, name: str = "", family: str = "", options: Mapping[str, str] | None = None) -> added.Addition:
    """Put an encoder's weights onto the list. Errors as those of `models.encoders.added.add`."""
    return added.add(path, name, family, options, taken=registry.OWN)


def remove(name: str) -> None:
    """Take an added encoder off the list; its files stay. Raises UsageError for any other name."""
    if name in registry.OWN:
        raise UsageError(
            f"{name} comes with Stepscope or a package and is not on the list of added ones.", hint="Nothing to do."
        )
    added.remove(name)


def check(names: Sequence[str] = ()) -> Iterator[CheckedWeights]:
    """Every byte of these weights read again, of all that are here without names; one outcome each, as it is found.
    Raises UsageError for an unknown name, before anything is read."""
    chosen = [row_of(name) for name in names] if names else [one for one in rows() if one.here or one.own]
    for one in chosen:
        try:
            _check(one)
        except UserError as error:
            yield CheckedWeights(one.name, str(error))
        else:
            yield CheckedWeights(one.name)


def families() -> tuple[tuple[str, str, tuple[str, ...]], ...]:
    """What can be added: family, title, options."""
    return tuple((one.name, one.title, one.options) for one in FAMILIES.values())


def _check(row: WeightsRow) -> None:
    if row.sort == "model":
        model = next(one for one in trained_models() if isinstance(one, TrainedModel) and one.card.name == row.name)
        found = weight_readers.sha256(model.weights)
        if found != model.card.weights:
            why = f"is not the file of its card: its SHA-256 is {found}, not {model.card.weights}."
            raise UserError(why, place=model.weights, hint="Put the file back, or train the model again.")
    elif row.own:
        added.check(added.find(row.name), anew=True)
    else:
        registry.check_own(row.name)


def _encoder_row(info: EncoderInfo, wanted: tuple[str, ...]) -> WeightsRow:
    paths = (added.find(info.name).path,) if info.added else tuple(map(str, registry.own_files(info.name)))
    return WeightsRow(
        info.name,
        "encoder",
        info.kind.value,
        info.title,
        wanted,
        info.licence,
        info.bytes,
        info.sha256,
        info.weights == "present",
        info.weights_from,
        info.outputs,
        paths,
        info.added,
    )


def _model_row(model: TrainedModel) -> WeightsRow:
    here = model.weights.is_file()
    return WeightsRow(
        model.card.name,
        "model",
        model.card.task.value,
        recipe(model.card.recipe).info.title,
        (),
        _OURS if model.shipped else "",
        model.weights.stat().st_size if here else 0,
        model.card.weights,
        here,
        "comes with Stepscope" if model.shipped else "trained here" if here else f"there is no {model.weights}",
        paths=(str(model.weights),),
    )


def _wanted(models: Sequence[TrainedModel]) -> Mapping[str, list[str]]:
    """The models that stand on each encoder, by its name."""
    found: dict[str, list[str]] = {}
    for model in models:
        try:
            names = encoders_of(model.card.config)
            pictures = recipe(model.card.recipe).pictures
        except (UserError, TypeError, ValueError, AttributeError):  # a card that its recipe does not understand
            continue
        for reference in (names.texts, names.views if pictures else ""):
            for name in registry.names_in(str(reference)):
                found.setdefault(name, []).append(model.card.name)
    for entry in CATALOG:
        if entry.find_weights.endswith("sentence_files:find"):
            found.setdefault(registry.MINILM, []).append(entry.info.name)
    return found
