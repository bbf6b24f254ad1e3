"""Preferences ▸ Privacy: rules of what is never sent, and what a person agreed to."""

from __future__ import annotations

import os
from pathlib import Path

from stepscope.models.chat import consents, redaction_rules
from stepscope.models.chat.servers import ChatServer
from stepscope.widgets.preferences.settings_page import SettingRowsPage
from tests.app.gui.conftest import Person

LAB = ChatServer("lab", "https://models.example/v1")


def privacy_page(person: Person) -> SettingRowsPage:
    person.press("Ctrl+,")
    person.settle()
    person.window.preferences.show_page("Privacy")
    found = person.bench.preferences._settings["Privacy"]
    person.until(lambda: "never sent" in found.shown(), "the page")
    return found


def save_picture(widget, name: str) -> None:
    if folder := os.environ.get("STEPSCOPE_PICTURES"):
        widget.grab().save(f"{folder}/{name}.png")


def test_rules_are_added_and_removed_in_the_window(person: Person) -> None:
    page = privacy_page(person)
    assert page._lines["never sent"].row.value == "0 rules"
    person.click(page.control("never sent"))
    dialog = person.bench.preferences.redactions.dialog
    assert dialog is not None and not dialog.add.isEnabled() and dialog.none.isVisible()
    dialog.fields["name"].setText("mail")
    assert not dialog.add.isEnabled(), "a name alone says nothing"
    dialog.fields["id_has"].setText("email")
    dialog.fields["app"].setText("com.x")
    person.click(dialog.add)
    person.until(lambda: dialog.list.topLevelItemCount() == 1, "the rule")
    assert dialog.list.topLevelItem(0).text(1) == "id contains “email”, app com.x"
    assert [one.name for one in redaction_rules.load()] == ["mail"] and not dialog.fields["name"].text()
    person.until(lambda: page._lines["never sent"].row.value == "1 rule", "the page knows")
    dialog.fields["name"].setText("mail")
    dialog.fields["text"].setText("x")
    person.click(dialog.add)
    person.until(lambda: "already" in dialog._trouble.text(), "the name is in use")
    save_picture(dialog, "never-sent")
    dialog.list.setCurrentItem(dialog.list.topLevelItem(0))
    person.click(dialog.remove)
    person.until(lambda: dialog.list.topLevelItemCount() == 0, "it is gone")
    assert redaction_rules.load() == ()
    person.until(lambda: page._lines["never sent"].row.value == "0 rules", "the page knows")


def test_what_was_agreed_is_shown_and_withdrawn(person: Person, tmp_path: Path) -> None:
    redaction_rules.add(redaction_rules.RedactionRule("mail", id="email"))
    consents.give(tmp_path / "walks", LAB)
    page = privacy_page(person)
    row = page._lines["consent 0"].row
    assert row.words == "walks to lab" and str(tmp_path / "walks") in row.about and LAB.url in row.about
    save_picture(person.window, "privacy")
    person.click(page.control("consent 0"))
    person.until(lambda: "no consents" in page.shown(), "it is withdrawn")
    assert consents.load() == ()


def test_rules_that_cannot_be_read_are_told(person: Person) -> None:
    redaction_rules.LIST.file.parent.mkdir(parents=True, exist_ok=True)
    redaction_rules.LIST.file.write_text("{")
    assert privacy_page(person)._lines["never sent"].row.value == "cannot be read"
