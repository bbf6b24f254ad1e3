"""A package of models that misbehave, installed for one module of tests."""

from __future__ import annotations

import importlib
import os
import shutil
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

DEEDS = (
    "kills", "segfaults", "exits", "leaves", "no-memory", "own-error", "breaks", "hangs", "prints", "threads", "forks",
    "scribbles",
)  # fmt: skip


class Faults:
    """The models `DEED-load`, `DEED-work` and `DEED-close` of `faulty_models.py`, here and in every child process."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    def mend(self) -> None:
        """From now on all of them are sound."""
        (self.folder / "mended").touch()

    def after(self, items: int) -> None:
        """Models give so many answers before they misbehave, from the next one that is loaded."""
        (self.folder / "after").write_text(str(items))

    def again(self) -> None:
        """All of them misbehave again."""
        for name in ("mended", "said", "after"):
            (self.folder / name).unlink(missing_ok=True)

    @property
    def said(self) -> bool:
        """Whether a model is about to misbehave, or has."""
        return (self.folder / "said").exists()


@pytest.fixture(scope="module")
def _package(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Faults]:
    folder = tmp_path_factory.mktemp("faults")
    shutil.copy(Path(__file__).with_name("faulty_models.py"), folder)
    about = folder / "faulty-1.0.dist-info"
    about.mkdir()
    (about / "METADATA").write_text("Metadata-Version: 2.1\nName: faulty\nVersion: 1.0\n")
    names = [f"{deed}-{on}" for deed in DEEDS for on in ("load", "work", "close")]
    points = "\n".join(f"{name} = faulty_models:{name.replace('-', '_')}" for name in names)
    (about / "entry_points.txt").write_text(f"[stepscope.models]\n{points}\n")
    with pytest.MonkeyPatch.context() as patch:
        patch.syspath_prepend(str(folder))
        patch.setenv("PYTHONPATH", os.pathsep.join(filter(None, (str(folder), os.environ.get("PYTHONPATH")))))
        patch.setenv("STEPSCOPE_FAULTS", str(folder))
        importlib.invalidate_caches()
        yield Faults(folder)
    sys.modules.pop("faulty_models", None)


@pytest.fixture
def faults(_package: Faults) -> Faults:
    _package.again()
    return _package


@pytest.fixture(scope="session")
def two_nodes(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Any]:
    """A Ray cluster of this process; tests that need it are of the group "ray", so that there is one."""
    pytest.importorskip("ray")
    from tests.ray_nodes import two_nodes

    with two_nodes(tmp_path_factory.mktemp("ray-home")) as made:
        yield made
