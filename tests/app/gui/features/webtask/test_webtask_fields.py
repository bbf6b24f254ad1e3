"""The table of the open page's fields: which of them count."""

from __future__ import annotations

from pathlib import Path

from stepscope.app.gui.features.webtask.webtask_controller import ORACLE, TRIAL
from stepscope.widgets.webtask.side_values import FieldAnswerState
from tests.app.gui.conftest import OpenWindow
from tests.app.gui.features.webtask.test_webtask import WebPerson

GROWS = """<form><label><input type="radio" name="more" value="1" onclick="grow()"> tell more</label></form><script>
function grow() { document.forms[0].insertAdjacentHTML("beforeend", "<input type=text name=late>"); }
</script>"""


def test_a_field_that_the_page_did_not_come_with_is_not_scored(open_window: OpenWindow, tmp_path: Path) -> None:
    folder = tmp_path / "grows"
    folder.mkdir()
    (folder / "template.html").write_text(GROWS)
    (folder / "batch.csv").write_text("name,Answer.more,Answer.late\nx,1,tea\n")
    web = WebPerson(open_window(tmp_path))
    web.enter("grows")
    assert web.rows()["late"].state is FieldAnswerState.MISSING

    web.show(ORACLE)
    web.reads("late", "tea")
    web.until(lambda: web.rows()["more"].score == 1, "the score")
    assert web.rows()["late"].state is FieldAnswerState.MISSING, (
        "it is in the page now, but was not when that was loaded"
    )

    web.web.solving.solve("oracle")
    web.until(lambda: web.task.who == TRIAL and web.page.is_ready and web.task.filled is not None, "what it did")
    web.until(lambda: web.rows()["more"].score == 1, "the score")
    assert web.task.filled.missing == ("late",)
    assert web.rows()["late"].state is FieldAnswerState.MISSING
