"""Processes that we start run our own code, whatever lies in the folder where the program is used."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from stepscope.core.process import children
from stepscope.core.sources.reader_process import ReaderProcess

STOLEN = ("queue", "pickle", "orjson", "numpy", "json", "signal")


@pytest.fixture
def among_data(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder of somebody's data with modules in it, as the current folder. Returns the file that they write."""
    mark = tmp_path / "ran"
    for name in STOLEN:
        (tmp_path / f"{name}.py").write_text(f"open({str(mark)!r}, 'w').close()\n", "utf-8")
    monkeypatch.chdir(tmp_path)
    return mark


def test_a_module_among_the_data_is_never_run_by_the_reader(among_data: Path) -> None:
    reader = ReaderProcess()
    try:
        reader.wait_until_ready()
    finally:
        reader.close()
    assert not among_data.exists()


def test_what_the_current_folder_has_is_no_module_of_a_child(among_data: Path) -> None:
    code = [*children.command("json.tool", "--help")]
    done = subprocess.run(code, env=children.environment(), capture_output=True, check=False)
    assert done.returncode == 0 and not among_data.exists()
    assert children.command("a.module")[:2] == [sys.executable, "-P"]


def test_every_process_of_ours_is_started_there() -> None:
    root = Path(children.__file__).parents[2]
    files = [file for room in ("app", "core", "models", "resources", "widgets") for file in (root / room).rglob("*.py")]
    others = [file.relative_to(root).as_posix() for file in files if "sys.executable" in file.read_text("utf-8")]
    assert others == ["app/services/machine.py", "core/process/children.py"]  # the first one only tells of it
