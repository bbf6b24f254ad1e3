"""The loupe by its keys, wherever the keyboard is."""

from __future__ import annotations

from PySide6.QtCore import Qt


def under(person) -> tuple[int, int] | None:
    loupe = person.screen.loupe
    return (int(loupe.place.x), int(loupe.place.y)) if loupe is not None else None


def test_z_held_is_a_loupe_at_the_reference_mark(person) -> None:
    person.hold(Qt.Key.Key_Z)
    assert under(person) == (54, 120)
    person.hold(Qt.Key.Key_Right)
    assert under(person) == (55, 120)
    assert person.place == ("lamp", 0), "the arrow leads the loupe"
    person.let_go(Qt.Key.Key_Z)
    assert under(person) is None
    person.press("Right")
    assert person.place == ("lamp", 1)


def test_z_works_in_other_panels_but_not_in_text(person) -> None:
    person.window.tree.tree.setFocus()
    person.hold(Qt.Key.Key_Z)
    assert under(person) == (54, 120)
    person.let_go(Qt.Key.Key_Z)
    assert under(person) is None
    person.press("/")
    person.write("z")
    assert under(person) is None


def test_a_chosen_loupe_stays_while_stepping(person) -> None:
    action = person.bench.commands.actions["zoom.loupe"]
    person.press("Shift+Z")
    assert action.isChecked()
    assert under(person) == (54, 120)
    person.press("Right")
    assert under(person) is not None
    person.press("Shift+Z")
    assert not action.isChecked()
    assert under(person) is None


def test_f_changes_between_the_whole_picture_and_its_width(person) -> None:
    assert person.screen.viewport.fit_words == "Fit"
    person.press("F")
    assert person.screen.viewport.fit_words == "Fit width"
    person.press("+")
    assert person.screen.viewport.fit_words == ""
    person.press("F")
    assert person.screen.viewport.fit_words == "Fit"
