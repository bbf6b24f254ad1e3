"""META-GUI: dialogues of a person and an agent that works on the phone between their words.

`<split>/dialog_<n>/` holds `dialog.json`, `category.txt` and `turn_<k>/` with `actions.json` and `<i>.png`, `<i>.xml`
per screen; all turns make one episode. Places and trees are in pixels of the screenshot. Facts: Sun et al., "META-GUI",
EMNLP 2022 (arXiv:2205.11029); github.com/X-LANCE/META-GUI-baseline (README, `src/processors.py`). Checked on a fixture
only.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from pathlib import Path

from stepscope.core.domain.action import Action, AskUser
from stepscope.core.domain.elements import UITree
from stepscope.core.domain.episode import Ask, Episode, EpisodeSummary, Observation, Picture, Platform, Step, summarise
from stepscope.core.domain.geometry import Size
from stepscope.core.errors import SourceError
from stepscope.core.sources.files import json_words, read_bytes, read_json, read_text, safe_join, text_of
from stepscope.core.sources.findings import Findings
from stepscope.core.sources.folders import FolderSource
from stepscope.core.sources.look import list_folder
from stepscope.core.sources.meta_gui_dialog import (
    DialogStep,
    DialogTurn,
    agent_message,
    line_action,
    moments_of,
    turns_of,
)
from stepscope.core.sources.screens import common_size, find_picture
from stepscope.core.sources.sniffers.meta_gui import CATEGORY, DIALOG, FORMAT, locate, turn_numbers
from stepscope.core.sources.tree_builder import Placement
from stepscope.core.sources.ui_dumps import parse_uiautomator

_SPLITS = ("train", "dev", "test")
_FALLBACK = Size(1440, 2560)
"""The recorders' phone, used where no screen of the dialogue has a picture."""


def read_episode(folder: Path, episode_id: str) -> Episode:
    """One dialogue; SourceError when its words cannot be read."""
    turns, findings = _turns(folder), Findings(episode_id, folder)
    moments = _moments(folder, turns, findings)
    pictures = [_picture(folder, moment, index, findings) for index, moment in enumerate(moments)]
    default = common_size(pictures) or _FALLBACK
    steps = []
    for index, (moment, picture) in enumerate(zip(moments, pictures, strict=True)):
        size = picture.size if picture else default
        tree = _tree(folder, moment, index, size, findings)
        steps.append(_step(index, moment, Observation(size, picture, tree), findings))
    return _episode(folder, episode_id, turns, moments, steps, findings)


def outline(folder: Path, episode_id: str) -> EpisodeSummary:
    """The index row from the words and the action files; screens are counted by their files' names."""
    turns, findings = _turns(folder), Findings(episode_id, folder)
    moments = _moments(folder, turns, findings)
    steps = [_step(index, moment, Observation(_FALLBACK), findings) for index, moment in enumerate(moments)]
    row = summarise(_episode(folder, episode_id, turns, moments, steps, findings))
    return replace(row, screens=sum(moment.has_picture for moment in moments))


def _episode(
    folder: Path,
    episode_id: str,
    turns: tuple[DialogTurn, ...],
    moments: list[DialogStep],
    steps: list[Step],
    findings: Findings,
) -> Episode:
    return Episode(
        id=episode_id,
        format="meta_gui",
        platform=Platform.ANDROID,
        goal=turns[0].user,
        steps=tuple(steps),
        app=_app(steps),
        asks=_asks(turns, moments, steps),
        splits=_splits(folder, findings),
        problems=findings.as_tuple(),
    )


def _turns(folder: Path) -> tuple[DialogTurn, ...]:
    path = safe_join(folder, DIALOG)
    try:
        return turns_of(read_json(path))
    except ValueError as error:
        raise SourceError(str(error), place=path, field="dialog") from error


def _moments(folder: Path, turns: tuple[DialogTurn, ...], findings: Findings) -> list[DialogStep]:
    """All turns' screens and replies in order."""
    folders = turn_numbers(list_folder(folder).folders)
    moments: list[DialogStep] = []
    for number in range(max(len(turns), 1 + max(folders, default=-1))):
        if number >= len(turns) and number in folders:
            findings.add(f"turn_{number} has no words in the dialogue", field="dialog", file=DIALOG)
        if number < len(turns) and number not in folders:
            findings.add("the turn's folder is not there", field="turn", file=f"turn_{number}")
        turn = turns[number] if number < len(turns) else DialogTurn("", "")
        names, lines = _turn_files(folder / f"turn_{number}", findings) if number in folders else (frozenset(), {})
        moments += moments_of(number, turn, names, lines)
    return moments


def _turn_files(folder: Path, findings: Findings) -> tuple[frozenset[str], dict[str, object]]:
    """The names in a turn's folder and its `actions.json`, which is {screen's number: line or null}."""
    try:
        names = list_folder(folder).files
    except SourceError as error:
        findings.add_error(error, field="turn")
        return frozenset(), {}
    path = folder / "actions.json"
    try:
        safe_join(folder, path.name)
        form = read_json(path)
        if not isinstance(form, dict):
            raise SourceError(f"the actions must be an object, not {json_words(form)}", place=path)
    except SourceError as error:
        findings.add_error(error, field="action")
        return names, {}
    return names, form


def _picture(folder: Path, moment: DialogStep, index: int, findings: Findings) -> Picture | None:
    return find_picture(folder, f"{moment.file}.png", index, findings) if moment.file else None


def _tree(folder: Path, moment: DialogStep, index: int, size: Size, findings: Findings) -> UITree | None:
    if not moment.file:
        return None
    name = f"{moment.file}.xml"
    try:
        reading = parse_uiautomator(read_bytes(safe_join(folder, name)), Placement(size))
    except SourceError as error:
        findings.add_error(error, step=index, field="view_hierarchy", file=name)
        return None
    return findings.tree(reading.tree, reading.notes, step=index, file=name)


def _step(index: int, moment: DialogStep, seen: Observation, findings: Findings) -> Step:
    return Step(index, seen, _action(index, moment, seen, findings), moment.said or None)


def _action(index: int, moment: DialogStep, seen: Observation, findings: Findings) -> Action | None:
    if moment.reply:
        return agent_message(moment.reply)
    try:
        return line_action(moment.line, seen.size, seen.tree)
    except ValueError as error:
        findings.add(str(error), step=index, field="action", file=f"turn_{moment.turn}/actions.json")
        return None


def _asks(turns: tuple[DialogTurn, ...], moments: list[DialogStep], steps: list[Step]) -> tuple[Ask, ...]:
    """The agent's questions, each with what the person said next ("": nothing more)."""
    found = []
    for moment, step in zip(moments, steps, strict=True):
        if isinstance(step.action, AskUser):
            answer = turns[moment.turn + 1].user if moment.turn + 1 < len(turns) else ""
            found.append(Ask(step.index, step.action.text, answer))
    return tuple(found)


def _app(steps: list[Step]) -> str | None:
    """The package that most screens belong to, launcher and system UI left out."""
    seen = Counter(package for step in steps if (package := _package(step.observation.tree)))
    return seen.most_common(1)[0][0] if seen else None


def _package(tree: UITree | None) -> str:
    names = Counter(element.package for element in tree or () if _is_app(element.package))
    return names.most_common(1)[0][0] if names else ""


def _is_app(package: str) -> bool:
    return bool(package) and "launcher" not in package.lower() and package != "com.android.systemui"


def _splits(folder: Path, findings: Findings) -> tuple[str, ...]:
    """The folder that the dialogue lies in (`train`, `dev`), then `category/…`."""
    above = folder.absolute().parent.name
    named = (above,) if above in _SPLITS else ()
    try:
        category = text_of(read_text(safe_join(folder, CATEGORY)).strip())
    except SourceError as error:
        findings.add_error(error, field="category")
        return named
    return (*named, f"category/{category}") if category else named


def identify(folder: Path) -> str:
    """The id of the episode in this folder: the folder's name, such as `dialog_12`."""
    return folder.absolute().name


def open_meta_gui(path: Path) -> FolderSource:
    """The data set's root, one split or one dialogue; ids are the folders' names."""
    return FolderSource(FORMAT.name, path, locate=locate, identify=identify, load=read_episode, outline=outline)
