"""The page of keys: every command with its keys, a row of which takes another key; clashes are told in place."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from PySide6.QtCore import QModelIndex, QPersistentModelIndex, QRectF, QSize, Qt, Signal
from PySide6.QtGui import QColor, QFont, QKeyEvent, QKeySequence, QPainter, QPen, QResizeEvent
from PySide6.QtWidgets import (
    QAbstractItemView,
    QFrame,
    QHBoxLayout,
    QHeaderView,
    QLabel,
    QPushButton,
    QStyledItemDelegate,
    QStyleOptionViewItem,
    QTreeWidget,
    QTreeWidgetItem,
    QVBoxLayout,
    QWidget,
)

from stepscope.core.frozen import dataclass
from stepscope.widgets import icons, theme
from stepscope.widgets.common import EmptyState, SearchField, SegmentedControl, text_button
from stepscope.widgets.common.fonts import derived
from stepscope.widgets.common.plain_words import tip_words
from stepscope.widgets.preferences.chord_field import ChordField
from stepscope.widgets.preferences.keyboard_picture import KeyboardPicture, KeyCap

COMMAND, WHERE, KEYS, REMARK = range(4)
EVERYWHERE, ALL = "everywhere", ""
HELD = (("", "Bare"), ("Shift", "Shift"), ("Ctrl", "Ctrl"), ("Alt", "Alt"))
PICTURE_FROM = 640
"""Height of the page from which on the keyboard is shown."""
ONE_ROW_FROM = 900
"""Width of the page from which on all that narrows the rows stands in one row."""
PLACE_AT = 3
SHARES = {COMMAND: 0.3, WHERE: 0.12, KEYS: 0.23}
"""Of the page's width; the remarks have the rest."""
MARGIN = 16
_RowRole = Qt.ItemDataRole.UserRole


@dataclass(frozen=True, slots=True)
class KeyRow:
    """A command: `keys` as they are kept ("Ctrl+D"), `place` the workspace where they hold ("" everywhere), with its
    name in `where`. Those of a `fixed` row are for good; `clash` says that another has one of them too."""

    id: str
    group: str
    title: str
    menu: str
    place: str
    where: str
    keys: tuple[str, ...]
    remark: str = ""
    is_changed: bool = False
    is_fixed: bool = False
    clash: bool = False


@dataclass(frozen=True, slots=True)
class _Clash:
    key: str
    can_give: bool


class KeyboardPage(QWidget):
    """`asked(command, key)`: would this key do? Answer with `show_clash` where it would not. `written(command, keys)`:
    these are to be its keys. `given(command, key)`: it takes the key from those that have it. `reset(commands)`.
    `looked(held, place)`: the keyboard is looked at with this key held, in this workspace; answer with `set_caps`."""

    asked = Signal(str, str)
    written = Signal(str, tuple)
    given = Signal(str, str)
    reset = Signal(tuple)
    export_wanted = Signal()
    looked = Signal(str, str)

    def __init__(self, places: Sequence[tuple[str, str]], parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._rows: tuple[KeyRow, ...] = ()
        self._outer = ""
        self._items: dict[str, QTreeWidgetItem] = {}
        self._clash: _Clash | None = None
        self._safe: QPushButton | None = None
        """what Enter leads to while a clash is told"""
        self._editing = ""
        self.told = _label("", "dim")
        self.export = text_button("Export as Page…", icon="export")
        self.reset_all = text_button("Reset")
        self.search = SearchField("Find a command", name="Find a command")
        self.by_key = ChordField("Press a key")
        self.by_key.setMaximumWidth(160)
        self.by_key.hide()
        self.key_button = text_button("By key", icon="key", tip="Find what a key does by pressing it")
        self.key_button.setCheckable(True)
        self.place = SegmentedControl(((ALL, "All"), (EVERYWHERE, "Everywhere"), *places), "Where keys hold")
        self.only_changed = text_button("Changed")
        self.only_clash = text_button("Clash")
        for chip in (self.only_changed, self.only_clash):
            chip.setCheckable(True)
            chip.setProperty("chip", True)
        self.tree = _KeyTree()
        self.picture = KeyboardPicture()
        self.held = SegmentedControl(HELD, "Key that is held")
        self._picture_title = _label("", "heading")
        self._foot = QWidget()
        self._none = EmptyState("key", "No command is like that", "", [("clear", "Show All")])
        self._none.hide()
        self._lay_out()
        self._connect()

    def _connect(self) -> None:
        self.export.clicked.connect(self.export_wanted)
        self.reset_all.clicked.connect(self._reset_all)
        self.search.textChanged.connect(lambda _text: self._narrow())
        self.search.left_downwards.connect(self.tree.setFocus)
        self.key_button.toggled.connect(self._search_by_key)
        self.by_key.typed.connect(lambda _key: self._narrow())
        self.by_key.kept.connect(self.tree.setFocus)
        self.by_key.escaped.connect(lambda: self.key_button.setChecked(False))
        self.place.chosen.connect(lambda _place: self._narrow())
        self.place.chosen.connect(lambda _place: self._look())
        self.held.chosen.connect(lambda _held: self._look())
        self.only_changed.toggled.connect(lambda _on: self._narrow())
        self.only_clash.toggled.connect(lambda _on: self._narrow())
        self.tree.itemDoubleClicked.connect(lambda item, _column: self._edit(item))
        self.tree.edit_wanted.connect(lambda: self._edit(self.tree.currentItem()))
        self.tree.clear_wanted.connect(self._take_keys_off)
        self.picture.pressed.connect(self._find_key)
        self._none.pressed.connect(lambda _which: self.show_all())

    # Rows ------------------------------------------------------------------------------------------------------------

    def show_rows(self, rows: Sequence[KeyRow]) -> None:
        """All commands as they are now; the chosen row stays."""
        self._end_edit()
        chosen = self.current
        self._rows = tuple(rows)
        if list(self._items) != [row.id for row in rows]:
            self._make_items()
        for row in rows:
            item = self._items[row.id]
            item.setData(KEYS, _RowRole, row)
            item.setText(REMARK, row.remark)
            item.setToolTip(REMARK, tip_words(row.remark))
            item.setData(KEYS, Qt.ItemDataRole.AccessibleTextRole, " or ".join(row.keys) or "no key")
        changed, clashes = sum(row.is_changed for row in rows), sum(row.clash for row in rows)
        self.told.setText(f"{len(rows)} commands")
        self.reset_all.setText(f"Reset {changed}" if changed else "Reset")
        self.reset_all.setEnabled(bool(changed))
        self.only_changed.setText(f"Changed {changed}")
        self.only_changed.setVisible(bool(changed) or self.only_changed.isChecked())
        self.only_clash.setText(f"Clash {clashes}")
        self.only_clash.setVisible(bool(clashes) or self.only_clash.isChecked())
        self._narrow()
        if chosen in self._items:
            self.tree.setCurrentItem(self._items[chosen])
        self._look()

    def set_caps(self, caps: Mapping[str, KeyCap], title: str) -> None:
        """What stands on the keyboard, and what that shows."""
        self.picture.set_caps(caps)
        self._picture_title.setText(f"{title}: {len(self.picture.free())} free")

    @property
    def current(self) -> str:
        """The id of the chosen command, "" for none."""
        item = self.tree.currentItem()
        row = item.data(KEYS, _RowRole) if item else None
        return row.id if isinstance(row, KeyRow) else ""

    def choose(self, command: str) -> None:
        """Go to a command's row."""
        item = self._items[command]
        self.tree.setCurrentItem(item)
        self.tree.scrollToItem(item)

    def shown(self) -> list[str]:
        """The ids of the commands that search and choices leave."""
        return [command for command, item in self._items.items() if not item.isHidden()]

    def show_all(self) -> None:
        """Leave search and choices."""
        self.search.empty()
        self.key_button.setChecked(False)
        self.only_changed.setChecked(False)
        self.only_clash.setChecked(False)
        self.place.set_value(ALL)
        self._narrow()

    def narrow(self, text: str) -> bool:
        """Show only what fits these words besides those of the page's own search; whether there is any."""
        self._outer = text
        return self._narrow()

    def _make_items(self) -> None:
        self.tree.clear()
        self._items = {}
        groups: dict[str, QTreeWidgetItem] = {}
        for row in self._rows:
            if row.group not in groups:
                group = groups[row.group] = QTreeWidgetItem(self.tree, [row.group])
                group.setFlags(Qt.ItemFlag.ItemIsEnabled)
                group.setFirstColumnSpanned(True)
                group.setFont(0, derived(self.tree.font(), 12.5, weight=QFont.Weight.DemiBold))
                group.setExpanded(True)
            item = QTreeWidgetItem(groups[row.group], [row.title, row.where])
            item.setToolTip(COMMAND, tip_words(f"{row.menu} ▸ {row.title}" if row.menu else row.title))
            self._items[row.id] = item

    def _narrow(self) -> bool:
        words = f"{self._outer} {self.search.text()}".casefold().split()
        key = self.by_key.key if self.key_button.isChecked() else ""
        left: dict[str, list[int]] = {}
        for row in self._rows:
            fits = self._fits(row, words, key)
            self._items[row.id].setHidden(not fits)
            counts = left.setdefault(row.group, [0, 0])
            counts[0] += fits
            counts[1] += 1
        for place in range(self.tree.topLevelItemCount()):
            group = self.tree.topLevelItem(place)
            assert group is not None
            name = group.text(0).split("   ")[0]
            shown, there = left[name]
            group.setText(0, f"{name}   {shown} of {there}" if shown < there else f"{name}   {there}")
            group.setHidden(not shown)
        any_left = any(shown for shown, _there in left.values())
        self._none.setVisible(bool(self._rows) and not any_left)
        if key and not any_left:
            self._none.set_words(f"No command has {key}", "It is free.")
        elif not any_left:
            self._none.set_words("No command is like that", "")
        self.tree.setVisible(any_left or not self._rows)
        return any_left

    def _fits(self, row: KeyRow, words: Sequence[str], key: str) -> bool:
        place = self.place.value()
        all_words = f"{row.title} {row.menu} {row.where} {row.remark} {' '.join(row.keys)}".casefold()
        return (
            all(word in all_words for word in words)
            and (not key or key in map(_portable, row.keys))
            and (place == ALL or row.place == ("" if place == EVERYWHERE else place))
            and (not self.only_changed.isChecked() or row.is_changed)
            and (not self.only_clash.isChecked() or row.clash)
        )

    def _reset_all(self) -> None:
        self.tree.setFocus()  # the button will rest
        self.reset.emit(tuple(row.id for row in self._rows if row.is_changed))

    def _search_by_key(self, on: bool) -> None:
        self.by_key.setVisible(on)
        self.search.setVisible(not on)
        self.by_key.show_key("")
        (self.by_key if on else self.search).setFocus()
        self._narrow()

    def _find_key(self, key: str) -> None:
        held = self.held.value()
        self.key_button.setChecked(True)
        self.by_key.show_key(f"{held}+{key}" if held else key)
        self._narrow()

    # Editing ---------------------------------------------------------------------------------------------------------

    @property
    def field(self) -> ChordField | None:
        """What takes the next key while a row is edited."""
        item = self._items.get(self._editing)
        found = self.tree.itemWidget(item, KEYS) if item is not None else None
        return found if isinstance(found, ChordField) else None

    def edit(self, command: str) -> None:
        """Let the row of this command take the next key."""
        self.choose(command)
        self._edit(self._items[command])

    def _edit(self, item: QTreeWidgetItem | None) -> None:
        row = item.data(KEYS, _RowRole) if item is not None else None
        if item is None or not isinstance(row, KeyRow) or row.is_fixed:
            return
        self._end_edit()
        self._editing = row.id
        field = ChordField("Press keys, Enter keeps")
        field.typed.connect(self._typed)
        field.kept.connect(self._keep)
        field.escaped.connect(self._end_edit)
        field.left.connect(self._left)
        self.tree.setItemWidget(item, KEYS, field)
        field.setFocus()

    def show_clash(self, key: str, words: str, *, can_give: bool) -> None:
        """Say under the row that is edited who has the key."""
        item = self._items.get(self._editing)
        if item is None:
            return
        self._clash = _Clash(key, can_give)
        child = QTreeWidgetItem(item)
        child.setFirstColumnSpanned(True)
        child.setFlags(Qt.ItemFlag.ItemIsEnabled)
        item.setExpanded(True)
        bar = self._clash_bar(key, words, can_give)
        child.setSizeHint(0, QSize(0, bar.sizeHint().height() + 4))
        self.tree.setItemWidget(child, 0, bar)
        self.tree.scrollToItem(child)

    def _clash_bar(self, key: str, words: str, can_give: bool) -> QWidget:
        row: KeyRow = self._items[self._editing].data(KEYS, _RowRole)
        bar = QFrame()
        bar.setProperty("clash", True)
        bar.setFocusPolicy(Qt.FocusPolicy.ClickFocus)  # else a click there gives the keyboard to the table
        line = QHBoxLayout(bar)
        line.setContentsMargins(8, 4, 8, 4)
        sign = QLabel()
        sign.setPixmap(icons.icon("warning", _warn).pixmap(16, 16))
        told = _label(words, "")
        told.setWordWrap(True)
        line.addWidget(sign)
        line.addWidget(told, 1)
        buttons = [(f"Keep {row.keys[0]}" if row.keys else "Keep none", self._end_edit)]
        if can_give:
            buttons.insert(0, (f"Give {key} to this", self._give))
        buttons.append(("Show both", self._show_both))
        for name, act in buttons:
            button = text_button(name)
            button.setProperty("small", True)
            button.clicked.connect(act)
            button.setFocusPolicy(Qt.FocusPolicy.TabFocus)  # a click must not end the edit before it is heard
            line.addWidget(button)
            if act == self._end_edit:
                self._safe = button
        return bar

    def _typed(self, key: str) -> None:
        self._drop_clash()
        if key:
            self.asked.emit(self._editing, key)

    def _keep(self) -> None:
        field, command = self.field, self._editing
        if self._safe is not None:
            self._safe.setFocus()
            return
        if field is None:
            return
        row: KeyRow = self._items[command].data(KEYS, _RowRole)
        keys = (field.key,) if field.key else ()
        touched = field.is_touched
        self._end_edit()
        if touched and keys != row.keys:
            self.written.emit(command, keys)

    def _take_keys_off(self) -> None:
        row = self._items[self.current].data(KEYS, _RowRole) if self.current else None
        if isinstance(row, KeyRow) and row.keys and not row.is_fixed:
            self.written.emit(row.id, ())

    def _give(self) -> None:
        command, clash = self._editing, self._clash
        self._end_edit()
        if clash is not None:
            self.given.emit(command, clash.key)

    def _show_both(self) -> None:
        key = self._clash.key if self._clash is not None else ""
        self._end_edit()
        self.show_all()
        self.key_button.setChecked(True)
        self.by_key.show_key(key)
        self._narrow()
        self.tree.setFocus()

    def _left(self) -> None:
        """The keyboard went elsewhere: what is told of a clash waits for its answer."""
        focus = self.focusWidget()
        if self._clash is None or focus is self.tree or focus is self.field:
            self._end_edit()

    def _end_edit(self) -> None:
        item = self._items.get(self._editing)
        self._drop_clash()
        self._editing = ""
        if item is not None and self.tree.itemWidget(item, KEYS) is not None:
            had = self.tree.itemWidget(item, KEYS).hasFocus()
            self.tree.removeItemWidget(item, KEYS)
            if had:
                self.tree.setFocus()

    def _drop_clash(self) -> None:
        item = self._items.get(self._editing)
        self._clash = self._safe = None
        if item is not None:
            item.takeChildren()

    # Looks -----------------------------------------------------------------------------------------------------------

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._foot.setVisible(self.height() >= PICTURE_FROM)
        if self.width() >= ONE_ROW_FROM:
            self._find.insertWidget(PLACE_AT, self.place)
        else:
            self._second_row.insertWidget(0, self.place)
        for column, share in SHARES.items():
            self.tree.header().resizeSection(column, round(self.width() * share))

    def _look(self) -> None:
        place = self.place.value()
        self.looked.emit(self.held.value(), "" if place in (ALL, EVERYWHERE) else place)

    def _lay_out(self) -> None:
        title = _label("Keyboard", "subtitle")
        head = QHBoxLayout()
        head.setContentsMargins(0, 0, MARGIN, 0)
        for part in (title, self.told):
            head.addWidget(part)
        head.addStretch(1)
        head.addWidget(self.export)
        head.addWidget(self.reset_all)
        find = self._find = QHBoxLayout()
        self._second_row = QHBoxLayout()
        self._second_row.addStretch(1)
        find.setContentsMargins(0, 0, MARGIN, 0)
        find.setSpacing(8)
        for field in (self.search, self.by_key, self.key_button, self.place):
            find.addWidget(field)
        find.setStretch(0, 1)
        find.addStretch(1)
        find.addWidget(self.only_changed)
        find.addWidget(self.only_clash)
        above = QHBoxLayout()
        above.addWidget(self._picture_title)
        above.addStretch(1)
        above.addWidget(self.held)
        foot = QVBoxLayout(self._foot)
        foot.setContentsMargins(0, 8, MARGIN, MARGIN)
        foot.addLayout(above)
        foot.addWidget(self.picture)
        column = QVBoxLayout(self)
        column.setContentsMargins(MARGIN, 12, 0, 0)
        column.setSpacing(8)
        column.addLayout(head)
        column.addLayout(find)
        column.addLayout(self._second_row)
        column.addWidget(self.tree, 1)
        column.addWidget(self._none, 1)
        column.addWidget(self._foot)


class _KeyTree(QTreeWidget):
    """`edit_wanted`: Enter or F2 on a row; `clear_wanted`: Delete."""

    edit_wanted = Signal()
    clear_wanted = Signal()

    def __init__(self) -> None:
        super().__init__()
        self.setHeaderLabels(["Command", "Where", "Keys", "Remarks"])
        self.setRootIsDecorated(False)
        self.setIndentation(12)
        self.setUniformRowHeights(False)
        self.setEditTriggers(QAbstractItemView.EditTrigger.NoEditTriggers)
        self.setAccessibleName("Commands and their keys")
        self.setItemDelegateForColumn(KEYS, _KeysDelegate(self))
        self.setFrameShape(QFrame.Shape.NoFrame)
        header = self.header()
        header.setStretchLastSection(True)
        header.setSectionResizeMode(QHeaderView.ResizeMode.Interactive)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.modifiers() & Qt.KeyboardModifier.ControlModifier:
            event.ignore()  # the page's own: undo, redo, find
            return
        match event.key():
            case Qt.Key.Key_Return | Qt.Key.Key_Enter | Qt.Key.Key_F2:
                self.edit_wanted.emit()
            case Qt.Key.Key_Delete | Qt.Key.Key_Backspace:
                self.clear_wanted.emit()
            case _:
                super().keyPressEvent(event)


class _KeysDelegate(QStyledItemDelegate):
    """Paints keys as caps, with a mark where another command has one of them too."""

    def sizeHint(self, option: QStyleOptionViewItem, index: QModelIndex | QPersistentModelIndex) -> QSize:
        usual = super().sizeHint(option, index)
        return QSize(usual.width(), max(usual.height(), option.fontMetrics.height() + 12))

    def paint(
        self, painter: QPainter, option: QStyleOptionViewItem, index: QModelIndex | QPersistentModelIndex
    ) -> None:
        super().paint(painter, option, index)
        row = index.data(_RowRole)
        if not isinstance(row, KeyRow):
            return
        colours = theme.current()
        painter.save()
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setFont(derived(option.font, 11))
        metrics, left = painter.fontMetrics(), float(option.rect.left() + 4)
        for key in row.keys:
            words = QKeySequence(key).toString(QKeySequence.SequenceFormat.NativeText)
            width, height = metrics.horizontalAdvance(words) + 12, metrics.height() + 4
            place = QRectF(left, option.rect.center().y() - height / 2 + 0.5, width, height)
            painter.setPen(QPen(QColor(colours.warn if row.clash else colours.line), 1))
            painter.setBrush(QColor(colours.warn_background if row.clash else colours.chrome))
            painter.drawRoundedRect(place, 4, 4)
            painter.setPen(QColor(colours.dim if row.is_fixed else colours.text))
            painter.drawText(place, Qt.AlignmentFlag.AlignCenter, words)
            left += width + 6
        painter.restore()


def _label(words: str, role: str) -> QLabel:
    label = QLabel(words)
    label.setTextFormat(Qt.TextFormat.PlainText)
    if role:
        label.setProperty("role", role)
    return label


def _portable(key: str) -> str:
    return QKeySequence(key).toString(QKeySequence.SequenceFormat.PortableText)


def _warn() -> str:
    return theme.current().warn
