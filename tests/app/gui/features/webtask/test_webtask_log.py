"""The log of actions as a file."""

from __future__ import annotations

from stepscope.app.gui.features.webtask.webtask_log_controller import trace_file
from stepscope.core.webtask.actions import ModifyText
from stepscope.core.webtask.page import ExecutedCall
from stepscope.core.webtask.solving import Trace, trace_from_json


def test_half_a_character_of_a_page_does_not_stop_the_file() -> None:
    written = trace_file(
        Trace((ExecutedCall(ModifyText("why", "tea \ud83d é"), 1.0, 0.1),), left={"why": "tea \ud83d é"})
    )
    read = trace_from_json(written.decode())
    assert read.left == {"why": "tea ? é"} and read.log[0].action == ModifyText("why", "tea ? é")
