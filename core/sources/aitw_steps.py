"""Examples of Android in the Wild as steps: the record of one, then the step on its screen."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from pathlib import Path

from stepscope.core.archives.example import Example
from stepscope.core.domain.action import Action
from stepscope.core.domain.elements import TreeOrigin, UITree
from stepscope.core.domain.episode import Encoding, Observation, Picture, Slice, Step
from stepscope.core.domain.geometry import Size
from stepscope.core.frozen import dataclass
from stepscope.core.imaging.probe import may_be_opened
from stepscope.core.sources.aitw_actions import Place, action_without_place, edges, gesture, is_gesture, place_of
from stepscope.core.sources.findings import Findings
from stepscope.core.sources.tfrecord_fields import Fields
from stepscope.core.sources.tree_builder import Placement, TreeBuilder

_FALLBACK = Size(1080, 2400)
"""A Pixel's screen, for an episode none of whose steps says how large its screen is (ours)."""

_CHANNELS = 3


@dataclass(frozen=True, slots=True)
class StepRecord:
    """An example as it says, nothing of it judged yet; `offset` and `length` are its place in the inflated shard."""

    offset: int
    length: int
    episode_id: str
    step_id: int | None
    episode_length: int | None
    goal: str
    activity: str
    kind: int | None
    typed: str
    touch: Sequence[float]
    lift: Sequence[float]
    size: Size | None
    picture: Slice | None
    positions: Sequence[float]
    texts: Sequence[str]
    types: Sequence[str]
    notes: tuple[tuple[str, str], ...]
    """Pairs of a field's name and what is wrong with it."""


def read_step(example: Example, offset: int, length: int, gzip: bool) -> StepRecord:
    """The example of the record whose data lies at `offset`; features of the wrong kind are noted and left out."""
    notes: list[tuple[str, str]] = []
    fields = Fields(example, lambda field, message: notes.append((field, message)))
    size = _size(fields)
    picture = None
    try:
        picture = _pixels(fields, size, offset, gzip)
    except ValueError as error:
        notes.append(("screenshot", str(error)))
    return StepRecord(
        offset=offset,
        length=length,
        episode_id=fields.text("episode_id"),
        step_id=fields.number("step_id"),
        episode_length=fields.number("episode_length"),
        goal=fields.text("goal_info"),
        activity=fields.text("current_activity"),
        kind=fields.number("results/action_type"),
        typed=fields.text("results/type_action"),
        touch=fields.floats("results/yx_touch"),
        lift=fields.floats("results/yx_lift"),
        size=size,
        picture=picture,
        positions=fields.floats("image/ui_annotations_positions"),
        texts=fields.texts("image/ui_annotations_text"),
        types=fields.texts("image/ui_annotations_ui_types"),
        notes=tuple(notes),
    )


def _size(fields: Fields) -> Size | None:
    width, height = fields.number("image/width"), fields.number("image/height")
    if width is None or height is None or not (width > 0 < height and may_be_opened(width, height)):
        return None
    return Size(width, height)


def _pixels(fields: Fields, size: Size | None, offset: int, gzip: bool) -> Slice:
    """Where the raw pixels lie; ValueError when they are missing or not as many as the size says."""
    spans = fields.spans("image/encoded")
    if not spans:
        raise ValueError("there are no pixels")
    if size is None:
        raise ValueError("image/width and image/height name no size of a screen")
    channels = fields.number("image/channels")
    if channels not in (None, _CHANNELS):
        raise ValueError(f"a picture of {channels} channels is not shown, only red, green, blue")
    start, length = spans[0]
    if length != size.width * size.height * _CHANNELS:
        raise ValueError(f"{length:,} bytes are not the pixels of {size}")
    return Slice(offset + start, length, gzip, Encoding.RGB)


def common_screen(records: Iterable[StepRecord]) -> Size:
    """The first size that a step names: the frame of steps that name none."""
    return next((record.size for record in records if record.size is not None), _FALLBACK)


def build_step(index: int, record: StepRecord, default: Size, shard: Path, findings: Findings) -> Step:
    """The step in pixels of its screen."""
    for field, message in record.notes:
        findings.add(message, step=index, field=field, file=shard)
    size = record.size or default
    screenshot = Picture(shard, size, record.picture) if record.picture else None
    tree = _tree(record, index, size, shard, findings)
    action = None
    try:
        action = _action(record, size, tree)
    except ValueError as error:
        findings.add(str(error), step=index, field="action", file=shard)
    return Step(index, Observation(size, screenshot, tree, activity=record.activity), action)


def _tree(record: StepRecord, index: int, size: Size, shard: Path, findings: Findings) -> UITree | None:
    """The detector's boxes as a flat tree."""
    counts = len(record.positions) / 4, len(record.texts), len(record.types)
    if len(set(counts)) > 1:
        told = ", ".join(f"{count:g}" for count in counts)
        findings.add(
            f"boxes, texts and types of the elements differ in number ({told}): the smallest counts",
            step=index,
            field="view_hierarchy",
            file=shard,
        )
    builder = TreeBuilder(TreeOrigin.DETECTOR, Placement.stretched(1, 1, size))
    for place, (text, kind) in enumerate(zip(record.texts, record.types, strict=False)):
        box = record.positions[4 * place : 4 * place + 4]
        if len(box) < 4:
            break
        builder.add_values(-1, edges(*box), (text, "", "", kind))
    reading = builder.finish()
    return findings.tree(reading.tree, reading.notes, step=index, file=shard)


def _action(record: StepRecord, size: Size, tree: UITree | None) -> Action:
    if record.kind is None:
        raise ValueError("there is no results/action_type")
    if not is_gesture(record.kind):
        return action_without_place(record.kind, record.typed)
    return gesture(_place(record.touch, "results/yx_touch"), _place(record.lift, "results/yx_lift"), size, tree)


def _place(values: Sequence[float], field: str) -> Place:
    if len(values) != 2:
        raise ValueError(f"{field} must have 2 numbers, not {len(values)}")
    return place_of(values[0], values[1], field)
