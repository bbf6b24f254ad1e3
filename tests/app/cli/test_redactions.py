"""`stepscope servers redact`."""

from __future__ import annotations

import pytest

from stepscope.models.chat import redaction_rules


@pytest.fixture(autouse=True)
def home(tmp_path, monkeypatch):
    monkeypatch.setenv("STEPSCOPE_HOME", str(tmp_path / "home"))


def test_rules_are_added_listed_and_removed(cli):
    assert "only password fields" in cli("servers", "redact", "list").out
    added = cli("servers", "redact", "add", "mail", "--id-contains", "email", "--app", "com.x", "--json")
    form = {
        "name": "mail", "id": "", "id_has": "email", "kind": "", "text": "", "text_has": "", "app": "com.x",
    }  # fmt: skip
    assert (added.status, added.json) == (0, form)
    told = cli("servers", "redact", "add", "names", "--text", "Anna", "--class", "TextView")
    assert told.status == 0 and "never sent from now on: class TextView, text “Anna”" in told.err
    assert [one["name"] for one in cli("servers", "redact", "list", "--json").json] == ["mail", "names"]
    assert "id contains “email”, app com.x" in cli("servers", "redact", "list").out
    again = cli("servers", "redact", "add", "mail", "--id", "x")
    assert again.status == 2 and "a rule 'mail' already" in again.err
    assert "sent again: id contains" in cli("servers", "redact", "remove", "mail").err
    assert cli("servers", "redact", "remove", "mail").status == 2
    assert [one.name for one in redaction_rules.load()] == ["names"]


def test_a_rule_that_says_nothing_is_refused(cli):
    ended = cli("servers", "redact", "add", "all")
    assert ended.status == 2 and "says nothing of what is never sent" in ended.err and redaction_rules.load() == ()
