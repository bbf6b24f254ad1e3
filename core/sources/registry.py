"""The formats that can be opened, and finding out which of them a folder holds by its content.

A package adds its own with an entry point of the group `stepscope.sources` that names a `Format`.
"""

from __future__ import annotations

import importlib
from functools import cache
from importlib.metadata import EntryPoint
from pathlib import Path

from stepscope.core.archives.opening import ARCHIVE_SUFFIXES
from stepscope.core.errors import SourceError, UsageError
from stepscope.core.process.packages import entry_points_of
from stepscope.core.sources.bundle_mark import is_run_bundle
from stepscope.core.sources.folders import only_a_pointer
from stepscope.core.sources.look import FolderScan
from stepscope.core.sources.mixed_folder import MIXED, MixedSource
from stepscope.core.sources.plugin_process import FormatInfo
from stepscope.core.sources.plugin_sources import facts, plugin_format
from stepscope.core.sources.sniffers import predictions
from stepscope.core.sources.source import Format, Source

GROUP = "stepscope.sources"

_GIVE_A_FOLDER = "Most data sets are folders: give the folder that holds it."

_OWN = {
    "recording": "recording",
    "llamatouch": "llamatouch",
    "aitz": "aitz",
    "aitw": "aitw",
    "android_control": "android_control",
    "android_interaction": "android_interaction",
    "motif": "motif",
    "rico": "rico",
    "gui_odyssey": "gui_odyssey",
    "meta_gui": "meta_gui",
    "androidarena": "androidarena",
    "androidarena_tasks": "androidarena_tasks",
    "android_world": "android_world",
    "os_genesis": "os_genesis",
    "mind2web": "mind2web",
    "multimodal_mind2web": "mind2web_tables",
    "mc_mind2web": "mind2web_tables",
    "seeact": "seeact",
    "webvoyager": "webvoyager",
    "weblinx": "weblinx",
    "weblinx_candidates": "weblinx_candidates",
    "miniwob": "miniwob",
    "pixelhelp": "seq2act",
    "ricosca": "seq2act",
    "uibert_refexp": "uibert",
    "screenspot": "screenspot",
    "navi_plus": "navi_plus",
    "asks": "ask_records",
    "turkingbench": "turkingbench",
    "goal_plans": "goal_plans",
    "recipeqa": "recipeqa",
    "wikihow": "wikihow",
    "wikihow_goal_step": "wikihow_goal_step",
}
"""Our own formats and the modules of `sniffers` that recognise them, in order of precedence: a folder that several
formats know is shown in this order. What reads a format is imported when data of it is opened."""


@cache
def formats() -> tuple[Format, ...]:
    """Every format: our own, then those that installed packages add. One that cannot be used is left out (see
    `broken_plugins`)."""
    return (
        *map(_own, _OWN),
        *(plugin_format(entry, said) for entry, said in _plugins() if isinstance(said, FormatInfo)),
    )


def listed_formats() -> tuple[Format, ...]:
    """All that `stepscope formats` lists: every format, and the files of predictions that go with any of them."""
    return (*formats(), predictions.FORMAT)


def broken_plugins() -> tuple[str, ...]:
    """A sentence for each entry point that gives no usable format."""
    return tuple(said for _, said in _plugins() if isinstance(said, str))


@cache
def _plugins() -> tuple[tuple[EntryPoint, FormatInfo | str], ...]:
    """Each entry point with what its format says of itself, or the sentence why it is left out."""
    found: list[tuple[EntryPoint, FormatInfo | str]] = []
    taken = dict.fromkeys((*_OWN, predictions.FORMAT.name, MIXED), "a name of our own")
    for entry in entry_points_of(GROUP):
        said, who = facts(entry), f"The format {entry.name!r} of {entry.value!r}"
        if isinstance(said, str):
            said = f"{who} cannot be loaded: {said}"
        elif said.name in taken:
            said = f"{who} is left out: {said.name!r} is {taken[said.name]}."
        else:
            taken[said.name] = f"the name of {entry.value!r} too"
        found.append((entry, said))
    return tuple(found)


def format_named(name: str) -> Format:
    """The format called `name`; UsageError listing the others when there is none."""
    if name in _OWN:
        return _own(name)
    for known in listed_formats():
        if known.name == name:
            return known
    names = ", ".join(known.name for known in formats())
    raise UsageError(f"there is no format {name!r}", hint=f"Formats: {names}.")


def detect_all(path: Path) -> tuple[Format, ...]:
    """Every format met in a bounded look at `path`, in order of precedence; its name plays no part."""
    return _met(FolderScan(path))


def _met(look: FolderScan) -> tuple[Format, ...]:
    found = tuple(known for known in formats() if known.sniff(look))
    names = {known.name for known in found}
    return tuple(known for known in found if known.beside not in names)


def detect(path: Path) -> Format:
    """The format of `path`, the first one where there are several.

    Raises SourceError when there is nothing at `path`, nothing in it, or nothing known.
    """
    return _detected(path)[0]


def open_source(path: Path, format: str | None = None) -> Source:
    """The data set at `path`, in the format called `format` or in all that are detected.

    Raises UsageError for an unknown format's name and SourceError when there is nothing to open.
    """
    if format is None or format == MIXED:
        found = _detected(path)
        return found[0].open(path) if len(found) == 1 else MixedSource(path, [known.open(path) for known in found])
    known = format_named(format)
    _check_there(path)
    if path.is_file() and not known.sniff(FolderScan(path)):
        raise SourceError(f"this file is not in the format {format!r}", place=path, hint="Give the data set's folder.")
    return known.open(path)


def open_known(path: Path, format: str) -> Source:
    """The data set at `path`, known to be of that format: nothing is looked at but that it is there."""
    _check_there(path)
    return open_source(path) if format == MIXED else format_named(format).open(path)


def _detected(path: Path) -> tuple[Format, ...]:
    _check_there(path)
    look = FolderScan(path)
    found = _met(look)
    if found:
        return found
    pointers = [listing.folder / name for listing in look.listings() for name in listing.pointers()]
    if pointers:
        raise only_a_pointer(pointers[0])
    for listing in look.listings():
        for name, why in listing.refused().items():
            raise SourceError(why, place=listing.folder / name, hint="Nothing else here is of a known format.")
    if predictions.FORMAT.sniff(look):
        predictions.FORMAT.open(path)
    if path.is_file():
        if is_run_bundle(path):
            hint = "Import it into the store: `stepscope runs import FILE`."
            raise SourceError("this is a run bundle: the results of a model, not data", place=path, hint=hint)
        packed = path.name.lower().endswith(ARCHIVE_SUFFIXES)
        raise SourceError(
            "this is an archive" if packed else "no known format in this file",
            place=path,
            hint="Unpack it, or drop it on the window." if packed else _GIVE_A_FOLDER,
        )
    if not path.is_dir():
        raise SourceError("this is neither a file nor a folder", place=path, hint=_GIVE_A_FOLDER)
    raise SourceError(
        "no known format found in the folder",
        place=path,
        hint="Choose the data set's own folder; the formats' pages say what each is recognised by.",
    )


def _own(name: str) -> Format:
    """One of our own formats: `FORMAT` of its module, or that of the name among its `FORMATS`."""
    module = importlib.import_module(f"stepscope.core.sources.sniffers.{_OWN[name]}")
    several: tuple[Format, ...] = getattr(module, "FORMATS", ())
    return next((known for known in several if known.name == name), None) or module.FORMAT


def _check_there(path: Path) -> None:
    try:
        if not path.exists():
            raise SourceError("there is no such file or folder", place=path)
        if path.is_dir() and next(path.iterdir(), None) is None:
            raise SourceError("the folder is empty", place=path)
    except OSError as error:
        raise SourceError(f"cannot be opened: {error.strerror}", place=path) from error
    except ValueError as error:
        raise SourceError("this cannot be a file's name", place=repr(str(path))) from error
