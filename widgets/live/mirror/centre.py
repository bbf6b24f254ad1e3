"""The centre of the Live workspace: title row, layer chips, the mirror with its strip and the agent's card."""

from __future__ import annotations

from PySide6.QtCore import QEvent, QRect, Signal
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QStackedWidget, QVBoxLayout, QWidget

from stepscope.core.domain.elements import UITree
from stepscope.core.domain.geometry import Size
from stepscope.core.domain.layers import Layers
from stepscope.widgets.common import EmptyState
from stepscope.widgets.common.fonts import BASE_PIXELS, pixel_size
from stepscope.widgets.live.mirror.mirror_frame import Proposal
from stepscope.widgets.live.mirror.phone import BODY
from stepscope.widgets.live.mirror.proposal_card import ProposalCard
from stepscope.widgets.live.mirror.spoken import proposal_words, screen_words
from stepscope.widgets.live.mirror.title_row import MirrorTitleRow
from stepscope.widgets.live.mirror.tool_row import MirrorToolRow
from stepscope.widgets.live.mirror.tool_strip import ToolStrip
from stepscope.widgets.live.mirror.view import MirrorView

_MARGIN = 16
_EDGE = 8
_NARROW = 480
"""Pixels of width below which the strip lies below the phone, at the usual text size."""


class MirrorStack(QWidget):
    """The view with the strip at its right and the card at its left; in a narrow one below and above it."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.view = MirrorView(self)
        self.strip = ToolStrip(self)
        self.card = ProposalCard(self)
        self.view.screen_changed.connect(self._screen_changed)
        self.view.zoom_changed.connect(lambda _percent, _fits: self.arrange())
        self._arranging = False

    def set_proposal(self, proposal: Proposal | None) -> None:
        self.card.set_proposal(proposal)
        self.view.set_proposal(proposal)
        self.arrange()

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self.arrange()

    def event(self, event: QEvent) -> bool:
        if event.type() in (QEvent.Type.LayoutRequest, QEvent.Type.FontChange):
            self.arrange()
        return super().event(event)

    def _screen_changed(self, _size: Size) -> None:
        self.arrange()

    def arrange(self) -> None:
        """Give everything its place."""
        if self._arranging:
            return
        self._arranging = True
        scale = pixel_size(self.font()) / BASE_PIXELS
        narrow = self.width() < _NARROW * scale
        self.strip.set_lying(narrow, self.width() - 2 * _EDGE)
        size, area = self.strip.sizeHint(), self.rect()
        if narrow:
            area.setHeight(max(1, area.height() - size.height() - 16))
        area = self._place_card(area, 0 if narrow else size.width() + _MARGIN)
        self.view.setGeometry(area)
        if narrow:
            self.strip.setGeometry((self.width() - size.width()) // 2, area.bottom() + 9, size.width(), size.height())
        else:
            left, high = area.width() - _MARGIN - size.width(), min(size.height(), area.height() - 2 * _MARGIN)
            self.strip.setGeometry(left, area.top() + _MARGIN, size.width(), max(1, high))
        self._arranging = False

    def _place_card(self, area: QRect, right: int) -> QRect:
        """Beside the phone where there is room, else as a line above it; returns what is left for the view."""
        card, wide = self.card, self.card.wanted_width()
        if card.proposal is None:
            self.view.set_covered(0, right)
            return area
        beside = self.view.fitted_in(area.size(), right).picture.left - BODY - 8 >= _MARGIN + wide
        card.set_compact(not beside)
        high = min(card.wanted_height(), area.height() - 2 * _MARGIN)
        if beside:
            self.view.set_covered(wide + _MARGIN, right)
            card.setGeometry(_MARGIN, _MARGIN, wide, high)
            return area
        self.view.set_covered(0, right)
        card.setGeometry(_EDGE, _EDGE, area.width() - 2 * _EDGE, high)
        return area.adjusted(0, high + _EDGE, 0, 0)


class LiveCentre(QWidget):
    """`view`, `strip`, `card`, `title` and `tools` are its parts, to be connected to directly; here they are kept
    in step with each other. `simulated_wanted()`, `connect_wanted()`: the buttons of the empty state."""

    simulated_wanted = Signal()
    connect_wanted = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.title, self.tools = MirrorTitleRow(), MirrorToolRow()
        self.stack = MirrorStack()
        self.view, self.strip, self.card = self.stack.view, self.stack.strip, self.stack.card
        buttons = (("simulated", "Use the simulated phone"), ("connect", "Connect…"))
        self.empty = EmptyState("device", "No phone found.", buttons=buttons)
        self._pages = QStackedWidget()
        self._pages.addWidget(self.empty)
        self._pages.addWidget(self.stack)
        self._stale = False
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addWidget(self.title)
        column.addWidget(self.tools)
        column.addWidget(self._pages, 1)
        self._connect()
        self.show_device("")

    def _connect(self) -> None:
        self.empty.pressed.connect(self._pressed)
        self.tools.layers_changed.connect(self.view.set_layers)
        self.title.pause_toggled.connect(self.view.set_paused)
        self.strip.keys_toggled.connect(self.view.set_keys_mode)
        self.view.keys_mode_changed.connect(self._keys_changed)

    def show_device(self, name: str) -> None:
        """The device whose picture comes from now on; "" for none: the empty state."""
        self.title.show_device(name)
        self.view.set_keys_mode(False)
        self.view.set_paused(False)
        self.title.set_paused(False)
        self.set_proposal(None)
        self.strip.set_enabled(on=bool(name))
        self._pages.setCurrentWidget(self.stack if name else self.empty)
        self.tools.setVisible(bool(name))
        self.view.setAccessibleName(name or "Phone")

    @property
    def is_empty(self) -> bool:
        return self._pages.currentWidget() is self.empty

    def set_notice(self, words: str, *, touchable: bool = False) -> None:
        """Words over the greyed picture; "" when it is live."""
        self.view.set_notice(words, touchable=touchable)
        self._describe()

    def set_tree(self, tree: UITree | None, *, stale: bool = False) -> None:
        """The UI tree of the picture; `stale`: of an earlier one."""
        self.view.set_tree(tree, stale=stale)
        self._describe()

    def set_tree_stale(self, stale: bool) -> None:
        if stale != self.view.overlay.stale:
            self.view.set_tree_stale(stale)
            self._describe()

    def set_proposal(self, proposal: Proposal | None) -> None:
        """Show what the agent would do next, in the card and over the picture; None takes it away."""
        self.stack.set_proposal(proposal)
        self._describe()

    def set_layers(self, layers: Layers) -> None:
        """Show these layers, without a signal."""
        self.tools.set_layers(layers)
        self.view.set_layers(layers)

    def _describe(self) -> None:
        overlay, notice = self.view.overlay, self.view.notice
        place = "" if notice else self.view.place_words()
        screen = place or screen_words(overlay.tree, stale=overlay.stale, notice=notice)
        self.view.describe(" ".join(filter(None, (screen, proposal_words(overlay.proposal)))))

    def _keys_changed(self, on: bool) -> None:
        self.strip.set_keys(on)
        self.tools.set_keys(on)

    def _pressed(self, button: str) -> None:
        wanted = self.simulated_wanted if button == "simulated" else self.connect_wanted
        wanted.emit()
