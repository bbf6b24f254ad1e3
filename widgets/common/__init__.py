"""Small parts that several views share."""

from stepscope.widgets.common.badge import Badge
from stepscope.widgets.common.buttons import LinkButton, icon_button, text_button
from stepscope.widgets.common.elided import ElidedLabel
from stepscope.widgets.common.header import PanelHeader
from stepscope.widgets.common.key_button import KeyButton
from stepscope.widgets.common.message_bar import MessageBar
from stepscope.widgets.common.run_glyph import RunBadge, paint_reference_glyph, paint_run_glyph, run_letter
from stepscope.widgets.common.run_name import RunNameLabel, cut_run_name
from stepscope.widgets.common.search_field import SearchField
from stepscope.widgets.common.segmented import SegmentedControl
from stepscope.widgets.common.states import EmptyState, ErrorCard
from stepscope.widgets.common.task_chip import TaskChip, TaskProgress
from stepscope.widgets.common.verdict import ShownVerdict, paint_verdict_cell

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
    "RunNameLabel",
    "SearchField",
    "SegmentedControl",
    "ShownVerdict",
    "TaskChip",
    "TaskProgress",
    "cut_run_name",
    "icon_button",
    "paint_reference_glyph",
    "paint_run_glyph",
    "paint_verdict_cell",
    "run_letter",
    "text_button",
]
