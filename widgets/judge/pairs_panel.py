"""The left dock of Judge: who judges, which texts, and the pairs with what was said of them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from PySide6.QtCore import (
    QAbstractListModel,
    QModelIndex,
    QPersistentModelIndex,
    QPoint,
    QRect,
    QSignalBlocker,
    QSize,
    Qt,
    Signal,
)
from PySide6.QtGui import QFont, QFontMetrics, QKeyEvent, QPainter, QResizeEvent
from PySide6.QtWidgets import (
    QCheckBox,
    QComboBox,
    QFrame,
    QHBoxLayout,
    QLabel,
    QLineEdit,
    QListView,
    QMenu,
    QSpinBox,
    QStackedWidget,
    QStyledItemDelegate,
    QStyleOptionViewItem,
    QVBoxLayout,
    QWidget,
)

from stepscope.widgets import format as formats
from stepscope.widgets import icons, theme
from stepscope.widgets.common import ElidedLabel, EmptyState, PanelHeader, SegmentedControl, icon_button, text_button
from stepscope.widgets.common.badge import badge_colours, paint_badge
from stepscope.widgets.common.elided_combo import ElidedCombo
from stepscope.widgets.common.fonts import derived
from stepscope.widgets.common.item_painting import paint_cut, paint_item_ground
from stepscope.widgets.common.thin_bar import ThinBar
from stepscope.widgets.judge.judge_values import OriginChoice, PairListHead, PairRow

LEAST_WIDTH, WIDE = 220, 260
ROW = Qt.ItemDataRole.UserRole


class JudgeRowItemModel(QAbstractListModel):
    """All rows: they are small, and a run has thousands at most."""

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self._rows: list[PairRow] = []

    def set_rows(self, rows: Sequence[PairRow]) -> None:
        """Rows of the same number change in place, so that selection and scroll stay."""
        if len(rows) == len(self._rows):
            self._rows = list(rows)
            if rows:
                self.dataChanged.emit(self.index(0), self.index(len(rows) - 1))
            return
        self.beginResetModel()
        self._rows = list(rows)
        self.endResetModel()

    def rowCount(self, parent: QModelIndex | QPersistentModelIndex | None = None) -> int:
        return 0 if parent is not None and parent.isValid() else len(self._rows)

    def data(self, index: QModelIndex | QPersistentModelIndex, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        if not index.isValid() or index.row() >= len(self._rows):
            return None
        row = self._rows[index.row()]
        if role == ROW:
            return row
        if role in (Qt.ItemDataRole.DisplayRole, Qt.ItemDataRole.AccessibleTextRole):
            return f"{row.title}, {row.detail}, {row.state}"
        return None


class JudgeRowDelegate(QStyledItemDelegate):
    """Two lines, and what was said in a badge at the right."""

    def paint(
        self, painter: QPainter, option: QStyleOptionViewItem, index: QModelIndex | QPersistentModelIndex
    ) -> None:
        row: PairRow = index.data(ROW)
        colours = theme.current()
        painter.save()
        paint_item_ground(painter, option)
        inside = option.rect.adjusted(12, 6, -10, -6)
        small = derived(option.font, 11)
        painter.setFont(small)
        width = QFontMetrics(small).horizontalAdvance(row.state) + 10
        badge_colours(row.kind)
        paint_badge(painter, inside.right() - width, inside.center().y(), row.state, row.kind)
        half = inside.height() // 2
        words = QRect(inside.left(), inside.top(), inside.width() - width - 10, half)
        paint_cut(painter, words, row.title, derived(option.font, 13, weight=QFont.Weight.Medium), colours.text)
        paint_cut(painter, words.translated(0, half), row.detail, small, colours.dim)
        painter.restore()

    def sizeHint(self, option: QStyleOptionViewItem, _index: QModelIndex | QPersistentModelIndex) -> QSize:
        return QSize(120, 2 * QFontMetrics(option.font).height() + 16)


class JudgePairsList(QListView):
    """Letters, digits and Enter belong to the window: they answer questions."""

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.text() and event.text().isprintable():
            event.ignore()
        else:
            super().keyPressEvent(event)


class ShareForm(QFrame):
    """Who shares the pairs, and how many everybody judges. Enter shares them out, Esc leaves the form."""

    given = Signal(list, int)

    def __init__(self) -> None:
        super().__init__()
        self.setProperty("inset", "true")
        self.people = QLineEdit()
        self.people.setPlaceholderText("ana, ben, eve")
        self.people.setAccessibleName("People who judge, with commas between them")
        self.overlap = QSpinBox()
        self.overlap.setAccessibleName("Pairs that everybody judges")
        share_out, cancel = text_button("Share out", primary=True), text_button("Cancel")
        column = QVBoxLayout(self)
        column.setContentsMargins(12, 8, 12, 8)
        column.setSpacing(6)
        column.addWidget(_small("Who judges"))
        column.addWidget(self.people)
        both = QHBoxLayout()
        both.addWidget(_small("Pairs for everybody"), 1)
        both.addWidget(self.overlap)
        column.addLayout(both)
        buttons = QHBoxLayout()
        buttons.addStretch(1)
        buttons.addWidget(cancel)
        buttons.addWidget(share_out)
        column.addLayout(buttons)
        cancel.clicked.connect(self.hide)
        share_out.clicked.connect(self._give)
        for line in (self.people, self.overlap.lineEdit()):
            line.returnPressed.connect(self._give)

    def open(self, people: Sequence[str]) -> None:
        if people and not self.people.text().strip():
            self.people.setText(", ".join(people))
        self.show()
        self.people.setFocus(Qt.FocusReason.OtherFocusReason)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() == Qt.Key.Key_Escape:
            self.hide()
        else:
            super().keyPressEvent(event)

    def _give(self) -> None:
        self.hide()
        self.given.emit(self.people.text().split(","), self.overlap.value())


class PairsPanel(QWidget):
    """`pair_chosen` carries a row's number; origins go by their codes."""

    pair_chosen = Signal(int)
    judge_named = Signal(str)
    origins_chosen = Signal(str, str)
    mode_chosen = Signal(str)
    only_given_chosen = Signal(bool)
    only_differing_chosen = Signal(bool)
    share_wanted = Signal(list, int)
    """names, and how many pairs everybody judges"""
    import_wanted = Signal()
    export_wanted = Signal()
    evaluate_wanted = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setMinimumWidth(LEAST_WIDTH)
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        self.share = icon_button("users", "Share pairs out")
        self.more = icon_button("more", "Import, export, share out")
        self._header = PanelHeader("Pairs to judge", self.share, self.more)
        self.bar = ThinBar()
        self.judge = QComboBox()
        self.judge.setEditable(True)
        self.judge.setInsertPolicy(QComboBox.InsertPolicy.NoInsert)
        self.judge.setAccessibleName("Who judges")
        self.judge.setToolTip("Who judges. Sides are drawn, and answers kept, for each person")
        self._pace = ElidedLabel("", "dim")
        self.first, self.second = ElidedCombo(), ElidedCombo()
        self.first.setAccessibleName("One text")
        self.second.setAccessibleName("The other text")
        self.mode = SegmentedControl([("judge", "Judge"), ("write", "Write")], "Judge two texts, or write one")
        self.only_given = QCheckBox("Only those given to me")
        self.only_differing = QCheckBox("Only where a judge differs")
        self.only_differing.setToolTip("Pairs that you have judged and on which a model came to another verdict")
        self._note = QLabel()
        self._note.setProperty("role", "dim")
        self._note.setWordWrap(True)
        self.form = ShareForm()
        self.model = JudgeRowItemModel(self)
        self.list = JudgePairsList()
        self._empty = EmptyState(
            "judge", "No run of goal identification yet.", "", [("evaluate", "Evaluate"), ("write", "Write goals")]
        )
        self._nothing = EmptyState("judge", "No pair to judge", "")
        self._origins: tuple[OriginChoice, ...] = ()
        self._lay_out()
        self._connect()
        self.set_head(PairListHead())
        self.show_none("runs")

    # what the owner tells

    def set_head(self, head: PairListHead) -> None:
        what = "Goals to write" if head.writes else "Pairs to judge"
        self._header.set_title(what)
        of_whom = " of yours" if head.given and head.only_given and not head.writes else ""
        done = f"{formats.count(head.done)} of {formats.count(head.total)}{of_whom}"
        self._header.set_detail(done if head.total else "")
        self.bar.set_progress(head.done, head.total or None)
        self.bar.setVisible(bool(head.total))
        self._pace.setText(head.pace)
        self.mode.set_value("write" if head.writes else "judge")
        self._texts.setVisible(not head.writes and bool(self._origins))
        self.share.setVisible(not head.writes and bool(head.total))
        self.only_given.setVisible(bool(head.given) and not head.writes)
        self.only_given.setText(f"Only the {formats.count(head.given)} given to me")
        self.only_differing.setVisible(bool(head.differing or head.only_differing) and not head.writes)
        self.only_differing.setText(f"Only the {formats.count(head.differing)} where a judge differs")
        self._note.setText(head.note)
        self._note.setVisible(bool(head.note))
        with QSignalBlocker(self.only_given), QSignalBlocker(self.only_differing), QSignalBlocker(self.judge):
            self.only_given.setChecked(head.only_given)
            self.only_differing.setChecked(head.only_differing)
            self.judge.clear()
            self.judge.addItems(list(dict.fromkeys((head.judge, *head.people))))
            self.judge.setCurrentIndex(0)
        self.form.overlap.setMaximum(max(head.total, 1))

    def set_origins(self, choices: Sequence[OriginChoice], first: str, second: str) -> None:
        """The texts that there are, and which two are judged."""
        self._origins = tuple(choices)
        for combo, chosen in ((self.first, first), (self.second, second)):
            with QSignalBlocker(combo):
                combo.clear()
                for choice in choices:
                    combo.addItem(choice.words, choice.code)
                combo.setCurrentIndex(next((n for n, one in enumerate(choices) if one.code == chosen), -1))
        self._texts.setVisible(bool(choices))

    def set_rows(self, rows: Sequence[PairRow]) -> None:
        self.model.set_rows(rows)
        self._stack.setCurrentWidget(self.list if rows else self._nothing)

    def choose(self, row: int) -> None:
        """Make a row current without telling."""
        with QSignalBlocker(self.list.selectionModel()):
            self.list.setCurrentIndex(self.model.index(row))
        self.list.scrollTo(self.model.index(row))
        self.list.viewport().update()

    def show_none(self, what: str, title: str = "", detail: str = "") -> None:
        """Say why there is no list: "runs" (there is none to judge), "nothing" (for the reason given)."""
        self.model.set_rows(())
        if what == "runs":
            self._empty.set_words(title or "No run of goal identification yet.", detail)
        else:
            self._nothing.set_words(title, detail)
        self._stack.setCurrentWidget(self._empty if what == "runs" else self._nothing)

    def words(self) -> str:
        """What stands where there is no list."""
        page = self._stack.currentWidget()
        return page.words() if isinstance(page, EmptyState) else ""

    def open_share(self, people: Sequence[str] = ()) -> None:
        """Show the form that shares pairs out, and give it the keyboard."""
        self.form.open(people)

    # inside

    def _lay_out(self) -> None:
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addWidget(self._header)
        column.addWidget(self._make_head())
        column.addWidget(self.form)
        self.form.hide()
        self.list.setModel(self.model)
        self.list.setItemDelegate(JudgeRowDelegate(self.list))
        self.list.setAccessibleName("Pairs")
        self.list.setFrameShape(QFrame.Shape.NoFrame)
        self.list.setUniformItemSizes(True)
        self.list.setVerticalScrollMode(QListView.ScrollMode.ScrollPerPixel)
        self._stack = QStackedWidget()
        for page in (self.list, self._empty, self._nothing):
            self._stack.addWidget(page)
        column.addWidget(self._stack, 1)
        column.addWidget(self._make_foot())

    def _make_head(self) -> QWidget:
        head = QWidget()
        column = QVBoxLayout(head)
        column.setContentsMargins(12, 10, 12, 10)
        column.setSpacing(8)
        column.addWidget(self.bar)
        who = QHBoxLayout()
        who.setSpacing(8)
        who.addWidget(_small("Who"))
        self.judge.setMinimumContentsLength(6)
        who.addWidget(self.judge, 1)
        who.addWidget(self._pace)
        column.addLayout(who)
        self._texts = QWidget()
        texts = QVBoxLayout(self._texts)
        texts.setContentsMargins(0, 0, 0, 0)
        texts.setSpacing(4)
        for word, combo in (("Text", self.first), ("and", self.second)):
            row = QHBoxLayout()
            row.setSpacing(8)
            label = _small(word)
            label.setMinimumWidth(28)
            row.addWidget(label)
            row.addWidget(combo, 1)
            texts.addLayout(row)
        column.addWidget(self._texts)
        column.addWidget(self.mode, 0, Qt.AlignmentFlag.AlignLeft)
        column.addWidget(self.only_given)
        column.addWidget(self.only_differing)
        column.addWidget(self._note)
        return head

    def _make_foot(self) -> QWidget:
        foot = QWidget()
        foot.setProperty("bar", "foot")
        foot.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        row = QHBoxLayout(foot)
        row.setContentsMargins(12, 8, 12, 8)
        row.setSpacing(8)
        sign = QLabel()
        sign.setPixmap(icons.icon("hidden", lambda: theme.current().dim).pixmap(QSize(15, 15)))
        row.addWidget(sign)
        row.addWidget(ElidedLabel("Which text is whose stays hidden", "secondary"), 1)
        return foot

    def _connect(self) -> None:
        self.list.selectionModel().currentChanged.connect(
            lambda now, _before: self.pair_chosen.emit(now.row()) if now.isValid() else None
        )
        self.judge.activated.connect(lambda _place: self.judge_named.emit(self.judge.currentText()))
        line = self.judge.lineEdit()
        assert line is not None
        line.editingFinished.connect(lambda: self.judge_named.emit(self.judge.currentText()))
        for combo in (self.first, self.second):
            combo.activated.connect(self._tell_origins)
        self.mode.chosen.connect(self.mode_chosen)
        self.only_given.toggled.connect(self.only_given_chosen)
        self.only_differing.toggled.connect(self.only_differing_chosen)
        self.share.clicked.connect(lambda: self.open_share())
        self.more.clicked.connect(self._open_menu)
        self.form.given.connect(self.share_wanted)
        self._empty.pressed.connect(self._pressed)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._pace.setVisible(self.width() >= WIDE)

    def _tell_origins(self) -> None:
        self.origins_chosen.emit(self.first.currentData() or "", self.second.currentData() or "")

    def _pressed(self, what: str) -> None:
        if what == "evaluate":
            self.evaluate_wanted.emit()
        else:
            self.mode_chosen.emit("write")

    def _open_menu(self) -> None:
        menu = QMenu(self)
        menu.aboutToHide.connect(menu.deleteLater)
        menu.addAction("Share pairs out…", lambda: self.open_share())
        menu.addAction("Import judgements…", self.import_wanted.emit)
        menu.addAction("Export judgements…", self.export_wanted.emit)
        menu.popup(self.more.mapToGlobal(QPoint(0, self.more.height())))


def _small(words: str) -> QLabel:
    label = QLabel(words)
    label.setProperty("role", "secondary")
    return label
