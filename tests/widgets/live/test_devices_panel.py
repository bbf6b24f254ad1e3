"""The list of devices and the form that connects one."""

from __future__ import annotations

from dataclasses import replace

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QContextMenuEvent, QGuiApplication
from PySide6.QtTest import QAbstractItemModelTester, QTest
from PySide6.QtWidgets import QApplication, QMenu, QStyleOptionViewItem

from stepscope.app.gui.shell.theme import apply_theme
from stepscope.widgets.live import SIMULATED, DeviceRow, DevicesPanel, RowState
from stepscope.widgets.live.connect_form import address_problem, whole_address
from stepscope.widgets.live.device_rows import DevicesItemModel, row_words
from stepscope.widgets.theme import Theme

PIXEL = DeviceRow("17061", "Pixel 7", "USB", RowState.READY, "USB · Android 14 · 1080 × 2400")
PHONE = DeviceRow(SIMULATED, "Simulated phone", "simulated", RowState.READY, "Shop · no phone needed")
LOCKED = DeviceRow("93", "Moto G", "USB", RowState.UNAUTHORISED, "USB", "Unlock the phone and allow USB debugging.")
TABLET = DeviceRow(
    "10.0.0.7:5555", "Tablet", "network", RowState.OFFLINE, "network", "Is its Wi-Fi on?", forgettable=True
)


@pytest.fixture
def panel(show) -> DevicesPanel:
    panel = show(DevicesPanel())
    panel.set_devices((PIXEL, PHONE, LOCKED, TABLET))
    return panel


def serials(panel: DevicesPanel) -> list[str]:
    model = panel.list.model()
    return [model.index(row, 0).data(Qt.ItemDataRole.UserRole).serial for row in range(model.rowCount())]


def go_to(panel: DevicesPanel, serial: str) -> QPoint:
    """Make the device's row the current one; its middle."""
    index = panel.list.model().index(serials(panel).index(serial), 0)
    panel.list.setCurrentIndex(index)
    return panel.list.visualRect(index).center()


def test_the_simulated_phone_comes_first_and_the_others_in_their_order(panel) -> None:
    assert serials(panel) == [SIMULATED, "17061", "93", "10.0.0.7:5555"]


def test_the_model_keeps_its_promises(qtbot, themed) -> None:
    model = DevicesItemModel()
    tester = QAbstractItemModelTester(model, QAbstractItemModelTester.FailureReportingMode.Fatal)
    model.set_rows((PIXEL, PHONE))
    model.set_rows((DeviceRow("17061", "Pixel 7", "USB", RowState.LIVE), PHONE))
    model.set_rows((LOCKED,))
    model.set_rows(())
    assert tester.model() is model and model.rowCount() == 0


def test_arrows_walk_and_enter_connects_what_can_be_connected(panel, heard) -> None:
    asked = heard(panel.connect_requested)
    go_to(panel, SIMULATED)
    for _row in range(4):
        QTest.keyClick(panel.list, Qt.Key.Key_Return)
        QTest.keyClick(panel.list, Qt.Key.Key_Down)
    assert asked == [SIMULATED, "17061", "10.0.0.7:5555"], "a phone that has not agreed cannot be connected"


def test_a_double_click_connects_and_so_does_a_click_on_the_pill(panel, heard) -> None:
    asked = heard(panel.connect_requested)
    middle = go_to(panel, "17061")
    QTest.mouseClick(panel.list.viewport(), Qt.MouseButton.LeftButton, pos=middle)
    assert asked == []
    option = QStyleOptionViewItem()
    panel.list.initViewItemOption(option)
    option.rect = panel.list.visualRect(panel.list.currentIndex())
    pill = panel.list.itemDelegate().pill_place(option, PIXEL, offered=True)
    QTest.mouseClick(panel.list.viewport(), Qt.MouseButton.LeftButton, pos=pill.center())
    assert asked == ["17061"]
    QTest.mouseDClick(panel.list.viewport(), Qt.MouseButton.LeftButton, pos=go_to(panel, SIMULATED))
    assert asked == ["17061", SIMULATED]


def test_the_menu_offers_what_the_device_allows(panel, heard) -> None:
    def possible(serial: str) -> list[str]:
        return [entry.text() for entry in panel.menu_for(serial).actions() if entry.isEnabled()]

    assert possible("17061") == ["Connect", "Copy serial"]
    assert possible("93") == ["Copy serial"]
    assert possible("10.0.0.7:5555") == ["Connect", "Copy serial", "Forget"]
    panel.set_devices((DeviceRow("17061", "Pixel 7", "USB", RowState.LIVE),))
    assert possible("17061") == ["Disconnect", "Copy serial"]
    left, copied = heard(panel.disconnect_requested), heard(panel.serial_copied)
    for entry in panel.menu_for("17061").actions():
        entry.trigger()
    assert (left, copied) == (["17061"], ["17061"])
    assert QGuiApplication.clipboard().text() == "17061"


def test_the_menu_key_opens_the_menu_of_the_current_row(panel, heard) -> None:
    wanted = heard(panel.list.menu_wanted)
    over = go_to(panel, "17061")
    go_to(panel, "93")
    for reason in (QContextMenuEvent.Reason.Keyboard, QContextMenuEvent.Reason.Mouse):
        spot = panel.list.viewport().mapToGlobal(over)
        QApplication.sendEvent(panel.list.viewport(), QContextMenuEvent(reason, over, spot))
    assert [serials(panel)[index.row()] for index, _spot in wanted] == ["93", "17061"]
    menus = panel.findChildren(QMenu)
    assert len(menus) == 2
    for menu in menus:
        menu.close()


def test_the_current_row_stays_on_its_device_and_follows_the_one_that_comes_into_use(panel) -> None:
    go_to(panel, "93")
    panel.set_devices((PHONE, LOCKED, TABLET))
    assert panel.current() == "93"
    panel.set_devices((PHONE, LOCKED, DeviceRow("10.0.0.7:5555", "Tablet", "network", RowState.CONNECTING)))
    assert panel.current() == "10.0.0.7:5555"


def test_a_row_is_higher_by_the_hint_that_says_what_to_do(panel) -> None:
    heights = [panel.list.sizeHintForRow(row) for row in range(4)]
    assert heights[0] == heights[1] < heights[3] <= heights[2]
    assert row_words(LOCKED) == "Moto G. USB. unauthorised. Unlock the phone and allow USB debugging"
    assert panel.list.model().index(2, 0).data(Qt.ItemDataRole.AccessibleTextRole) == row_words(LOCKED)


@pytest.mark.parametrize("percent", [80, 100, 200])
def test_the_list_is_as_high_as_its_rows_at_any_text_size(panel, qtbot, themed, percent) -> None:
    apply_theme(themed, Theme.light(), percent)
    needed = sum(panel.list.sizeHintForRow(row) for row in range(4))
    qtbot.waitUntil(lambda: panel.list.viewport().height() >= needed)


def test_alone_the_simulated_phone_is_told_how_to_get_company(panel) -> None:
    panel.set_devices((PHONE,))
    assert panel._note.isVisible() and "USB debugging" in panel._note.text()
    panel.set_devices((PHONE, PIXEL))
    assert not panel._note.isVisible()
    panel.set_devices((replace(PHONE, state=RowState.LIVE),))
    assert not panel._note.isVisible(), "one phone is in use"


def test_without_any_device_the_simulated_phone_is_offered(panel, heard) -> None:
    asked = heard(panel.connect_requested)
    panel.set_devices(())
    assert panel._empty.isVisible() and "No phone found" in panel._empty.words()
    panel._empty.pressed.emit(SIMULATED)
    assert asked == [SIMULATED]


def test_looking_for_devices_shows_grey_rows_after_a_moment(panel, qtbot) -> None:
    panel.set_devices(())
    panel.set_loading(True)
    assert panel._skeleton.isHidden() and not panel.refresh.isEnabled()
    qtbot.waitUntil(lambda: panel._skeleton.isVisible() and not panel._empty.isVisible())
    panel.set_devices((PHONE,))
    panel.set_loading(False)
    assert panel._skeleton.isHidden() and panel.list.isVisible() and panel.refresh.isEnabled()


def test_a_problem_stands_above_the_list_until_it_is_gone(panel, heard) -> None:
    again = heard(panel.refresh_requested)
    panel.set_problem("adb was not found", "Install the Android platform tools, or use the simulated phone.")
    assert panel._problem.isVisible() and panel.list.isVisible()
    panel._problem.pressed.emit("refresh")
    panel.refresh.click()
    assert len(again) == 2
    panel.set_problem("")
    assert not panel._problem.isVisible()


# the form


def test_an_address_is_connected_to_with_its_port(panel, heard) -> None:
    given = heard(panel.address_given)
    panel.plus.click()
    assert panel.form.isVisible() and panel.form.address.hasFocus()
    panel.form.address.setText(" 192.168.1.20 ")
    QTest.keyClick(panel.form.address, Qt.Key.Key_Return)
    assert given == ["192.168.1.20:5555"]
    panel.connect_busy("Connecting to 192.168.1.20:5555…")
    panel.form.go.click()
    assert not panel.form.go.isEnabled() and given == ["192.168.1.20:5555"]
    panel.connect_failed("No phone answers there. Is Wireless debugging on?")
    assert panel.form.go.isEnabled() and "Wireless" in panel.form.message()
    panel.connect_done()
    assert not panel.form.isVisible() and not panel.plus.isChecked()


def test_pairing_is_a_second_step_and_leads_back_to_the_address(panel, heard) -> None:
    pairs = heard(panel.pair_requested)
    panel.show_connect_form()
    panel.form.other.click()
    assert panel.form.pairing and panel.form.code.isVisible()
    panel.form.address.setText("192.168.1.20:37123")
    panel.form.code.setText("12345")
    panel.form.go.click()
    assert pairs == [] and "6 digits" in panel.form.message()
    panel.form.code.setText("123456")
    QTest.keyClick(panel.form.code, Qt.Key.Key_Return)
    assert pairs == [("192.168.1.20:37123", "123456")]
    panel.paired()
    assert not panel.form.pairing and panel.form.address.text() == "192.168.1.20:" and panel.form.message()


def test_escape_closes_the_form_and_gives_the_keyboard_back(panel) -> None:
    panel.show_connect_form()
    QTest.keyClick(panel.form.address, Qt.Key.Key_Escape)
    assert not panel.form.isVisible() and not panel.plus.isChecked() and panel.plus.hasFocus()


@pytest.mark.parametrize(
    ("text", "whole"),
    [("phone", "phone:5555"), ("10.0.0.2:37", "10.0.0.2:37"), ("[fe80::1]", "[fe80::1]:5555"), ("[::1]:9", "[::1]:9")],
)
def test_addresses_that_can_be_connected_to(text: str, whole: str) -> None:
    assert address_problem(text) == "" and whole_address(text) == whole


@pytest.mark.parametrize(
    "text", ["", " ", ":5555", "a b:1", "http://phone:1", "phone:0", "phone:65536", "phone:x", "fe80::1:5"]
)
def test_addresses_that_cannot_say_what_is_wrong(text: str) -> None:
    assert address_problem(text).endswith(".")
