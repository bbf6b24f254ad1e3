"""What may not be passed on with the program is told, and nothing else; all texts are in one file."""

from __future__ import annotations

import json
from importlib.metadata import distribution
from pathlib import Path

import pytest

FINE = (
    "MIT", "Apache-2.0", "BSD License", "MIT License, Apache Software License", "Mozilla Public License 2.0 (MPL 2.0)",
    "LGPL-3.0-only", "GNU Lesser General Public License v3 (LGPLv3)",
    "GNU Library or Lesser General Public License (LGPL)",
    # one may choose
    "GPL-2.0-only OR MIT", "LGPL-3.0-only OR GPL-2.0-only OR GPL-3.0-only", "MIT AND (Apache-2.0 OR GPL-2.0-only)",
    "GPL-2.0-only OR MIT AND BSD-3-Clause",
    # the GPL, with leave for what is built with it
    "GPL-2.0-or-later WITH Bootloader-exception", "BSD-3-Clause AND GPL-3.0-or-later WITH GCC-exception-3.1",
)  # fmt: skip
NOT_FINE = (
    "GPL-3.0-only", "gpl-2.0-or-later", "AGPL-3.0-or-later", "MIT AND GPL-2.0-only",
    "(GPL-2.0-only OR AGPL-3.0-only) AND MIT",
    "MIT AND GPL-2.0-only OR AGPL-3.0-only", "GPL-2.0-only WITH Classpath-exception-9.9",
    "GNU General Public License v3 (GPLv3)", "GNU Affero General Public License v3", "GPLv3+",
    # nobody says that one may choose
    "MIT License, GNU General Public License (GPL)",
    "GNU Library or Lesser General Public License (LGPL), GNU General Public License (GPL)",
    "UNKNOWN", "not said", "", "Other/Proprietary License",
)  # fmt: skip


@pytest.mark.parametrize("licence", FINE)
def test_what_may_be_passed_on(script, licence: str) -> None:
    assert script("licence_words").fault(licence) == ""


@pytest.mark.parametrize("licence", NOT_FINE)
def test_what_may_not(script, licence: str) -> None:
    assert script("licence_words").fault(licence)


def test_packages_are_told_with_the_reason(script) -> None:
    licences = {"fine": "MIT", "strict": "GPL-3.0-only", "silent": "not said"}
    assert list(script("bundle_licences").package_faults(licences)) == [
        "strict may not be bundled: GPL-3.0-only asks for the same licence of the whole program",
        "silent may not be bundled: no licence is stated",
    ]


def test_libraries_of_the_system_are_those_that_somebody_has_looked_at(script) -> None:
    system = {"/lib/libz.so": "libzstd1", "/lib/libreadline.so.8": "libreadline8", "/opt/libown.so": ""}
    assert list(script("bundle_licences").system_faults(system)) == [
        "/lib/libreadline.so.8 of libreadline8 may not be bundled: nobody has looked at its licence",
        "/opt/libown.so of no Debian package may not be bundled: nobody has looked at its licence",
    ]
    known = script("known_licences").SYSTEM
    assert [name for name, licence in known.items() if script("licence_words").fault(licence)] == []


def test_libraries_are_told_by_their_files(script, tmp_path: Path) -> None:
    for place, content in {
        "PySide6/Qt/lib/libQt6Core.so.6": b"",
        "PySide6/Qt/lib/libQt6VirtualKeyboard.so.6": b"",
        "PySide6/QtCharts.abi3.so": b"",
        "PySide6/Qt/lib/libQt6Bluetooth.so.6": b"",
        "PySide6/Qt/plugins/platforminputcontexts/libqtvirtualkeyboardplugin.so": b"",
        "av.libs/libx264-d4a5.so.165": b"",
        "libreadline.so.8": b"",
        "cv2.libs/libavcodec-c42.so.62": b"--prefix=/x --enable-libvpx",
        "av.libs/libavutil-b0f.so.60": b"--prefix=/x --enable-gpl --enable-libx264",
        "stepscope/libavocado.py": b"",
    }.items():
        (tmp_path / place).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / place).write_bytes(content)
    found = dict(line.split(" may not be bundled: ") for line in script("bundle_licences").file_faults(tmp_path))
    assert found == {
        "PySide6/Qt/lib/libQt6Bluetooth.so.6": "it is no part of Qt that qt_parts.py names",
        "PySide6/Qt/lib/libQt6VirtualKeyboard.so.6": "Qt VirtualKeyboard comes under the GPL",
        "PySide6/Qt/plugins/platforminputcontexts/libqtvirtualkeyboardplugin.so":
            "it is no part of Qt that qt_parts.py names",
        "PySide6/QtCharts.abi3.so": "Qt Charts comes under the GPL",
        "av.libs/libavutil-b0f.so.60": "this FFmpeg was built with parts under the GPL",
        "av.libs/libx264-d4a5.so.165": "it comes under the GPL",
        "libreadline.so.8": "it comes under the GPL",
    }  # fmt: skip


def test_all_texts_are_in_one_file(script, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    tool, contents = script("bundle_licences"), script("contents")
    numpy = distribution("numpy")
    source = str(numpy.locate_file("numpy/__init__.py"))
    inside = contents.of([("numpy", source, "PYMODULE")], [("note", str(tmp_path / "made"), "DATA")], built=tmp_path)
    assert [entry["owner"] for entry in inside] == ["numpy", contents.BUILD]
    (tmp_path / "contents.json").write_text(json.dumps(inside))
    assert tool.main(tmp_path / "contents.json", tmp_path) == 0
    assert capsys.readouterr().out == "LICENCES.txt: 1 packages, 0 of the system\n"
    text = (tmp_path / "LICENCES.txt").read_text("utf-8")
    assert f"\nnumpy {numpy.version}: BSD-3-Clause" in text
    for words in ("NumPy Developers", "PYTHON SOFTWARE FOUNDATION", "GNU LESSER GENERAL PUBLIC LICENSE", "Bootloader"):
        assert words.lower() in text.lower()


def test_the_facts_of_a_package_come_along(script) -> None:
    inside = [{"place": "numpy", "source": "x", "owner": "numpy"}]
    folder = f"numpy-{distribution('numpy').version}.dist-info"
    places = [place for place, _source, _kind in script("contents").metadata(inside) if place.startswith("numpy")]
    assert f"{folder}/METADATA" in places
    assert f"{folder}/RECORD" not in places
