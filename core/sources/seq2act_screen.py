"""A screen of seq2act's data: objects in flat lists, with their places in fractions of the screen.

Objects are the leaves of a view hierarchy: `ui_obj_type_id_seq` (-1 fills up), `ui_obj_clickable_seq`, `ui_obj_str_seq`
(text or description, else the words of the resource id, in lower case) and two numbers each, left and right in
`ui_obj_cord_x_seq`, top and bottom in `ui_obj_cord_y_seq`. Leaves' places in the whole tree (`ui_obj_dom_location_seq`)
do not tell their parents, which are not recorded.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from stepscope.core.archives.example import Example
from stepscope.core.domain.action import Target
from stepscope.core.domain.elements import TreeOrigin, UITree
from stepscope.core.domain.geometry import Size
from stepscope.core.errors import SourceError
from stepscope.core.frozen import dataclass
from stepscope.core.sources.tfrecord_fields import Fields
from stepscope.core.sources.tree_builder import Placement, TreeBuilder

Note = Callable[[str, str], None]
"""Tells (field, message) of something that could not be read."""

_PADDING = -1
_EDIT_TEXT = 4
_CHECKABLE = (2, 3, 7, 10, 13)
_CLASSES = (
    "",
    "Button",
    "CheckBox",
    "CheckedTextView",
    "EditText",
    "ImageButton",
    "ImageView",
    "RadioButton",
    "SlidingDrawer",
    "Spinner",
    "Switch",
    "TabWidget",
    "TextView",
    "ToggleButton",
    "VideoView",
)
"""Widgets by type id (`UIObjectType`): only classes of android.widget have one, 0 is everything else."""


@dataclass(frozen=True)
class Seq2ActScreen:
    """A screen's tree; `elements` gives the element of each object that has one."""

    tree: UITree
    elements: Mapping[int, int]

    def target(self, number: int) -> Target | None:
        """Object `number` as a target, None when there is none."""
        index = self.elements.get(number)
        if index is None:
            return None
        element = self.tree.elements[index]
        return Target(element.box, element.text)


@dataclass(frozen=True)
class Objects:
    """All screens' objects of an example, in their lists."""

    types: Sequence[int]
    clickable: Sequence[int]
    words: Sequence[str]
    x: Sequence[float]
    y: Sequence[float]

    @classmethod
    def of(cls, example: Example, fields: Fields, size: Size, note: Note) -> Objects:
        return cls(
            fields.ints("ui_obj_type_id_seq"),
            fields.ints("ui_obj_clickable_seq"),
            fields.texts("ui_obj_str_seq"),
            _fractions(example, "ui_obj_cord_x_seq", size.width, note),
            _fractions(example, "ui_obj_cord_y_seq", size.height, note),
        )

    def screen(self, start: int, end: int, size: Size, note: Note) -> Seq2ActScreen:
        """The objects from `start` to `end` as a screen of their own."""
        builder = TreeBuilder(TreeOrigin.VIEW_HIERARCHY, Placement(size, size.width, size.height))
        elements: dict[int, int] = {}
        for number, place in enumerate(range(start, min(end, len(self.types)))):
            kind = self.types[place]
            if kind == _PADDING:
                continue
            name = _CLASSES[kind] if 0 <= kind < len(_CLASSES) else ""
            index = builder.add(
                -1,
                self._edges(place),
                text=self.words[place] if place < len(self.words) else "",
                class_name=f"android.widget.{name}" if name else "",
                clickable=place < len(self.clickable) and self.clickable[place] == 1,
                checkable=kind in _CHECKABLE,
                editable=kind == _EDIT_TEXT,
            )
            if index >= 0:
                elements[number] = index
        reading = builder.finish()
        for text in reading.notes:
            note("view_hierarchy", text)
        if reading.tree is None:
            return Seq2ActScreen(UITree((), TreeOrigin.VIEW_HIERARCHY, size), {})
        return Seq2ActScreen(reading.tree, elements)

    def _edges(self, place: int) -> list[float] | None:
        x, y = self.x[2 * place : 2 * place + 2], self.y[2 * place : 2 * place + 2]
        return [x[0], y[0], x[1], y[1]] if len(x) == len(y) == 2 else None


def _fractions(example: Example, name: str, extent: int, note: Note) -> list[float]:
    """Places as fractions; whole numbers are pixels of the screen."""
    try:
        return example.floats(name)
    except SourceError:
        pass
    try:
        return [pixel / extent for pixel in example.ints(name)]
    except SourceError as error:
        note(name, error.message)
        return []
