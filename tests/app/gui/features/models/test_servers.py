"""Chat servers in the window: added, checked against a real server, changed, removed; keys in the keyring only."""

from __future__ import annotations

import pytest
from PySide6.QtWidgets import QPushButton

from stepscope.models.chat import servers
from stepscope.widgets.models.servers import ServerEdit, ServerRow, ServersView
from tests.models.chat.conftest import ring, stage  # noqa: F401 - fixtures
from tests.models.chat.faults import Act

pytestmark = pytest.mark.needs("openai", "keyring")


@pytest.fixture
def view(person) -> ServersView:
    person.choose("models.servers")
    person.settle()
    found = person.window.findChild(ServersView)
    assert found is not None and found.isVisible() and found.model.rowCount() == 0
    return found


def add(person, view: ServersView, name: str, url: str, key: str = "", model: str = "small") -> None:
    """Write a new server into the form and save it."""
    if rows(view):
        person.click(view.add)
    for field, words in ((view.name, name), (view.url, url), (view.served, model), (view.key, key)):
        field.setFocus()
        person.write(words)
    person.click(view.save)
    person.settle()


def buttons(view: ServersView) -> list[str]:
    return [button.text() for button in view.findChildren(QPushButton) if button.isVisible()]


def test_where_there_is_no_server_a_sentence_and_one_button_say_what_to_do(person, view) -> None:
    assert buttons(view) == ["Add server"] and not view.table.isVisible()
    assert view._none.isVisible() and view._none.words().startswith("No chat server is known yet")
    view.set_servers([ServerRow("lab", "http://127.0.0.1:1/v1")])
    assert "Add" in buttons(view) and view.table.isVisible() and not view._none.isVisible()


def rows(view: ServersView) -> list[list[str]]:
    return [
        [view.model.index(place, column).data() for column in range(view.model.columnCount())]
        for place in range(view.model.rowCount())
    ]


def test_added_checked_and_removed(person, view, stage, ring, answer) -> None:  # noqa: F811 - fixtures
    stage.plays('{"object": "list", "data": [{"id": "small"}, {"id": "large"}]}')
    add(person, view, "lab", stage.url, "secret-of-the-lab")
    assert rows(view) == [["lab", stage.url, "small", "keyring"]]
    assert list(ring.values()) == ["secret-of-the-lab"] and view.key.text() == ""
    assert "secret-of-the-lab" not in servers.LIST.file.read_text("utf-8")
    person.click(view.check)
    person.settle()
    assert view._told.text().startswith("lab answers after ") and view._told.text().endswith("and has 2 models.")
    assert stage.seen[-1][1]["Authorization"] == "Bearer secret-of-the-lab"
    person.click(view.forget)
    person.settle()
    assert not ring and rows(view)[0][3] == "–" and not view.forget.isEnabled()
    asked = answer("Remove")
    person.click(view.remove)
    person.settle()
    assert asked == ["Remove the server lab?"] and rows(view) == [] and servers.load() == ()


def test_changed_in_its_place(person, view, ring) -> None:  # noqa: F811 - fixture
    add(person, view, "one", "http://127.0.0.1:1/v1")
    add(person, view, "two", "http://models.example/v1")
    assert [row[0] for row in rows(view)] == ["one", "two"]
    assert "can be read on the way" in view._told.text(), "plain http to another machine"
    view.table.setCurrentIndex(view.model.index(0, 0))
    assert view.current() == "one" and not view.name.isEnabled()
    view.parallel.setValue(2)
    view.pictures.setChecked(False)
    person.click(view.save)
    person.settle()
    first = servers.load()[0]
    assert (first.name, first.parallel, first.pictures) == ("one", 2, False)


@pytest.mark.parametrize(
    ("name", "url", "words"),
    [("Lab 1", "http://127.0.0.1/v1", "cannot be the name"), ("lab", "nowhere", "is no URL of a server")],
)
def test_what_cannot_be_kept_is_told_in_the_dialog(person, view, ring, name, url, words) -> None:  # noqa: F811
    add(person, view, name, url)
    assert words in view._told.text() and rows(view) == [] and person.told == []


def test_a_server_that_fails_or_lacks_the_model_is_told(person, view, stage, ring) -> None:  # noqa: F811 - fixtures
    add(person, view, "lab", stage.url)
    for act, words in ((Act(status=500), "lab broke (500)"), ('{"data": [{"id": "other"}]}', "has no model small")):
        stage.plays(act)
        person.click(view.check)
        person.settle()
        assert words in view._told.text()
    assert person.alive()


def test_a_key_is_not_printed() -> None:
    assert "hidden" not in repr(ServerEdit(ServerRow("a", "b"), True, "hidden"))
