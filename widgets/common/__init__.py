"""Small parts that several views share."""

from widgets.common.badge import Badge
from widgets.common.buttons import LinkButton, icon_button, text_button
from widgets.common.elided import ElidedLabel
from widgets.common.header import PanelHeader
from widgets.common.key_button import KeyButton
from widgets.common.message_bar import MessageBar
from widgets.common.run_glyph import RunBadge, paint_reference_glyph, paint_run_glyph, run_letter
from widgets.common.search_field import SearchField
from widgets.common.segmented import Segmented
from widgets.common.states import EmptyState, ErrorCard
from widgets.common.task_chip import TaskChip, TaskProgress
from widgets.common.verdict import Verdict, paint_verdict_cell

__all__ = [
    "Badge",
    "ElidedLabel",
    "EmptyState",
    "ErrorCard",
    "KeyButton",
    "LinkButton",
    "MessageBar",
    "PanelHeader",
    "RunBadge",
    "SearchField",
    "Segmented",
    "TaskChip",
    "TaskProgress",
    "Verdict",
    "icon_button",
    "paint_reference_glyph",
    "paint_run_glyph",
    "paint_verdict_cell",
    "run_letter",
    "text_button",
]
