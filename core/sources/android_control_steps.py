"""The steps of an AndroidControl episode: each screen with its forest, and the action done on it."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from stepscope.core.domain.action import Action
from stepscope.core.domain.elements import UITree
from stepscope.core.domain.episode import Observation, Picture, Slice, Step
from stepscope.core.domain.geometry import Size
from stepscope.core.errors import SourceError
from stepscope.core.frozen import dataclass
from stepscope.core.imaging.probe import may_be_opened, probe_bytes
from stepscope.core.limits import exceeded, limit
from stepscope.core.sources.accessibility_forest import ForestReading, parse_forest
from stepscope.core.sources.android_control_actions import decode_action
from stepscope.core.sources.findings import Findings
from stepscope.core.sources.screens import common_size
from stepscope.core.sources.tfrecord_fields import Fields

FALLBACK = Size(1080, 2400)
"""A Pixel's screen, for an episode none of whose screens has a size (ours)."""


@dataclass(frozen=True, slots=True)
class AndroidControlScreen:
    """A step and the package of the application that was in front."""

    step: Step
    package: str


def count_steps(fields: Fields) -> int:
    """Number of steps: one for each screenshot or forest, more only when there are as many actions. SourceError for
    more steps than an episode may have."""
    count = max(len(fields.blobs(name)) for name in ("screenshots", "accessibility_trees", "actions"))
    if count > limit("episode-steps"):
        raise exceeded("episode-steps", f"the episode has {count:,} steps")
    return count


def build_steps(fields: Fields, shard: Path, offset: int, gzip: bool, findings: Findings) -> list[AndroidControlScreen]:
    """All steps of the example whose data lies at `offset` of the inflated shard."""
    count = count_steps(fields)
    stated = _stated_sizes(fields, count)
    pictures = _pictures(fields, stated, shard, offset, gzip, findings)
    default = common_size(pictures) or next((size for size in stated if size), FALLBACK)
    forests = fields.blobs("accessibility_trees")
    actions = fields.texts("actions")
    instructions = fields.texts("step_instructions")
    _compare_counts(count, fields, findings, shard)
    screens = []
    for index in range(count):
        picture = pictures[index] if index < len(pictures) else None
        size = picture.size if picture else stated[index] or default
        forest = _forest(forests, index, size, shard, findings)
        tree = forest.tree if forest else None
        action = _action(actions, index, size, tree, shard, findings)
        instruction = instructions[index] if index < len(instructions) else ""
        step = Step(index, Observation(size, picture, tree), action, instruction or None)
        screens.append(AndroidControlScreen(step, forest.package if forest else ""))
    return screens


def _stated_sizes(fields: Fields, count: int) -> list[Size | None]:
    """The sizes that the example names, None where it names none (AndroidInteraction lists no such features)."""
    sizes: list[Size | None] = [None] * count
    widths, heights = fields.ints("screenshot_widths"), fields.ints("screenshot_heights")
    for index, (width, height) in enumerate(zip(widths[:count], heights[:count], strict=False)):
        if width > 0 < height and may_be_opened(width, height):
            sizes[index] = Size(width, height)
    return sizes


def _pictures(
    fields: Fields, stated: Sequence[Size | None], shard: Path, offset: int, gzip: bool, findings: Findings
) -> list[Picture | None]:
    pictures: list[Picture | None] = []
    spans = fields.spans("screenshots")
    for index, (data, (start, length)) in enumerate(zip(fields.blobs("screenshots"), spans, strict=True)):
        try:
            size = probe_bytes(bytes(data), shard).size
        except SourceError as error:
            findings.add_error(error, step=index, field="screenshot", file=shard)
            pictures.append(None)
            continue
        said = stated[index]
        if said is not None and said != size:
            findings.add(f"the picture is {size}, the record says {said}", step=index, field="screenshot", file=shard)
        pictures.append(Picture(shard, size, Slice(offset + start, length, gzip)))
    return pictures


def _compare_counts(count: int, fields: Fields, findings: Findings, shard: Path) -> None:
    """Report counts that do not fit: there should be as many forests as screens, and one action and one instruction
    less."""
    wanted = {"screenshots": count, "accessibility_trees": count, "actions": count - 1}
    for name, number in wanted.items():
        there = len(fields.blobs(name))
        if there != number:
            findings.add(f"{there} {name} where {number} are due", field=name, file=shard)


def _forest(
    forests: Sequence[memoryview], index: int, size: Size, shard: Path, findings: Findings
) -> ForestReading | None:
    if index >= len(forests):
        return None
    try:
        reading = parse_forest(bytes(forests[index]), size)
    except SourceError as error:
        findings.add_error(error, step=index, field="view_hierarchy", file=shard)
        return None
    findings.tree(reading.tree, reading.notes, step=index, file=shard)
    return reading


def _action(
    actions: Sequence[str], index: int, size: Size, tree: UITree | None, shard: Path, findings: Findings
) -> Action | None:
    if index >= len(actions):
        return None
    try:
        return decode_action(actions[index], size, tree)
    except ValueError as error:
        findings.add(str(error), step=index, field="action", file=shard)
        return None
