"""Apps: which there are, what people call them, starting and installing, refusals in words."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import BinaryIO

import pytest

from stepscope.core.device.adb.apps import Apps, titled
from stepscope.core.device.device import DeviceError, InstalledApp

STARTABLE = "2 activities found:\n  com.android.settings/.Settings\n  com.example.shop/.Main\n"
INSTALLED = "package:com.example.shop\npackage:org.example.maps\n"


class FakeLink:
    """`answers`: begin of a command to what it says."""

    def __init__(self, **answers: str) -> None:
        self.answers = {
            "cmd package query-activities": STARTABLE,
            "pm list packages": INSTALLED,
            "cmd package resolve-activity": "priority=0\ncom.example.shop/.Main\n",
            "am start": "Starting: Intent { cmp=com.example.shop/.Main }",
            "monkey": "Events injected: 1",
            "pm install": "Success",
        } | {name.replace("_", " "): said for name, said in answers.items()}
        self.commands: list[str] = []
        self.files: dict[str, bytes] = {}

    def text(self, command: str, *, seconds: float = 0.0) -> str:
        self.commands.append(command)
        return next((said for begin, said in self.answers.items() if command.startswith(begin)), "").strip()

    def run(self, command: str) -> bytes:
        return self.text(command).encode()

    def push(self, data: BinaryIO, path: str, progress: Callable[[int], object]) -> None:
        self.files[path] = data.read()
        progress(len(self.files[path]))


def apps(link: FakeLink) -> Apps:
    return Apps(link, {"org.example.maps": "Street map"}.get)  # type: ignore[arg-type]


def test_the_list() -> None:
    assert apps(FakeLink()).all() == (
        InstalledApp("com.android.settings", "Settings"),
        InstalledApp("com.example.shop", "Shop"),
        InstalledApp("org.example.maps", "Street map"),
    )


def test_an_old_phone_lists_what_was_installed() -> None:
    found = apps(FakeLink(cmd_package_query="Unknown command: query-activities")).all()
    assert {app.package for app in found} >= {"com.example.shop", "org.example.maps"}


def test_titles() -> None:
    names = ("com.android.chrome", "app", "com.x.my_notes", "com.google.android.apps.maps", "com.google.android.gm")
    assert [titled(name) for name in names] == ["Chrome", "App", "My notes", "Maps", "Gmail"]


@pytest.mark.parametrize("name", ["com.example.shop", "Shop", " shop ", "sho"])
def test_starting_by_package_or_title(name: str) -> None:
    link = FakeLink()
    apps(link).launch(name)
    assert link.commands[-1] == "am start -n com.example.shop/.Main"


def test_starting_what_has_no_activity_that_can_be_found() -> None:
    link = FakeLink(cmd_package_resolve="No activity found")
    link.answers["cmd package resolve-activity"] = "No activity found"
    apps(link).launch("Shop")
    assert link.commands[-1] == "monkey -p com.example.shop -c android.intent.category.LAUNCHER 1"
    link.answers["monkey"] = "** No activities found to run, monkey aborted."
    with pytest.raises(DeviceError, match="nothing to start"):
        apps(link).launch("Shop")


def test_names_that_mean_nothing_or_too_much() -> None:
    link = FakeLink()
    with pytest.raises(DeviceError, match="no app called"):
        apps(link).launch("Weather; reboot")
    with pytest.raises(DeviceError, match="more than one app"):
        apps(link).launch("s")
    assert not any("reboot" in command for command in link.commands)


def test_installing(tmp_path: Path) -> None:
    file = tmp_path / "my app.apk"
    file.write_bytes(b"APK" * 1000)
    link, told = FakeLink(), list[float]()
    apps(link).install(file, told.append)
    ((remote, data),) = link.files.items()
    assert data == file.read_bytes()
    assert link.commands == [f"pm install -r {remote}", f"rm -f {remote}"]
    assert told == [0.95, 1.0]


@pytest.mark.parametrize(
    ("said", "reason", "hint"),
    [
        ("Failure [INSTALL_FAILED_INSUFFICIENT_STORAGE]", "no room", "Free some space"),
        ("Failure [INSTALL_FAILED_UPDATE_INCOMPATIBLE: Package x signatures do not match]", "signature", "Uninstall"),
        ("adb: failed\nFailure [INSTALL_FAILED_NEW_THING: what it is]", "what it is", ""),
        ("Failure [INSTALL_FAILED_NEWER_THING]", "INSTALL_FAILED_NEWER_THING", ""),
        ("Error: java.lang.SecurityException", "SecurityException", ""),
        ("", "gives no reason", ""),
    ],
)
def test_refusals(tmp_path: Path, said: str, reason: str, hint: str) -> None:
    file = tmp_path / "x.apk"
    file.write_bytes(b"APK")
    link = FakeLink()
    link.answers["pm install"] = said
    with pytest.raises(DeviceError, match=reason) as told:
        apps(link).install(file, lambda share: None)
    assert hint in told.value.hint
    assert link.commands[-1].startswith("rm -f "), "nothing is left on the phone"


def test_a_file_that_is_not_there(tmp_path: Path) -> None:
    with pytest.raises(DeviceError, match="cannot be read"):
        apps(FakeLink()).install(tmp_path / "no.apk", lambda share: None)
