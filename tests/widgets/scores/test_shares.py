from __future__ import annotations

import pytest
from PySide6.QtCore import QPoint, QPointF, Qt
from PySide6.QtGui import QColor
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from stepscope.app.gui.shell.theme import apply_theme
from stepscope.widgets.scores.breakdown_values import Bar, BarOrder
from stepscope.widgets.scores.card import mix
from stepscope.widgets.scores.shares import BarList
from stepscope.widgets.theme import DARK, LIGHT

APPS = (
    Bar("Yelp", 4, 11, "yelp", (0.15, 0.65)),
    Bar("spotify", 9, 14, "spotify", (0.388, 0.837)),
    Bar("Tiny", 1, 1, "tiny", (0.207, 1.0)),
    Bar("Reddit", 2, 21, "reddit"),
    Bar("Zero", 0, 0),
)


@pytest.fixture
def apps(qtbot: QtBot, themed: object) -> BarList:
    shown = BarList("Wrong share by app", asks="wrong")
    qtbot.addWidget(shown)
    shown.resize(560, 300)
    shown.set_bars(APPS)
    shown.show()
    qtbot.waitExposed(shown)
    return shown


@pytest.fixture
def reasons(qtbot: QtBot, themed: object) -> BarList:
    shown = BarList("Recall by reason", stacked=True, sortable=False, hides_few=False)
    qtbot.addWidget(shown)
    shown.resize(248, 224)
    shown.set_bars([Bar("impossible", 36, 58, 1), Bar("unclear", 4, 12, 2), Bar("other", 1, 4, 3)], run=0)
    shown.show()
    qtbot.waitExposed(shown)
    return shown


def names(view: BarList) -> list[str]:
    return [bar.label for bar in view.shown()]


def test_names_with_few_items_wait_until_asked_for(apps: BarList, qtbot: QtBot) -> None:
    assert names(apps) == ["spotify", "Yelp", "Reddit"]
    assert apps.detail.text() == "3 of 5, n ≥ 10" and apps.more.text() == "Show all 5"
    qtbot.mouseClick(apps.more, Qt.MouseButton.LeftButton)
    assert names(apps) == ["spotify", "Yelp", "Reddit", "Tiny", "Zero"], "a share of one item is never the worst"
    assert apps.detail.text() == "5" and apps.more.text() == "Only n ≥ 10"


@pytest.mark.parametrize(
    ("order", "expected"),
    [
        (BarOrder.WORST, ["spotify", "Yelp", "Reddit"]),
        (BarOrder.ITEMS, ["Reddit", "spotify", "Yelp"]),
        (BarOrder.NAME, ["Reddit", "spotify", "Yelp"]),
    ],
)
def test_the_menu_orders_the_rows(apps: BarList, order: BarOrder, expected: list[str]) -> None:
    action = next(action for action in apps._order_button.menu().actions() if action.text() == order.value)
    action.trigger()
    assert names(apps) == expected
    assert apps._order_button.text() == order.value


def test_a_click_on_a_row_chooses_it(apps: BarList, qtbot: QtBot) -> None:
    with qtbot.waitSignal(apps.chosen) as chosen:
        qtbot.mouseClick(apps.rows, Qt.MouseButton.LeftButton, pos=apps.rows.tile(1, 0).center().toPoint())
    assert chosen.args == ["yelp"]


def test_a_row_without_a_key_and_the_room_below_choose_nothing(apps: BarList, qtbot: QtBot) -> None:
    apps.more.click()
    with qtbot.assertNotEmitted(apps.chosen):
        qtbot.mouseClick(apps.rows, Qt.MouseButton.LeftButton, pos=apps.rows.tile(4, 0).center().toPoint())
        qtbot.mouseClick(apps.rows, Qt.MouseButton.LeftButton, pos=QPoint(20, apps.rows.height() - 2))
    assert apps.rows.tile_at(QPointF(20, -5)) is None


def test_up_down_and_enter(apps: BarList, qtbot: QtBot) -> None:
    for key in (Qt.Key.Key_Down, Qt.Key.Key_Down, Qt.Key.Key_Down, Qt.Key.Key_Up):
        qtbot.keyClick(apps.rows, key)
    assert apps.rows.accessibleDescription() == "Yelp: 4 of 11 wrong, 0.36, 95 % interval 0.15 – 0.65"
    with qtbot.waitSignal(apps.chosen) as chosen:
        qtbot.keyClick(apps.rows, Qt.Key.Key_Enter)
    assert chosen.args == ["yelp"]


@pytest.mark.parametrize("theme", [DARK, LIGHT])
def test_bars_are_as_long_as_their_shares(apps: BarList, themed: QApplication, theme: object) -> None:
    apply_theme(themed, theme)  # type: ignore[arg-type]
    track = apps.rows._places(apps.rows.tile(2, 0))[3]  # Reddit has no whisker
    picture = apps.rows.grab().toImage()
    middle, end = round(track.center().y()), track.left() + track.width() * 2 / 21
    filled = mix(theme.miss, 0.85, theme.line2)  # type: ignore[attr-defined]
    assert picture.pixelColor(round(end) - 3, middle) == filled
    assert picture.pixelColor(round(end) + 3, middle) == QColor(theme.line2)  # type: ignore[attr-defined]


def test_reasons_keep_their_order_and_show_few_in_grey(reasons: BarList) -> None:
    assert names(reasons) == ["impossible", "unclear", "other"]
    assert reasons.rows.words(2, 0) == "other: 1 of 4, 0.25, few"
    assert not reasons.more.isVisible() and not reasons._order_button.isVisible()
    track = reasons.rows._places(reasons.rows.tile(0, 0))[3]
    assert reasons.rows.grab().toImage().pixelColor(track.center().toPoint()) == QColor(DARK.run_a)


@pytest.mark.parametrize("percent", [80, 100, 200])
def test_stacked_words_never_overlap(reasons: BarList, themed: QApplication, percent: int) -> None:
    apply_theme(themed, DARK, percent)
    QApplication.processEvents()
    for row in range(3):
        label, share, count, track = reasons.rows._places(reasons.rows.tile(row, 0))
        assert not share.intersects(count) and not label.intersects(share) and not label.intersects(count)
        assert track.bottom() <= reasons.rows.tile(row, 0).bottom()
    assert reasons.rows.height() >= 3 * reasons.rows.row_height()


def test_many_rows_scroll_and_the_current_one_stays_in_view(apps: BarList, qtbot: QtBot) -> None:
    apps.set_bars([Bar(f"App {place:04}", place, 1_000_000_000, place) for place in range(1000)])
    apps.resize(300, 160)
    for _ in range(40):
        qtbot.keyClick(apps.rows, Qt.Key.Key_Down)
    centre = apps.rows.tile(40, 0).center().toPoint()
    assert apps._scroll.viewport().rect().contains(apps.rows.mapTo(apps._scroll.viewport(), centre))


def test_no_bars_say_so(apps: BarList, qtbot: QtBot) -> None:
    apps.set_bars([])
    apps.grab()
    assert names(apps) == [] and not apps.more.isVisible() and apps.detail.text() == ""
    with qtbot.assertNotEmitted(apps.chosen):
        qtbot.keyClick(apps.rows, Qt.Key.Key_Return)
