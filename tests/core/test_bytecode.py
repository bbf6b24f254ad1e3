"""Compiled modules are kept where there is room for them."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from stepscope.core import bytecode
from tests.full_disk import small_disk

ROOT = Path(__file__).parents[2]


def test_without_room_none_are_kept_by_this_program_and_its_children(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "dont_write_bytecode", False)
    monkeypatch.delenv("PYTHONDONTWRITEBYTECODE", raising=False)
    monkeypatch.setattr(bytecode, "_free", lambda _folder: bytecode.ROOM)
    bytecode.keep_whole()
    assert not sys.dont_write_bytecode and "PYTHONDONTWRITEBYTECODE" not in os.environ
    monkeypatch.setattr(bytecode, "_free", lambda _folder: bytecode.ROOM - 1)
    monkeypatch.setenv("PYTHONDONTWRITEBYTECODE", "")  # to be put back
    bytecode.keep_whole()
    assert sys.dont_write_bytecode and os.environ["PYTHONDONTWRITEBYTECODE"] == "1"


def test_a_program_on_a_small_disk_keeps_none(tmp_path: Path) -> None:
    with small_disk(tmp_path / "disk", 4096) as disk:
        for name in ("stepscope/__init__.py", "core/__init__.py", "core/bytecode.py"):
            (disk / name).parent.mkdir(exist_ok=True)
            (disk / name).write_bytes((ROOT / name).read_bytes())
        (disk / "later.py").write_text("number = 1\n")
        words = "import stepscope.core.bytecode as b; b.keep_whole(); import later"
        own = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
        subprocess.run([sys.executable, "-c", words], cwd=disk, env=own | {"PYTHONPATH": str(disk)}, check=True)
        assert not (disk / "__pycache__").exists()
        assert (disk / "core" / "__pycache__").exists(), "what was imported before is kept as ever"
