"""The models of a person's own that were added: where their manifests lie, and finding them by name.

A manifest lies beside the model's file, and the person's folder of models only says where (`added.json`); where that
place cannot be written it lies in the person's folder itself, with the whole path of the file.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

from stepscope.core.drafts import advice, reason, write_whole
from stepscope.core.errors import UserError
from stepscope.core.evaluation.predictor import Input, ModelInfo
from stepscope.core.frozen import dataclass
from stepscope.core.own_files import read_json
from stepscope.models.learned.card import NAME
from stepscope.models.learned.model_folders import own_folder
from stepscope.models.own.manifest import MANIFEST, ElementsInput, Manifest, ScreenInput, read_manifest

ADDED = "added.json"
_FORMAT = 1
_HINT = "Remove the model and add it again."
_INPUTS: tuple[Input, ...] = ("screens", "tree", "text", "history")


@dataclass(frozen=True, slots=True)
class OwnModel:
    """A manifest and where it lies."""

    manifest: Manifest
    place: Path

    @property
    def folder(self) -> Path:
        """What the paths in the manifest start from."""
        return self.place.parent

    @property
    def file(self) -> Path:
        return self.folder / self.manifest.file


def own_models() -> Iterator[OwnModel | UserError]:
    """All that were added, by name; for one whose manifest cannot be read, why."""
    for folder in sorted(own_folder().glob("*")):
        if (folder / ADDED).is_file() or (folder / MANIFEST).is_file():
            try:
                yield _read(folder)
            except UserError as error:
                yield error


def find_own(name: str) -> OwnModel | None:
    """The model that was added under this name, or the one whose manifest the path names. Raises UserError for a
    manifest that cannot be read."""
    if NAME.fullmatch(name):
        folder = own_folder() / name
        return _read(folder) if (folder / ADDED).is_file() or (folder / MANIFEST).is_file() else None
    place = Path(name).expanduser()
    if place.name == MANIFEST and place.is_file():
        return OwnModel(read_manifest(place), place.resolve())
    return None


def keep_place(name: str, manifest: Path) -> None:
    """Note that the model of this name has its manifest there. Raises UserError when that cannot be written."""
    file = own_folder() / name / ADDED
    text = json.dumps({"format": _FORMAT, "manifest": str(manifest)}, indent=1, ensure_ascii=False)
    try:
        write_whole(file, f"{text}\n".encode("utf-8", "surrogateescape"))
    except OSError as error:
        raise UserError(f"cannot be written: {reason(error)}", place=file, hint=advice(error)) from error


def info_of(model: OwnModel) -> ModelInfo:
    """What the manifest says of the model; whether its files are here is looked up."""
    manifest = model.manifest
    here = model.file.exists()
    what = ", ".join(dict.fromkeys(one.name for one in manifest.inputs))
    return ModelInfo(
        name=manifest.name or model.folder.name,
        title=manifest.title or manifest.name,
        task=manifest.task,
        description=f"A model of one's own, by its manifest: takes {what}; "
        f"gives {', '.join(f'{one.name} ({one.means}, {one.reading})' for one in manifest.outputs)}.",
        source=f"{model.file.name}; licence: {manifest.licence or 'not told'}",
        runtime="onnx" if manifest.runtime == "onnx" else "torch",
        weights="present" if here else "absent",
        trained_on=manifest.trained_on or None,
        stand_in=False,
        inputs=tuple(one for one in _INPUTS if one in _looks_at(manifest)),
        batches=True,
        version=manifest.sha256[:8] or "1",
        weights_from=f"{model.file}, sha256 {manifest.sha256[:16]}" if here else f"There is no {model.file}.",
        devices=("cpu", "cuda"),
    )


def _looks_at(manifest: Manifest) -> set[str]:
    found = set[str]()
    for one in manifest.inputs:
        match one:
            case ScreenInput():
                found.add("screens")
            case ElementsInput():
                found.add("tree")
            case _:
                found.update("tree" if source == "screen" else "text" for source in (one.text, one.pair) if source)
    return found


def _read(folder: Path) -> OwnModel:
    """The model that this folder of the person's stands for. Raises UserError naming the file."""
    place = folder / MANIFEST
    if (folder / ADDED).is_file():
        place = _told_place(folder / ADDED)
    found = read_manifest(place)
    if found.name != folder.name:
        raise UserError(f"calls its model {found.name!r}, and it was added as {folder.name}.", place=place, hint=_HINT)
    return OwnModel(found, place)


def _told_place(file: Path) -> Path:
    try:
        form = read_json(file)
        if form["format"] != _FORMAT:
            raise ValueError("it is of another version")
        place = Path(form["manifest"])
        if not place.is_absolute():
            raise ValueError("it names no place")
    except (OSError, ValueError, TypeError, KeyError) as error:
        raise UserError(f"does not say where the manifest is: {error}", place=file, hint=_HINT) from error
    return place
