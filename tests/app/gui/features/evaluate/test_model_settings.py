"""A served model fills in pages from the window: its settings are chosen beside it and stay with the run."""

from __future__ import annotations

import importlib.util
from pathlib import Path

import pytest
from PySide6.QtWidgets import QCheckBox, QComboBox, QSpinBox

from stepscope.core.domain.prediction import Task
from stepscope.core.evaluation.summaries import summary
from stepscope.models.chat import servers
from stepscope.models.chat.servers import ChatServer
from tests.app.gui.conftest import OpenWindow, Person
from tests.models.chat.conftest import ring, stage  # noqa: F401 - fixtures
from tests.models.chat.faults import Stage, completion

pytestmark = pytest.mark.needs("openai")


NAME = "page:lab/small?demos=2&html=relevant"


@pytest.fixture
def pages(tmp_path: Path) -> Path:
    """Two tasks of one page; the answer to "colour" is what its page says, to "warm" yes."""
    for task, column, form in (
        ("Colour", "colour", "<p>${colour}</p><input type=text name=said>"),
        ("Warm", "cloth", "<p>${cloth}</p><input type=radio name=warm value=yes><input type=radio name=warm value=no>"),
    ):
        folder = tmp_path / "pages" / task
        folder.mkdir(parents=True)
        (folder / "template.html").write_text(form)
        field, answer = ("said", "red") if task == "Colour" else ("warm", "yes")
        (folder / "batch.csv").write_text(f"Input.{column},Answer.{field}\nred,{answer}\n")
    return tmp_path / "pages"


def form_of(person: Person) -> dict[str, object]:
    return {field.option.name: field.widget for field in person.window.evaluate.fields.settings}


def test_a_served_model_is_set_and_run_from_the_form(
    open_window: OpenWindow, pages: Path, stage: Stage, ring: object  # noqa: F811 - fixtures
) -> None:  # fmt: skip
    if importlib.util.find_spec("PySide6.QtWebEngineCore") is None:
        pytest.skip("there is no browser engine")
    servers.add(ChatServer("lab", stage.url, "small", parallel=1))  # one page after the other
    stage.plays(completion("self.actions.modify_text('said', 'red')"), completion("modify_radio('warm', 'yes')"))
    person = open_window(pages)
    form = person.window.evaluate
    person.choose("evaluate.webtask")
    person.until(lambda: form.fields.model.findData("page:lab/small") >= 0, "the server's model")
    form.fields.model.setCurrentIndex(form.fields.model.findData("page:lab/small"))
    fields = form_of(person)
    demos, html, vision = fields["demos"], fields["html"], fields["vision"]
    assert isinstance(demos, QSpinBox) and isinstance(html, QComboBox) and isinstance(vision, QCheckBox)
    assert "Solved pages of other tasks" in demos.toolTip()
    demos.setValue(2)
    html.setCurrentText("relevant")
    assert f"--model '{NAME}'" in form.command() and form.request().model == NAME
    before = set(person.bench.results.run_ids)
    form.run()
    run = person.done(before)
    assert person.bench.results.current.spec.model == NAME
    first, second = (body["messages"] for body in stage.bodies)
    assert [len(first), len(second)] == [4, 4], "each is shown the other task, of which there is one"
    assert "<p>red</p>" in first[1]["content"] and 'modify_radio("warm", "yes")' in first[2]["content"]
    assert summary(person.bench.context.database, run)["metrics"] == {"score": 1}

    person.bench.evaluate.show_form(Task.WEBTASK, NAME)
    assert form.request().model == NAME, "the same again"
