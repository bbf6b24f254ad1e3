"""The fake phone is a device: sessions, recorders and agents are tested against it."""

from __future__ import annotations

import threading

import pytest

from stepscope.core.device.device import Device, DeviceError, DeviceLost
from stepscope.core.device.session import LiveSession
from stepscope.core.domain.action import OpenApp, PressKey, Tap, Type
from tests.core.device.fake import FakeDevice


def test_links_fields_keys_and_apps_work() -> None:
    phone = FakeDevice()
    device: Device = phone
    device.perform(Tap(phone.place("Shop")))
    assert phone.page == "list"
    with pytest.raises(DeviceError, match="Tap a field first"):
        device.perform(Type("kettle"))
    device.perform(Type("kettle", phone.place("Search")))
    assert [element.text for element in device.tree()][1] == "kettle"
    device.perform(PressKey("back"))
    assert phone.page == "home"
    device.perform(OpenApp("Clock"))
    assert device.foreground() == "org.example.clock/.Clock"


def test_a_session_sees_the_screen_before_each_action_and_a_loss() -> None:
    phone = FakeDevice(sends_frames=False)
    lost = threading.Event()
    session = LiveSession(phone, lambda: None, lambda state: lost.set() if state.phase == "lost" else None)
    session.watch_screen = True
    session.start()
    try:
        acted = session.act(Tap(phone.place("Shop"))).result(5)
        assert acted.before is not None
        assert acted.before.activity == "org.example.launcher/.Home"
        assert isinstance(acted.action, Tap)
        assert acted.action.target is not None
        assert acted.action.target.text == "Shop"
        phone.lose()
        assert lost.wait(5)
        with pytest.raises(DeviceLost):
            session.look(fresh=True).result(5)
    finally:
        session.close()
