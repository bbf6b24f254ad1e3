"""The fault file is a help, not a need."""

import sys

from stepscope.app.gui.shell.crash import CrashGuard


def test_a_log_folder_that_cannot_be_written_keeps_nobody_from_starting(tmp_path):
    (tmp_path / "logs").write_text("a file stands in the folder's place")
    before = sys.excepthook
    guard = CrashGuard(tmp_path / "logs", lambda title, report: None)
    assert guard.install() == ""
    assert sys.excepthook != before, "bugs are still shown"
    guard.remove()
    assert sys.excepthook is sys.__excepthook__
