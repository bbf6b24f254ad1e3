"""UIBert's referring expressions on RICO screens (RefExp): TFRecord shards, one expression for each example.

The expression points at one of the screen's candidate boxes. Boxes are in fractions of the screen, their edges in lists
of their own; leaves of the view hierarchy lie beside the candidates. There are no pictures: RICO's, called by the
screen's id, are used when they lie near. Checked against the real dev set. Facts: Bai et al., "UIBert", IJCAI 2021,
arXiv:2107.13731; github.com/google-research-datasets/uibert (README).
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import zip_longest
from pathlib import Path

from stepscope.core.archives.example import Example
from stepscope.core.domain.action import Tap, Target
from stepscope.core.domain.elements import TreeOrigin, UITree
from stepscope.core.domain.episode import Episode, EpisodeSummary, Observation, Picture, Platform, Problem, Step
from stepscope.core.domain.geometry import Box, Size
from stepscope.core.frozen import dataclass
from stepscope.core.sources.example_items import ExamplePlace, example_at, read_examples
from stepscope.core.sources.findings import Findings
from stepscope.core.sources.screens import find_picture
from stepscope.core.sources.shards import ShardSource
from stepscope.core.sources.sniffers.uibert import FORMAT, locate
from stepscope.core.sources.tfrecord_fields import Fields
from stepscope.core.sources.tree_builder import Placement, TreeBuilder

_CANDIDATES = "image/object/bbox"
_LEAVES = "image/view_hierarchy"
_EDGES = ("xmin", "ymin", "xmax", "ymax")

_SCREEN = Size(1080, 1920)
"""RICO's screenshots. In whole pixels of this size all targets of the dev set are given (the hierarchy's boxes are in
whole pixels of 1440 × 2560, which has the same proportions)."""

_SPLITS = ("train", "dev", "test")
_SAME = 0.9
"""A leaf that shares so much of its area with the target is the target (ours; 475 of the dev set's 509 have one)."""

_CLICKABLE = ("TEXT_BUTTON", "IMAGE_BUTTON", "CHECK_BOX", "RADIO_BUTTON", "SWITCH")
_CHECKABLE = ("CHECK_BOX", "RADIO_BUTTON", "SWITCH")
_TEXT_INPUT = "TEXT_INPUT"

Edges = list[float | None]


@dataclass(frozen=True, slots=True)
class _UibertExample:
    """An example in short; `edges` are the target's, None when the label names no candidate."""

    id: str
    goal: str
    edges: Edges | None


def _read_item(fields: Fields, place: ExamplePlace, shard: Path, findings: Findings) -> _UibertExample:
    goal = fields.text("image/ref_exp/text")
    if not goal:
        findings.add("there is no expression", field="goal", file=shard)
    label = fields.number("image/ref_exp/label")
    candidates = _edges(fields, _CANDIDATES)
    if label is None or not 0 <= label < len(candidates):
        findings.add(
            f"the label {label} names none of {len(candidates)} candidates", step=0, field="target", file=shard
        )
    known = label is not None and 0 <= label < len(candidates)
    return _UibertExample(_id(fields, place, shard), goal, candidates[label] if label is not None and known else None)


def _id(fields: Fields, place: ExamplePlace, shard: Path) -> str:
    return fields.text("image/id") or f"{shard.stem}:{place.number}"


def _edges(fields: Fields, prefix: str) -> list[Edges]:
    """Left, top, right and bottom of each box; None where one of the lists is too short."""
    return [list(edges) for edges in zip_longest(*(fields.floats(f"{prefix}/{edge}") for edge in _EDGES))]


def _fields(example: Example, findings: Findings, shard: Path) -> Fields:
    return Fields(example, lambda field, message: findings.add(message, field=field, file=shard))


def outline(shard: Path) -> Iterator[EpisodeSummary | Problem]:
    """Index rows of a shard, without trees and pictures' sizes."""
    for found in read_examples(shard):
        if isinstance(found, Problem):
            yield found
            continue
        place, example = found
        findings = Findings("", shard.parent)
        item = _read_item(_fields(example, findings, shard), place, shard, findings)
        yield EpisodeSummary(
            id=item.id,
            goal=item.goal,
            app=None,
            platform=Platform.ANDROID,
            steps=1,
            screens=int(rico_picture(shard.parent, item.id) is not None),
            actions=((Tap.kind, 1),) if item.edges else (),
            splits=_splits(shard),
            problems=findings.as_tuple(),
            place=place.text(),
            checked=False,
        )


def load(shard: Path, place: str, episode_id: str) -> Episode:
    """One expression as an episode of one step: a tap on the candidate that is meant."""
    where, example = example_at(shard, place)
    findings = Findings(episode_id, shard.parent)
    fields = _fields(example, findings, shard)
    item = _read_item(fields, where, shard, findings)
    picture = _picture(shard, item.id, findings)
    size = picture.size if picture else _SCREEN
    tree = _tree(fields, size, findings, shard)
    box = _box(item.edges, size, findings, shard)
    action = Tap(box.centre, _target(box, tree)) if box else None
    step = Step(0, Observation(size, picture, tree), action, item.goal or None)
    return Episode(
        id=episode_id,
        format="uibert_refexp",
        platform=Platform.ANDROID,
        goal=item.goal,
        steps=(step,),
        splits=_splits(shard),
        problems=findings.as_tuple(),
    )


def _picture(shard: Path, screen: str, findings: Findings) -> Picture | None:
    path = rico_picture(shard.parent, screen)
    return find_picture(path.parent, path.name, 0, findings) if path else None


def _splits(shard: Path) -> tuple[str, ...]:
    """The split that the shard is called by: `dev.tfrecord`, `train-00000-of-00010`."""
    name = shard.name.split(".")[0].split("-")[0]
    return (name,) if name in _SPLITS else ()


def _box(edges: Edges | None, size: Size, findings: Findings, shard: Path) -> Box | None:
    if edges is None:
        return None
    left, top, right, bottom = edges
    if left is None or top is None or right is None or bottom is None:
        findings.add("the target's box lacks an edge", step=0, field="target", file=shard)
        return None
    try:
        return Placement(size, size.width, size.height).box(left, top, right, bottom)
    except ValueError as error:
        findings.add(f"the target's box: {error}", step=0, field="target", file=shard)
        return None


def _tree(fields: Fields, size: Size, findings: Findings, shard: Path) -> UITree | None:
    """The hierarchy's leaves, and behind them, not visible, the candidates in a group of their own."""
    builder = TreeBuilder(TreeOrigin.VIEW_HIERARCHY, Placement(size, size.width, size.height))
    words = [fields.texts(f"{_LEAVES}/{name}") for name in ("class/name", "text", "description", "id/name")]
    for place, edges in enumerate(_edges(fields, f"{_LEAVES}/bbox")):
        class_name, text, description, identity = (texts[place] if place < len(texts) else "" for texts in words)
        builder.add(
            -1,
            edges,
            text=text.strip(),
            content_description=description.strip(),
            resource_id=identity,
            class_name=class_name,
            clickable=class_name in _CLICKABLE,
            checkable=class_name in _CHECKABLE,
            editable=class_name == _TEXT_INPUT,
        )
    group = builder.add(-1, (0, 0, 1, 1), content_description="candidates", visible=False)
    for place, edges in enumerate(_edges(fields, _CANDIDATES)):
        builder.add(group, edges, content_description=f"candidate {place}", visible=False)
    reading = builder.finish()
    return findings.tree(reading.tree, reading.notes, step=0, file=shard)


def _target(box: Box, tree: UITree | None) -> Target:
    """The target with the words and the id of the leaf that it is, if it is one; one that has words is preferred."""
    same = [leaf for leaf in tree or () if leaf.visible and leaf.box.intersection_over_union(box) >= _SAME]
    leaf = next((leaf for leaf in same if leaf.text or leaf.content_description), same[0] if same else None)
    return Target(box, leaf.text or leaf.content_description, leaf.resource_id or None) if leaf else Target(box)


def open_uibert_refexp(path: Path) -> ShardSource:
    """A folder with shards or one shard; ids are RICO's screen ids as text."""
    return ShardSource(FORMAT.name, path, locate=locate, outline=outline, load=load)


_ID = re.compile(r"\d{1,9}")
_FOLDER = "combined"
_LEVELS_ABOVE = 2


def rico_picture(folder: Path, screen: str) -> Path | None:
    """The screen's picture in `folder` or the two above it, or in a `combined` beside; None where there is none."""
    if not _ID.fullmatch(screen):
        return None
    for place in (folder, *list(folder.absolute().parents)[:_LEVELS_ABOVE]):
        for path in (place / f"{screen}.jpg", place / _FOLDER / f"{screen}.jpg"):
            if path.is_file():
                return path
    return None
