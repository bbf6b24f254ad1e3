"""RecipeQA as procedures: `texts/<split>.json` of questions, of which several share a recipe.

{"version", "data": [{recipe_id, context: [{id, title, body, images, …}], multiref_gt?, …}]}; a step's pictures are
`images/images-qa/<split>/images-qa/<recipe_id>_<step>[_<image>].jpg`. What comes out is what the multimodal sequencing
paper's evaluation takes: each recipe once, as its first question tells it; of five or more usable steps the first five.
Checked on a fixture. Facts: Yagcioglu et al., "RecipeQA", EMNLP 2018; Wu et al., ACL 2022 (section 3), and its
release's data processor.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import replace
from functools import lru_cache
from pathlib import Path
from typing import Any

from stepscope.core.domain.episode import EpisodeSummary, Problem
from stepscope.core.domain.procedure import Procedure, ProcedureStep
from stepscope.core.errors import SourceError
from stepscope.core.frozen import dataclass
from stepscope.core.regular_files import open_regular
from stepscope.core.sources.files import mapping_of, text_of
from stepscope.core.sources.findings import Findings
from stepscope.core.sources.folders import unique_id
from stepscope.core.sources.json_records import ByteSpan, find_items, read_record, record_problem, span_at
from stepscope.core.sources.look import list_folder
from stepscope.core.sources.orders import orders_of
from stepscope.core.sources.procedures import row_of
from stepscope.core.sources.record_source import ProcedureRecords, procedure_records
from stepscope.core.sources.screens import find_picture
from stepscope.core.sources.sniffers.recipeqa import BOM, FORMAT, LIST, locate

STEPS = 5
"""Shorter recipes are left out and longer ones cut (Wu et al., section 5)."""

_HEAD_BYTES = 65_536
_PICTURES = "images-qa"
_PICTURE = re.compile(r"(.+?)_(\d{1,6})(?:_(\d{1,6}))?\.jpg")
_FILE = re.compile(r"(train|val|test)(?:-(.+))?\.json")

_Index = Mapping[str, Mapping[int, tuple[str, ...]]]


@dataclass(frozen=True, slots=True)
class _RecipePictures:
    """The pictures of recipes by step, as names below `folder`, each step's in order."""

    folder: Path
    by_recipe: _Index


@dataclass(frozen=True, slots=True)
class _RecipeStep:
    """A step of a recipe, as the data counts them, with the names of its pictures."""

    id: str
    title: str
    text: str
    pictures: tuple[str, ...]


def outline(file: Path) -> Iterator[EpisodeSummary | Problem]:
    """Every recipe of five or more usable steps; broken records, and how many are left out, as problems."""
    pictures = _pictures(file)
    if pictures is None:
        yield Problem(f"there is no folder {_PICTURES} of pictures: steps without one are not left out")
    used: set[str] = set()
    short = 0
    for span in find_items(file, _list_start(file)):
        if isinstance(span, Problem):
            yield span
            continue
        try:
            record = read_record(file, span)
            recipe = _recipe_id(record, file)
            if recipe in used:
                continue
            used.add(recipe)
            row = _row(record, pictures, span, file)
        except SourceError as error:
            yield record_problem(error, span, file)
            continue
        if row is None:
            short += 1
        else:
            yield row
    if short:
        usable = "steps" if pictures is None else "steps with a picture"
        yield Problem(f"recipes with fewer than {STEPS} {usable} are left out: {short}")


def _row(
    record: Mapping[str, Any], pictures: _RecipePictures | None, span: ByteSpan, file: Path
) -> EpisodeSummary | None:
    """The recipe's row, None when it is too short; its pictures are there but have not been looked into."""
    recipe = _recipe_id(record, file)
    findings = Findings(recipe, file.parent)
    steps = _steps(record, recipe, pictures, findings)
    if len(steps) < STEPS:
        return None
    kept = tuple(ProcedureStep(step.id, step.text) for step in steps)
    screens = sum(bool(step.pictures) for step in steps)
    procedure = _procedure(record, recipe, kept, file, findings)
    return replace(row_of(procedure, span.place, checked=not screens), screens=screens)


def load(file: Path, place: str, procedure_id: str) -> Procedure:
    """The recipe of the record at `place` (offset and length)."""
    record = read_record(file, span_at(place))
    pictures = _pictures(file)
    findings = Findings(procedure_id, pictures.folder if pictures else file.parent)
    steps = _steps(record, _recipe_id(record, file), pictures, findings)
    if len(steps) < STEPS:
        raise SourceError(f"the recipe has fewer than {STEPS} usable steps", place=file, record=procedure_id)
    kept = []
    for index, step in enumerate(steps):
        found = [find_picture(pictures.folder, name, index, findings) for name in step.pictures] if pictures else []
        kept.append(ProcedureStep(step.id, step.text, tuple(picture for picture in found if picture), step.title))
    return _procedure(record, procedure_id, tuple(kept), file, findings)


def _procedure(
    record: Mapping[str, Any], procedure_id: str, steps: tuple[ProcedureStep, ...], file: Path, findings: Findings
) -> Procedure:
    match = _FILE.fullmatch(file.name)
    return Procedure(
        id=procedure_id,
        format=FORMAT.name,
        goal=goal_of(text_of(record.get("recipe_id"))),
        steps=steps,
        orders=orders_of(record.get("multiref_gt"), [step.id for step in steps], findings),
        splits=(f"{match[2]}/{match[1]}" if match[2] else match[1],) if match else (),
        problems=findings.as_tuple(),
    )


def goal_of(recipe: str) -> str:
    """The recipe's name, which only its id tells: "apple-pie_2" is "Apple pie 2"."""
    words = " ".join(re.split(r"[-_\s]+", recipe)).strip()
    return words[:1].upper() + words[1:]


def _recipe_id(record: Mapping[str, Any], file: Path) -> str:
    recipe = text_of(record.get("recipe_id"))
    if not recipe:
        raise SourceError("the record names no recipe", place=file, field="recipe_id")
    return recipe


def _steps(
    record: Mapping[str, Any], recipe: str, pictures: _RecipePictures | None, findings: Findings
) -> list[_RecipeStep]:
    """The recipe's first five usable steps in order, fewer when it has fewer.

    Where there are pictures at all, a step is usable when it has one.
    """
    context = record.get("context")
    if not isinstance(context, list):
        raise SourceError("the record has no list of steps", field="context")
    named = _named(recipe, pictures.by_recipe) if pictures else {}
    steps: list[_RecipeStep] = []
    used: dict[str, int] = {}
    for place, form in enumerate(context, start=1):
        step = mapping_of(form)
        number = _number(step.get("id"))
        if number is None:
            findings.add(f"step {place} is left out: its id is no number", field="context.id")
            continue
        own = named.get(number, ())
        if own or pictures is None:
            steps.append(
                _RecipeStep(unique_id(str(number), used), text_of(step.get("title")), text_of(step.get("body")), own)
            )
        if len(steps) == STEPS:
            break
    return steps


def _named(recipe: str, index: _Index) -> Mapping[int, tuple[str, ...]]:
    """The recipe's pictures by step. Where one is called `pie_2` and its pictures carry no number of their own, their
    names (`pie_2_0.jpg`) read like step 2 of `pie`."""
    own = index.get(recipe)
    before, _, last = recipe.rpartition("_")
    if own is not None or not (last.isascii() and last.isdigit() and len(last) < 7):
        return own or {}
    found: dict[int, tuple[str, ...]] = {}
    for name in index.get(before, {}).get(int(last), ()):
        match = _PICTURE.fullmatch(name.rpartition("/")[2])
        if match and match[3]:
            found[int(match[3])] = (*found.get(int(match[3]), ()), name)
    return found


def _number(value: object) -> int | None:
    if type(value) is int:
        return value if 0 <= value < 1_000_000 else None
    text = text_of(value).strip()
    return int(text) if text.isascii() and text.isdigit() and len(text) < 7 else None


def _list_start(file: Path) -> int:
    """Where the list of records begins, in bytes."""
    try:
        with open_regular(file) as stream:
            head = stream.read(_HEAD_BYTES)
    except OSError as error:
        raise SourceError(f"cannot be read: {error.strerror}", place=file) from error
    match = LIST.match(head, len(BOM) if head.startswith(BOM) else 0)
    if match is None:
        raise SourceError('there is no list of records under "data"', place=file, field="data")
    return match.end()


def _pictures(file: Path) -> _RecipePictures | None:
    """The pictures beside the texts or one level above, in `images/images-qa` or `images-qa`; None without either."""
    for base in (file.absolute().parent, file.absolute().parent.parent):
        for folder in (base / "images" / _PICTURES, base / _PICTURES):
            if folder.is_dir():
                inner = [part for part in sorted(folder.glob(f"*/{_PICTURES}")) if part.is_dir()]
                return _RecipePictures(folder, _index(folder, tuple((part, _changed(part)) for part in inner)))
    return None


def _changed(folder: Path) -> int:
    try:
        return folder.stat().st_mtime_ns
    except OSError as error:
        raise SourceError(f"the folder cannot be listed: {error.strerror}", place=folder) from error


@lru_cache(maxsize=2)
def _index(folder: Path, splits: tuple[tuple[Path, int], ...]) -> _Index:
    """All pictures in the folders of `splits`; the numbers at the end of a name are its step and its place there."""
    found: dict[str, dict[int, list[tuple[int, str]]]] = {}
    for inner, _ in splits:
        below = inner.relative_to(folder).as_posix()
        for name in list_folder(inner).files:
            if match := _PICTURE.fullmatch(name):
                steps = found.setdefault(match[1], {})
                steps.setdefault(int(match[2]), []).append((int(match[3] or -1), f"{below}/{name}"))
    return {
        recipe: {step: tuple(name for _, name in sorted(names)) for step, names in steps.items()}
        for recipe, steps in found.items()
    }


def open_recipeqa(path: Path) -> ProcedureRecords:
    """The data set's folder, or one file of questions; ids are the recipes' own."""
    return procedure_records(FORMAT.name, path, locate=locate, outline=outline, load=load)
