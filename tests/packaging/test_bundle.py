"""What the self-contained program is made by, without making it: its parts agree, desktops are told right."""

from __future__ import annotations

import ast
import configparser
import plistlib
import re
import subprocess
import tomllib
import xml.etree.ElementTree as ET
from pathlib import Path

import pytest

from stepscope.core.process import children

ROOT = Path(__file__).resolve().parents[2]
PACKAGING = ROOT / "packaging"
SPEC = ast.parse((PACKAGING / "pyinstaller" / "stepscope.spec").read_text("utf-8"))
VERSION = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]["version"]
MIME = "{http://www.freedesktop.org/standards/shared-mime-info}"


def of_spec(name: str) -> list[str]:
    """A list of words that the spec gives a name to."""
    (value,) = (
        one.value for one in SPEC.body if isinstance(one, ast.Assign) and getattr(one.targets[0], "id", "") == name
    )
    return ast.literal_eval(value)


def entry() -> configparser.SectionProxy:
    parser = configparser.ConfigParser(interpolation=None)
    parser.read(PACKAGING / "desktop" / "stepscope.desktop")
    return parser["Desktop Entry"]


# What is inside -------------------------------------------------------------------------------------------------------


def test_no_part_of_qt_under_the_gpl_is_taken(script) -> None:
    parts = script("qt_parts")
    assert not parts.NEEDED & parts.GPL_ONLY
    for part in parts.GPL_ONLY:
        for place in (f"PySide6/Qt/lib/libQt6{part}.so.6", f"PySide6/Qt{part}.abi3.so", f"PySide6/Qt6{part}.dll"):
            assert parts.part_of(place) == part
            assert not parts.is_wanted(place)


@pytest.mark.parametrize(
    ("place", "wanted"),
    [
        ("PySide6/Qt/lib/libQt6WebEngineCore.so.6", True),
        ("PySide6/Qt/libexec/QtWebEngineProcess", True),
        ("PySide6\\QtWidgets.pyd", True),
        ("PySide6/Qt/lib/libQt63DRender.so.6", False),
        ("PySide6/Qt/plugins/platforms/libqxcb.so", True),
        ("PySide6/Qt/plugins/platforminputcontexts/libqtvirtualkeyboardplugin.so", False),
        ("PySide6/Qt/plugins/sqldrivers/libqsqlite.so", False),
        ("PySide6/Qt/qml/QtQuick/VirtualKeyboard/qmldir", False),
        ("PySide6/Qt/translations/qtwebengine_locales/en-US.pak", True),
        ("PySide6/Qt/translations/qt_de.qm", False),
        ("stepscope/resources/icons/stepscope.svg", True),
    ],
)
def test_files_are_taken_by_their_place(script, place: str, wanted: bool) -> None:
    assert script("qt_parts").is_wanted(place) is wanted


def test_every_part_of_qt_that_the_program_imports_is_taken(script) -> None:
    used = set()
    for room in ("app", "widgets", "resources"):
        for file in (ROOT / room).rglob("*.py"):
            text = file.read_text("utf-8")
            used |= set(re.findall(r"PySide6\.Qt(\w+)", text))
            for names in re.findall(r"from PySide6 import (.+)", text):
                used |= set(re.findall(r"Qt(\w+)", names))
    assert len(used) > 5
    assert used - script("qt_parts").NEEDED == set()


def test_libraries_under_the_gpl_are_left_out_by_name() -> None:
    assert {"readline", "_gdbm", "av"} <= set(of_spec("LEFT_OUT"))
    extras = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]["optional-dependencies"]
    device = [one for one in extras["device"] if not one.startswith("av")]
    requirements = (PACKAGING / "pyinstaller" / "requirements.txt").read_text("utf-8").splitlines()
    assert set(device) <= set(requirements)
    assert not [one for one in requirements if re.match(r"av\b", one)]


def test_every_child_that_is_walked_through_is_a_module_that_is_started(script) -> None:
    named = script("bundle_walk").CHILDREN
    text = "\n".join(
        file.read_text("utf-8") for room in ("app", "core", "models") for file in (ROOT / room).rglob("*.py")
    )
    assert [one for one in named if f'"{one}"' not in text] == []
    assert children.command("stepscope.a")[-1] == "stepscope.a"


# For Linux ------------------------------------------------------------------------------------------------------------


def test_the_desktop_is_told_what_the_program_opens() -> None:
    kinds = entry()["MimeType"].rstrip(";").split(";")
    assert {"x-scheme-handler/stepscope", "application/x-stepscope-run"} <= set(kinds)
    assert entry()["Exec"] == "stepscope %U"
    known = ET.parse(PACKAGING / "desktop" / "stepscope.xml").getroot()
    own = {one.get("type"): [glob.get("pattern") for glob in one.iter(f"{MIME}glob")] for one in known}
    from stepscope.app.gui.features.library.opening_controller import BUNDLE_SUFFIX

    assert own == {"application/x-stepscope-run": [f"*{BUNDLE_SUFFIX}"]}


def test_the_description_speaks_of_the_same_program() -> None:
    told = ET.parse(PACKAGING / "desktop" / "org.stepscope.Stepscope.metainfo.xml").getroot()
    assert told.findtext("launchable") == "stepscope.desktop"
    assert told.findtext("summary") == entry()["Comment"]
    assert told.findtext("project_license") == "Apache-2.0"
    assert {one.text for one in told.iter("mediatype")} <= set(entry()["MimeType"].split(";"))


def test_the_debian_package_needs_what_qt_does(script) -> None:
    linux = script("linux_packages")
    facts = dict(line.split(": ", 1) for line in linux.control("1.2.0", "amd64", 900).splitlines() if line[0] != " ")
    needed = facts["Depends"].split(", ")
    assert {"libegl1", "libxcb-cursor0", "libnss3", "libc6 (>= 2.36)"} <= set(needed)
    assert not {"python3", "git", "make", "fonts-inter"} & set(needed)
    assert {"fonts-inter", "wordnet-base"} <= set(facts["Recommends"].split(", "))
    assert (facts["Version"], facts["Installed-Size"]) == ("1.2.0", "900000")


def test_what_is_laid_out_lies_where_desktops_look(script, tmp_path: Path) -> None:
    bundle, icons, tree = tmp_path / "stepscope", tmp_path / "icons", tmp_path / "tree"
    (bundle / "_internal").mkdir(parents=True)
    (bundle / "_internal" / "LICENCES.txt").write_text("all of them")
    (bundle / "stepscope").write_text('#!/bin/sh\necho "$0 $*"\n')
    (bundle / "stepscope").chmod(0o755)
    icons.mkdir()
    (icons / "256.png").touch()
    linux = script("linux_packages")
    linux.lay_out(bundle, icons, tree)
    ran = subprocess.run([tree / "usr/bin/stepscope", "a b"], capture_output=True, text=True, check=True)
    assert ran.stdout.endswith("a b\n")
    share = tree / "usr" / "share"
    for place in (
        "applications/stepscope.desktop", "mime/packages/stepscope.xml", "icons/hicolor/256x256/apps/stepscope.png",
        "icons/hicolor/scalable/apps/stepscope.svg", "metainfo/org.stepscope.Stepscope.metainfo.xml",
    ):  # fmt: skip
        assert (share / place).is_file(), place
    assert (share / "doc/stepscope/copyright").read_text() == "all of them"


def test_an_appimage_is_what_it_begins_with_and_the_image(
    script, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    linux = script("linux_packages")
    image, runtime = tmp_path / "Stepscope-1.2.0-x86_64.squashfs", tmp_path / "runtime"
    image.write_bytes(b"hsqs...")
    monkeypatch.delenv(linux.RUNTIME, raising=False)
    assert linux.make_appimage(image) is None
    runtime.write_bytes(b"\x7fELF...")
    monkeypatch.setenv(linux.RUNTIME, str(runtime))
    made = linux.make_appimage(image)
    assert made.name == "Stepscope-1.2.0-x86_64.AppImage"
    assert made.read_bytes() == b"\x7fELF...hsqs..."
    assert made.stat().st_mode & 0o111


# For Windows and macOS, where nobody has tried it ---------------------------------------------------------------------


def test_the_installer_for_windows_is_complete() -> None:
    text = (PACKAGING / "pyinstaller" / "windows.iss").read_text("utf-8")
    found = dict(re.findall(r"^\[(\w+)\]\n(.*?)(?=^\[|\Z)", text, re.MULTILINE | re.DOTALL))
    assert {"Setup", "Tasks", "Files", "Icons", "Registry", "Run", "Code"} == set(found)
    setup = dict(line.split("=", 1) for line in found["Setup"].split("\n") if "=" in line)
    assert setup["AppVersion"] == "{#Version}" and "{#Version}" in setup["OutputBaseFilename"]
    assert re.fullmatch(r"\{\{[0-9A-F-]{36}\}", setup["AppId"])
    for section in ("Tasks", "Files", "Icons", "Registry", "Run"):
        for line in filter(None, found[section].split("\n")):
            assert line.startswith(";") or re.fullmatch(
                r'\w+: ("(?:[^"]|"")*"|[^";]+)(; \w+: ("(?:[^"]|"")*"|[^";]+))*', line
            )
    assert r"Software\Classes\stepscope\shell\open\command" in found["Registry"]
    assert "URL Protocol" in found["Registry"]
    tasks = set(re.findall(r'^Name: "(\w+)"', found["Tasks"], re.MULTILINE))
    assert set(re.findall(r"Tasks: (\w+)", text)) == tasks
    assert set(re.findall(r"Check: (\w+)", text)) == set(re.findall(r"^function (\w+)", found["Code"], re.MULTILINE))


def test_the_application_for_macos_says_what_it_opens() -> None:
    (call,) = (one for one in ast.walk(SPEC) if isinstance(one, ast.Call) and getattr(one.func, "id", "") == "BUNDLE")
    (told,) = (one.value for one in call.keywords if one.arg == "info_plist")
    told = plistlib.loads(plistlib.dumps(ast.literal_eval(told)))
    assert told["CFBundleURLTypes"][0]["CFBundleURLSchemes"] == ["stepscope"]
    subprocess.run(["sh", "-n", PACKAGING / "pyinstaller" / "macos.sh"], check=True)
