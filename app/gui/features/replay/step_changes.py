"""What is other on a step than on the one before it, worked out away from the GUI thread."""

from __future__ import annotations

from stepscope.core.domain.elements import UITree
from stepscope.core.domain.geometry import Box, Size
from stepscope.core.domain.mark import ChangeMark, ChangeSign
from stepscope.core.domain.tree_diff import ChangeKind, ElementChange, TreeDiff, tree_diff
from stepscope.core.frozen import dataclass
from stepscope.core.imaging.changes import change_marks
from stepscope.core.imaging.diff import changed_regions
from stepscope.core.imaging.parts import Pixels
from stepscope.widgets.format import counted
from stepscope.widgets.hierarchy.changes_list import ChangeRow
from stepscope.widgets.hierarchy.ui_tree_item_model import element_words


@dataclass(frozen=True, slots=True)
class ChangedElement:
    """A row of the list: the element of the step's own tree, None where there is none, and its box or that of what
    vanished, in pixels of the step."""

    row: ChangeRow
    element: int | None
    box: Box


@dataclass(frozen=True, slots=True)
class StepChanges:
    """`words` tells them in a line, `marks` are for the screen."""

    words: str
    places: tuple[ChangedElement, ...] = ()
    marks: tuple[ChangeMark, ...] = ()


FIRST = StepChanges("This is the first step: there is none before it.")


def step_changes(
    number: int, trees: tuple[UITree | None, UITree | None], pictures: tuple[Pixels | None, Pixels | None], size: Size
) -> StepChanges:
    """Differences of a step of this size from step `number` before it, each side None where the data has none."""
    before, after = trees
    regions = _regions(*pictures)
    diff = tree_diff(before, after) if before is not None and after is not None else None
    places = [_element_place(change, trees, size) for change in diff.changes] if diff is not None else []
    for box in regions or ():
        places.append(ChangedElement(ChangeRow(ChangeSign.REGION, _extent(box)), None, box.rescaled(size)))
    marks = change_marks(diff, trees, regions or (), size)
    return StepChanges(f"Since step {number}: {_told(diff, regions)}.", tuple(places), marks)


def _regions(before: Pixels | None, after: Pixels | None) -> tuple[Box, ...] | None:
    return changed_regions(before, after) if before is not None and after is not None else None


def _told(diff: TreeDiff | None, regions: tuple[Box, ...] | None) -> str:
    parts = []
    if diff is not None:
        counts = [f"{diff.count(kind)} {kind.value}" for kind in ChangeKind if diff.count(kind)]
        if diff.is_another_screen:
            parts.append("another screen")
        parts += [*counts, *([f"{diff.moved} moved"] if diff.moved else [])] or ["the same elements"]
    else:
        parts.append("no UI trees to compare")
    if regions is not None:
        parts.append(f"{counted(len(regions), 'area')} of the picture" if regions else "the same picture")
    return ", ".join(parts)


def _element_place(change: ElementChange, trees: tuple[UITree | None, UITree | None], size: Size) -> ChangedElement:
    tree, index = (trees[1], change.after) if change.after is not None else (trees[0], change.before)
    assert tree is not None and index is not None  # a change is between two trees
    row = ChangeRow(ChangeSign(change.kind), element_words(tree.elements[index]), ", ".join(change.what))
    return ChangedElement(row, change.after, tree.elements[index].box.rescaled(size))


def _extent(box: Box) -> str:
    return f"{box.width:.0f} × {box.height:.0f} at {box.left:.0f}, {box.top:.0f}"
