"""What installed packages add by their entry points, and how often they are looked through for it."""

from __future__ import annotations

from pathlib import Path

import pytest

from stepscope.core.process import packages
from stepscope.core.process.packages import entry_points_of

GROUP = "stepscope.of-this-test"


def install(folder: Path, name: str) -> None:
    about = folder / f"{name}-1.0.dist-info"
    about.mkdir()
    (about / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {name}\nVersion: 1.0\n")
    (about / "entry_points.txt").write_text(f"[{GROUP}]\n{name} = {name}:make\n")


def test_packages_are_looked_through_again_when_one_comes(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    looked: list[str] = []
    found = packages._found
    monkeypatch.setattr(packages, "_found", lambda group: looked.append(group) or found(group))
    monkeypatch.setattr("sys.path", [str(tmp_path)])
    install(tmp_path, "first")
    assert [point.name for point in entry_points_of(GROUP)] == ["first"]
    assert [point.name for point in entry_points_of(GROUP)] == ["first"]
    assert looked == [GROUP]
    install(tmp_path, "second")
    assert sorted(point.name for point in entry_points_of(GROUP)) == ["first", "second"]
