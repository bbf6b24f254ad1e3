"""Formats are recognised apart from their readers: who opens a folder imports what reads that folder, and no more."""

from __future__ import annotations

import importlib
import json
import os
import pkgutil
import subprocess
import sys
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from stepscope.core.errors import SourceError
from stepscope.core.sources import registry, sniffers
from stepscope.core.sources.registry import format_named
from stepscope.core.sources.sniffers.late_reader import LateReader
from stepscope.core.sources.source import Format

ROOT = Path(__file__).resolve().parents[3]
SOURCES = "stepscope.core.sources."
HEAVY = ("numpy", "pyarrow", "cv2", "lxml", "google.protobuf", "yaml", "isal", "torch")

SHARED = {
    "bundle_mark",
    "files",
    "findings",
    "folders",
    "plugin_sources",
    "look",
    "mixed_folder",
    "plugin_process",
    "registry",
}
SHARED |= {"sniffers", "source"}
"""What finding a format takes beside the sniffers; none of it knows a format."""

SHOWING = {"procedures", "reader_process"}
"""What `inspect` takes beside these."""

OPENING = """
import sys
from pathlib import Path
from stepscope.core.sources.registry import detect_all, open_source
for name in sys.argv[2:]:
    (detect_all if sys.argv[1] == "look" else open_source)(Path(name))
"""

COMMAND = """
import sys
from contextlib import redirect_stdout
from io import StringIO
from stepscope.app.main import main
with redirect_stdout(StringIO()):
    assert main() == 0
"""


def imported_by(code: str, *arguments: str | Path) -> tuple[set[str], set[str]]:
    """What a process of its own has imported at its end: modules of `core.sources`, and heavy packages."""
    told = "\nimport json\nprint(json.dumps(sorted(sys.modules)))"
    command = [sys.executable, "-c", code + told, *map(str, arguments)]
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    done = subprocess.run(command, capture_output=True, text=True, check=False, env=environment, timeout=100)
    assert done.returncode == 0, done.stderr
    names = json.loads(done.stdout)
    return {name.removeprefix(SOURCES) for name in names if name.startswith(SOURCES)}, {*HEAVY} & {*names}


@cache
def taken_by(reader: str) -> frozenset[str]:
    """What importing a reader alone imports of `core.sources`."""
    return frozenset(imported_by(f"import sys, {SOURCES}{reader}")[0])


def without_sniffers(modules: set[str]) -> set[str]:
    return {name for name in modules if not name.startswith("sniffers.")}


def own() -> list[tuple[Format, LateReader]]:
    """Our own formats, each with its reader."""
    found = [format_named(name) for name in registry._OWN]
    return [(known, known.open) for known in found if isinstance(known.open, LateReader)]


READERS = {reader.module for _, reader in own()}


WITH_THE_FIRST_FILE = {"view_hierarchy_record"}
"""What readers import when they read a tree, not before."""


@pytest.fixture
def motif(tmp_path: Path, write_json: Any, write_picture: Any) -> Path:
    trace = tmp_path / "raw" / "com.example.app" / "0b7c2a1e-0000-4000-8000-000000000001"
    write_picture(trace / "screens" / "1.jpg", 54, 96)
    write_json(trace / "view_hierarchies" / "1.jpg", {"activity": {"root": {"bounds": [0, 0, 9, 9]}}})
    write_json(trace / "metadata.json", {"gestures": {"1.jpg": [[0.5, 0.5]]}})
    return tmp_path / "raw"


@pytest.fixture
def strange(tmp_path: Path, write_json: Any) -> Path:
    """Files that nearly every sniffer looks into, and of no format."""
    write_json(tmp_path / "strange" / "a.json", [{"a": 1}])
    for name in ("b.jsonl", "c.csv", "d.yaml", "e.html", "f.txt", "shard-00000-of-00001", "README"):
        (tmp_path / "strange" / name).write_text("one,two\n1,2\n" * 20)
    (tmp_path / "strange" / "g.pkl").write_bytes(b"\x80\x04." + bytes(64))
    (tmp_path / "strange" / "h.parquet").write_bytes(b"PAR1" + bytes(64) + b"PAR1")
    return tmp_path / "strange"


def test_recognising_imports_no_reader_and_nothing_heavy(motif: Path, strange: Path) -> None:
    modules, heavy = imported_by(OPENING, "look", motif, strange, ROOT / "resources/sample/episodes")
    assert without_sniffers(modules) == SHARED and not heavy


def test_recognising_real_samples_imports_no_reader(real_data: Path) -> None:
    """Shards and tables of a known data set are looked into deeper, with what it takes to read one record."""
    modules, heavy = imported_by(OPENING, "look", *(folder for folder in real_data.iterdir() if folder.is_dir()))
    assert without_sniffers(modules) == SHARED and heavy <= {"numpy", "isal"}


def test_listing_the_formats_imports_no_reader_and_nothing_heavy() -> None:
    modules, heavy = imported_by(COMMAND, "formats", "--json")
    assert without_sniffers(modules) == SHARED and not heavy


def test_opening_imports_the_readers_of_what_was_recognised(motif: Path) -> None:
    modules, _ = imported_by(OPENING, "open", motif)
    assert modules & READERS == {"motif"} and without_sniffers(modules) - SHARED <= taken_by("motif")
    modules, heavy = imported_by(OPENING, "open", ROOT / "resources/sample/episodes")
    assert modules & READERS == {"recording"} and without_sniffers(modules) - SHARED <= taken_by("recording")
    assert not heavy


@pytest.mark.parametrize(("reader", "most"), [("motif", 15), ("recording", 6)])
def test_inspecting_imports_one_reader_of_few_modules(reader: str, most: int, motif: Path) -> None:
    data = motif if reader == "motif" else ROOT / "resources/sample/episodes"
    modules, _ = imported_by(COMMAND, "inspect", data, "--json")
    parts = without_sniffers(modules) - SHARED - SHOWING - WITH_THE_FIRST_FILE
    print(f"{reader}: {len(modules)} modules of core.sources, {len(parts)} of them the reader's")
    assert modules & READERS == {reader} and parts <= taken_by(reader)
    assert len(parts) <= most and len(modules) < 70


def test_a_format_asked_for_by_name_imports_neither_another_reader_nor_another_sniffer() -> None:
    code = f"import sys\nfrom {SOURCES}registry import format_named\nformat_named('rico').open.resolved()"
    modules, _ = imported_by(code)
    named = {f"sniffers.{name}" for name in registry._OWN.values()}
    assert modules & READERS == {"rico"} and modules & named == {"sniffers.rico"}


def test_a_sniffer_imports_no_reader() -> None:
    names = " ".join(f"{SOURCES}sniffers.{module.name}" for module in pkgutil.iter_modules(sniffers.__path__))
    code = "import importlib, sys\nfor name in sys.argv[1].split():\n    importlib.import_module(name)"
    modules, heavy = imported_by(code, names)
    assert without_sniffers(modules) <= SHARED and not heavy


def test_every_sniffer_is_in_the_table_and_has_its_reader(tmp_path: Path) -> None:
    assert [known.name for known, _ in own()] == list(registry._OWN)
    names = [found.name for found in pkgutil.iter_modules(sniffers.__path__)]
    modules = [importlib.import_module(f"{SOURCES}sniffers.{name}") for name in names]
    offered = {one.name for module in modules for one in vars(module).values() if isinstance(one, Format)}
    assert offered == {*registry._OWN, "predictions"}
    for known, reader in own():
        assert format_named(known.name) is known
        opened = reader.resolved()
        assert opened.__module__ == f"{SOURCES}{reader.module}", known.name
        assert known.open(tmp_path).format == opened(tmp_path).format == known.name


def test_a_reader_that_is_not_there_is_a_slip_of_ours_not_of_the_data(tmp_path: Path) -> None:
    with pytest.raises(ModuleNotFoundError):
        LateReader("none_of_ours", "open")(tmp_path)
    with pytest.raises(SourceError):
        format_named("predictions").open(tmp_path)
