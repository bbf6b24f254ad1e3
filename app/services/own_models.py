"""A person's own models: taking a trained one in from a folder, and taking any away again."""

from __future__ import annotations

import shutil
from pathlib import Path

from stepscope.app.services.worker import ExportJob, WorkProcess
from stepscope.core.domain.model_name import LOCAL
from stepscope.core.drafts import advice, reason
from stepscope.core.errors import UsageError, UserError
from stepscope.core.limits import limit, written_figure
from stepscope.core.progress import CancelToken
from stepscope.models.catalog import CATALOG
from stepscope.models.checkpoints import checkpoint
from stepscope.models.learned.card import CARD, NAME, ONNX, WEIGHTS, read_card
from stepscope.models.learned.model_folders import TrainedModel, own_folder
from stepscope.models.learned.recipes import recipe
from stepscope.models.own.manifest import MANIFEST
from stepscope.models.own.own_models import ADDED, find_own
from stepscope.models.runtimes import onnx_file
from stepscope.models.runtimes.weights import sha256

WORK = ".training"
"""What `app.services.training` keeps in the model's folder until it is done."""


def take_in(folder: Path) -> TrainedModel:
    """Copy the trained model in `folder` to the person's own, after a look at it; returns the copy.

    Raises UserError for a folder without a card, with weights that are not those of the card or that this version
    cannot use, and UsageError where there is a model of that name.
    """
    card = read_card(folder)
    known = recipe(card.recipe)
    if known.version != card.recipe_version:
        raise UserError(
            f"was trained by version {card.recipe_version} of {card.recipe}, this is {known.version}.",
            place=folder,
            hint="Train it again with this version of Stepscope.",
        )
    if sha256(folder / WEIGHTS) != card.weights:
        raise UserError("is not the file of its card.", place=folder / WEIGHTS, hint="Copy the folder anew.")
    if (folder / ONNX).is_file():
        onnx_file.check(folder / ONNX)
    place = own_folder() / card.name
    taken = any((place / one).is_file() for one in (CARD, ADDED, MANIFEST))
    if taken or any(entry.info.name == card.name for entry in CATALOG):
        hint = "Remove that one first, or give this one another name in its card.json."
        raise UsageError(f"There is a model {card.name} already.", hint=hint)
    _copy(folder, place)
    return TrainedModel(place, card)


def remove(name: str) -> Path | None:
    """Delete a trained model of the person's own, or forget a file that was added; that file and a manifest beside it
    stay, and its path is returned. Raises UsageError where there is none, UserError when it cannot be done."""
    plain = name.removeprefix(LOCAL)
    if any(one.name == plain for one in checkpoint.load()):
        return Path(checkpoint.remove(plain).folder)
    place = own_folder() / name
    if NAME.fullmatch(name) is not None and any((place / one).is_file() for one in (ADDED, MANIFEST)):
        return _forget(name, place)
    if NAME.fullmatch(name) is None or not (place / CARD).is_file():
        raise UsageError(f"There is no model {name!r} of your own.", hint="See 'stepscope models list'.")
    try:
        shutil.rmtree(place)
    except OSError as error:
        raise UserError(f"cannot be deleted: {reason(error)}", place=place) from error
    return None


def _forget(name: str, place: Path) -> Path | None:
    """Take the note of a file away, and its manifest where that lies among the person's models."""
    try:
        added = find_own(name)
    except UserError:  # it can be forgotten all the same
        added = None
    try:
        shutil.rmtree(place)
    except OSError as error:
        raise UserError(f"cannot be deleted: {reason(error)}", place=place) from error
    return None if added is None else added.file


def _copy(folder: Path, place: Path) -> None:
    """The card last, so that a folder with a card is whole."""
    try:
        place.mkdir(parents=True, exist_ok=True)
        size = sum((folder / name).stat().st_size for name in (WEIGHTS, ONNX) if (folder / name).is_file())
        if size + limit("disk-kept-free") > shutil.disk_usage(place).free:
            place.rmdir()
            words = f"this model has {written_figure('bytes', size)}, and the disk is too full for it."
            raise UserError(words, place=folder, hint="Free some room, or name the folder wherever a model is named.")
        for name in (WEIGHTS, ONNX, CARD):
            if (folder / name).is_file():
                shutil.copyfile(folder / name, place / name)
    except OSError as error:
        shutil.rmtree(place, ignore_errors=True)
        raise UserError(f"cannot be written: {reason(error)}", place=place, hint=advice(error)) from error


def export_onnx(folder: Path, file: Path | None, token: CancelToken) -> Path | None:
    """Write the model's ONNX file in a process of its own, beside its weights unless `file` says where; None when that
    was given up."""
    worker = WorkProcess("the export", "Try it again.")
    try:
        return next(iter([*worker.run(ExportJob(folder, file), token)]), None)
    finally:
        worker.close()


def name_note(name: str) -> str:
    """What is known under this name among the person's own models."""
    folder = own_folder() / name
    if (folder / WORK).is_dir():
        return "A training of this name was stopped: with the same settings and data it goes on from there."
    return "There is a model of this name; it will be replaced." if folder.is_dir() else ""
