"""The window without a mouse, without good eyes, and with large text."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QAbstractButton, QApplication, QLineEdit, QTabBar, QWidget

from stepscope.app.gui.shell.focus_order import is_stop, panels, parts
from stepscope.app.gui.shell.layouts import PAGES, WORKSPACES
from stepscope.widgets.theme import Theme
from tests.app.gui.shell.looks import clipped, name_of, ring_of, shown, words_of


@pytest.fixture
def compared(person, guesses, tmp_path):
    """Two runs are shown, so that no workspace is empty."""
    again = tmp_path / "again.jsonl"
    again.write_text(guesses.read_text().replace("elsewhere", "again").replace('"home"', '"back"'))
    person.score(guesses)
    person.score(again)
    person.choose("workspace.replay")
    person.settle()
    return person


def workspaces(person) -> Iterator[str]:
    for name in WORKSPACES:
        person.choose("view.start" if name in PAGES else f"workspace.{name}")
        person.settle()
        yield name


# Every workspace ------------------------------------------------------------------------------------------------------


def test_whatever_takes_the_keyboard_is_named_comes_in_order_and_wears_a_ring(compared) -> None:
    nameless, wordless, bare = set(), set(), set()
    for workspace in workspaces(compared):
        nameless |= {f"{workspace}: {name_of(one)}" for one in own_parts(compared) if is_nameless(one)}
        wordless |= {f"{workspace}: {name_of(one)}" for one in own_parts(compared) if is_wordless(one)}
        bare |= {f"{workspace}: {name_of(one)}" for one in go_round(compared) if ring_of(one) < 2}
    assert nameless == set(), "without an accessible name"
    assert wordless == set(), "icons without a tooltip"
    assert bare == set(), "without a ring of two pixels"


def own_parts(person) -> list[QWidget]:
    """Visible parts but for those inside of Qt's own."""
    return [one for one in shown(person.window) if not isinstance(one.parentWidget(), QLineEdit | QTabBar)]


def is_nameless(widget: QWidget) -> bool:
    return is_stop(widget) and not widget.accessibleName() and not words_of(widget)


def is_wordless(widget: QWidget) -> bool:
    return isinstance(widget, QAbstractButton) and not words_of(widget) and not widget.toolTip()


def go_round(person) -> Iterator[QWidget]:
    """Everything that Tab comes to until it is back where it began, in the order in which one reads it."""
    for _ in range(60):  # of buttons of which one holds Tab reaches that one, once it was there
        person.press("Tab")
    stops = [stop for panel in panels(person.window) for stop in parts(panel)]
    stops[0].setFocus()
    for stop in [*stops[1:], stops[0]]:
        person.press("Tab")
        assert QApplication.focusWidget() is stop
        yield stop
    person.press("Shift+Tab")
    assert QApplication.focusWidget() is stops[-1]


def test_no_words_are_cut_at_any_text_size(compared) -> None:
    for percent in (80, 150, 200):
        compared.bench.context.prefer(text_percent=percent)
        compared.bench.appearance.apply()
        compared.settle()
        for workspace in workspaces(compared):
            try:
                compared.until(lambda: not clipped(compared.window), "room for all words")
            except TimeoutError:
                assert (percent, workspace, clipped(compared.window)) == (percent, workspace, set())


def test_the_screen_is_read_as_a_sentence(compared) -> None:
    """The tap of run A, and of its copy, is 15 of 240 pixels below the button; at the last action both press a key."""
    compared.press("Home", compared.screen)
    compared.settle()
    assert compared.screen.accessibleDescription() == "Step 1 of 5. Reference tap, Search. Run A hit. Run B hit."
    compared.bench.viewer.go(3)
    compared.settle()
    said = compared.screen.accessibleDescription()
    assert said.startswith("Step 4 of 5. Reference press key, back. Run A miss, ") and said.endswith(" Run B hit.")
    compared.press("End", compared.screen)
    compared.settle()
    assert compared.screen.accessibleDescription() == "Step 5 of 5. No reference action."


# The keyboard ---------------------------------------------------------------------------------------------------------


def test_the_panels_of_replay_come_in_their_order(person) -> None:
    window = person.window
    docks = window.docks
    order = [
        window.rail,
        docks["episodes"],
        window.centralWidget(),
        docks["inspector"],
        docks["tree"],
        docks["timeline"],
    ]
    assert panels(window)[:6] == order
    assert panels(window)[6:] == [window.menuBar().cornerWidget(), window.statusBar()]
    assert parts(window.centralWidget())[-1] is person.screen, "title row and chips come before the screen"


def test_f6_leads_from_panel_to_panel(person) -> None:
    window = person.window
    person.screen.setFocus()
    there = []
    for _ in range(6):
        person.press("F6")
        focus = QApplication.focusWidget()
        there.append(next(panel for panel in panels(window) if panel.isAncestorOf(focus)))
    docks = window.docks
    corner = window.menuBar().cornerWidget()
    assert there == [docks["inspector"], docks["tree"], docks["timeline"], corner, window.rail, docks["episodes"]]
    assert QApplication.focusWidget() is window.episodes.list
    person.press("F6")
    assert QApplication.focusWidget() is person.screen
    person.press("Shift+F6")
    assert QApplication.focusWidget() is window.episodes.list


# Colours and motion ---------------------------------------------------------------------------------------------------

THEMES = (Theme.dark(), Theme.light(), Theme.high_contrast())
GROUNDS = ("window", "chrome", "panel", "raised", "inset", "hover")
ON_CANVAS = ("text", "secondary", "dim")
"""What is written beside a screen; marks on it bring a casing of their own."""
INKS = (*ON_CANVAS, "accent", "hit", "miss", "warn", "reference")
MARKS = ("run_a", "run_b", "run_c", "run_d", "selection_line")


def luminance(colour: str) -> float:
    """Relative luminance of sRGB (WCAG 2.2)."""
    parts = [int(colour[at : at + 2], 16) / 255 for at in (1, 3, 5)]
    red, green, blue = (part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def contrast(ink: str, ground: str) -> float:
    light, dark = sorted((luminance(ink), luminance(ground)), reverse=True)
    return (light + 0.05) / (dark + 0.05)


def test_contrast_is_as_the_web_guidelines_reckon_it() -> None:
    assert contrast("#000000", "#FFFFFF") == pytest.approx(21)
    assert contrast("#777777", "#FFFFFF") == pytest.approx(4.48, abs=0.01)


@pytest.mark.parametrize("colours", THEMES, ids=lambda colours: colours.name)
def test_words_and_marks_stand_out_from_every_ground(colours: Theme) -> None:
    pairs = [(ink, ground, 4.5) for ink in INKS for ground in GROUNDS]
    pairs += [(ink, "canvas", 4.5) for ink in ON_CANVAS]
    pairs += [(ink, "selection", 4.5) for ink in ("text", "secondary", "dim", "hit", "miss", "warn")]
    pairs += [(ink, f"{ink}_background", 4.5) for ink in ("hit", "miss", "warn")]
    pairs += [("accent_text", "accent_background", 4.5)]
    pairs += [(mark, ground, 3.0) for mark in MARKS for ground in (*GROUNDS, "selection")]
    weak = {
        (ink, ground): round(contrast(getattr(colours, ink), getattr(colours, ground)), 2)
        for ink, ground, least in pairs
        if contrast(getattr(colours, ink), getattr(colours, ground)) < least
    }
    assert weak == {}


def test_nothing_moves_by_itself(person) -> None:
    effects = (Qt.UIEffect.UI_AnimateMenu, Qt.UIEffect.UI_FadeMenu, Qt.UIEffect.UI_AnimateCombo,
               Qt.UIEffect.UI_FadeTooltip, Qt.UIEffect.UI_AnimateTooltip)  # fmt: skip
    assert [effect for effect in effects if QApplication.isEffectEnabled(effect)] == []
    assert not person.window.isAnimated()


def test_the_view_in_front_has_the_keyboard_where_what_had_it_is_hidden(person) -> None:
    window = person.window
    person.choose("evaluate.automation")
    person.settle()
    window.evaluate.fields.seed.setFocus()
    person.press("Esc")
    assert window.docks["evaluate"].isHidden() and QApplication.focusWidget() is person.screen
    person.bench.context.messages.info("Something of this data.", title="Told.")
    person.settle()
    cross = window.messages.findChild(QAbstractButton)
    cross.setFocus()
    person.click(cross)
    assert QApplication.focusWidget() is person.screen
    person.choose("workspace.results")
    person.choose("evaluate.automation")
    person.settle()
    window.evaluate.fields.seed.setFocus()
    person.press("Esc")
    assert window.stack.currentWidget().isAncestorOf(QApplication.focusWidget())
