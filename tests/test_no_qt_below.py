"""Everything below the window works where there is no Qt."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]

WITHOUT_QT = """
import importlib, pkgutil, sys

class NoQt:
    def find_spec(self, name, path=None, target=None):
        if name.partition(".")[0] in {"PySide6", "shiboken6", "qtawesome", "pyqtgraph", "superqt", "PyQt6"}:
            raise ModuleNotFoundError(f"No module named {name!r}", name=name)
        return None

sys.meta_path.insert(0, NoQt())

def every(name):
    yield name
    package = importlib.import_module(name)
    for found in pkgutil.iter_modules(getattr(package, "__path__", ()), name + "."):
        if found.name == "stepscope.core.store.migrations.env":  # alembic's script: runs inside a migration only
            continue
        yield from every(found.name) if found.ispkg else [found.name]

roots = ("core", "models", "app.services", "app.cli")
seen = [name for root in roots for name in every(f"stepscope.{root}")]
seen += ["stepscope.app.main"]
for name in seen:
    importlib.import_module(name)
assert not {"PySide6", "shiboken6", "qtawesome", "stepscope.widgets", "stepscope.app.gui"} & set(sys.modules)
print(len(seen))

from stepscope.app.cli.main import run
assert run(["formats", "--json"]) == 0
"""


def test_core_models_and_command_line_import_without_qt():
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    command = [sys.executable, "-W", "error", "-c", WITHOUT_QT]
    done = subprocess.run(command, capture_output=True, text=True, check=False, env=environment, timeout=100)
    assert done.returncode == 0, done.stderr
    assert int(done.stdout.splitlines()[0]) > 60


def test_the_window_is_named_when_it_is_not_installed():
    blocked = WITHOUT_QT.partition("def every")[0]
    code = f"{blocked}\nsys.argv = ['stepscope', 'some/where']\nfrom stepscope.app.main import main\nsys.exit(main())"
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False, env=environment)
    assert done.returncode == 2
    assert done.stderr.startswith("stepscope: the window is not installed.")


HEAVY = {
    "alembic", "cv2", "lxml", "nltk", "numpy", "pyarrow", "pydantic", "rich", "scipy", "sklearn", "sqlalchemy", "torch",
}  # fmt: skip


def test_a_command_loads_what_it_needs(tmp_path):
    """In one process, the lightest first: the help, scores of a file, the formats."""
    records = tmp_path / "fields.jsonl"
    place = {"task": "t", "instance": "0", "field": "f", "type": "text"}
    records.write_text(json.dumps(place | {"reference": ["red lamps"], "prediction": "the red lamp"}))
    code = (
        "import sys; from stepscope.app.cli.main import run\n"
        "for words in (['--help'], ['score', 'fields', sys.argv[1]], ['formats', '--json']):\n"
        f"    print(run(words), *sorted({HEAVY} & set(sys.modules)), file=sys.stderr)"
    )
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    command = [sys.executable, "-c", code, str(records)]
    done = subprocess.run(command, capture_output=True, text=True, check=True, env=environment)
    shown, scored, listed = done.stderr.splitlines()
    assert (shown, scored) == ("0", "0 numpy")
    assert not {"sqlalchemy", "alembic", "rich", "torch", "pydantic"} & set(listed.split())
