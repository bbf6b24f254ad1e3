"""A GUI agent behind a server, from the menu to the stored result: its adapter is chosen beside it, its mark lies where
it said, and the run keeps what was sent."""

from __future__ import annotations

from pathlib import Path

import pytest
from PySide6.QtWidgets import QComboBox

from stepscope.core.domain.action import Tap
from stepscope.core.domain.geometry import Point
from stepscope.core.domain.model_call import CoordinateSpace, SaidPoint
from stepscope.core.store import queries
from stepscope.core.store.repositories import model_calls
from stepscope.models.chat import servers
from stepscope.models.chat.servers import ChatServer
from tests.app.gui.conftest import SIZE, OpenWindow, Person
from tests.models.chat.conftest import ring, stage  # noqa: F401 - fixtures
from tests.models.chat.faults import Stage, completion

pytestmark = pytest.mark.needs("openai")

MODEL = "served:lab/ui-tars-1.5-7b#automation"


def settings_of(person: Person) -> dict[str, object]:
    return {field.option.name: field.widget for field in person.window.evaluate.fields.settings}


def test_an_agent_is_run_from_the_menu_and_its_mark_lies_where_it_said(
    open_window: OpenWindow, shop: Path, stage: Stage, ring: object  # noqa: F811 - fixtures
) -> None:  # fmt: skip
    servers.add(ChatServer("lab", stage.url, "ui-tars-1.5-7b", parallel=1))
    stage.plays(completion("Thought: Search.\nAction: click(start_box='(500,500)')"))
    person = open_window(shop)
    form = person.window.evaluate
    person.choose("evaluate.automation")
    person.until(lambda: form.fields.model.findData(MODEL) >= 0, "the server's agent")
    form.fields.model.setCurrentIndex(form.fields.model.findData(MODEL))
    fields = settings_of(person)
    adapter, screens = fields["adapter"], fields["screens"]
    assert isinstance(adapter, QComboBox) and isinstance(screens, QComboBox)
    assert (adapter.currentText(), screens.currentText()) == ("ui-tars-1.5", "adapter"), "by the model's name"
    adapter.setCurrentText("ui-tars-1.0")
    assert f"--model '{MODEL}?adapter=ui-tars-1.0'" in form.command()
    before = set(person.bench.results.run_ids)
    form.run()
    run = person.done(before)
    with person.bench.context.database.reading() as db:
        items = queries.items(db, run, limit=None).rows
        calls = model_calls.of_episode(db, run, "lamp")
    assert {one.prediction.action for one in items} == {Tap(Point(SIZE.width / 2, SIZE.height / 2, SIZE))}
    (call,) = calls[0]
    assert call.said == (SaidPoint(500, 500, CoordinateSpace.THOUSAND),) and "click(start_box" in call.output
    (picture,) = call.pictures
    assert (picture.width, picture.height) == (112, 252), "in multiples of 28, as UI-TARS 1.0 wants it"


def test_nonsense_is_told_while_it_runs_with_a_way_to_pause(
    open_window: OpenWindow, shop: Path, stage: Stage, ring: object  # noqa: F811 - fixtures
) -> None:  # fmt: skip
    servers.add(ChatServer("lab", stage.url, "ui-tars-1.5-7b", parallel=1))
    stage.plays(completion("I would press the button that says Next."))
    person = open_window(shop)
    person.choose("evaluate.automation")
    model = person.window.evaluate.fields.model
    person.until(lambda: model.findData(MODEL) >= 0, "the server's agent")
    told: list[str] = []
    warn = person.bench.context.messages.warning
    person.bench.context.messages.warning = lambda text, *buttons, **more: (  # type: ignore[method-assign]
        told.extend([text, *(words for _, words in buttons)]), warn(text, *buttons, **more)
    )  # fmt: skip
    person.evaluate(MODEL, "aitw")
    assert [one for one in told if "could be read" in one and "adapter" in one], told
    assert "Pause" in told
