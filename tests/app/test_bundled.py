"""The self-contained program starts modules of ours as processes, as `python -m` does from sources, and no others."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from stepscope.app import bundled
from stepscope.core.bundled import CHILD, NO_PIP
from stepscope.core.errors import UnavailableError
from stepscope.core.process import children

START = [sys.executable, "-P", "-m", "stepscope.app.bundled"]
"""What the program in a bundle does, done by this Python."""


def ask(*arguments: str) -> subprocess.CompletedProcess[str]:
    command, own = [*START, *arguments], children.environment()
    return subprocess.run(command, env=own, capture_output=True, text=True, check=False)


def test_a_child_is_a_module_of_ours_with_the_arguments_after_its_name() -> None:
    done = ask(CHILD, "stepscope.app.main", "--version")
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.startswith("stepscope ")


def test_a_child_leaves_with_its_own_exit_status() -> None:
    done = ask(CHILD, "stepscope.app.main", "no-such-command")
    assert done.returncode == 2
    assert "no-such-command" in done.stderr


def test_nothing_but_modules_of_ours_is_run() -> None:
    for arguments in ((CHILD,), (CHILD, "timeit"), (CHILD, "stepscope"), (CHILD, "stepscoped.a")):
        done = ask(*arguments)
        assert (done.returncode, done.stdout) == (2, "")
        assert done.stderr == "stepscope: --child takes a module of this program.\n"


def test_without_a_child_it_is_the_command() -> None:
    assert ask("--version").stdout.startswith("stepscope ")


@pytest.mark.parametrize("before", ["", "/usr/local/lib"])
def test_programs_of_the_machine_load_their_own_libraries(monkeypatch: pytest.MonkeyPatch, before: str) -> None:
    monkeypatch.setenv("LD_LIBRARY_PATH", "/opt/stepscope/_internal")
    if before:
        monkeypatch.setenv("LD_LIBRARY_PATH_ORIG", before)
    bundled.keep_libraries()
    assert os.environ.get("LD_LIBRARY_PATH", "") == before
    assert "LD_LIBRARY_PATH_ORIG" not in os.environ
    assert children.environment().get("LD_LIBRARY_PATH", "") == before
    monkeypatch.setattr(sys, "frozen", True, raising=False)
    monkeypatch.setattr(sys, "_MEIPASS", "/opt/stepscope/_internal", raising=False)
    found = children.environment()["LD_LIBRARY_PATH"].split(os.pathsep)
    assert found == ["/opt/stepscope/_internal", *filter(None, [before])]


def test_a_child_is_the_main_module_while_it_runs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """What it pickles names its classes as those of a program that Python itself was given."""
    (tmp_path / "tried.py").write_text(
        "import sys\nassert sys.modules['__main__'].__dict__ is globals() and sys.argv[1:] == ['a']\nsys.exit(7)\n"
    )
    monkeypatch.setattr("stepscope.app.__path__", [str(tmp_path)])
    monkeypatch.setattr(sys, "argv", ["stepscope", CHILD, "stepscope.app.tried", "a"])
    with pytest.raises(SystemExit, match="7"):
        bundled.main()


def test_from_a_bundle_children_are_started_by_the_program_itself(monkeypatch: pytest.MonkeyPatch) -> None:
    from_sources = children.command("stepscope.a", "b")
    assert from_sources == [sys.executable, "-P", "-m", "stepscope.a", "b"]
    monkeypatch.setattr(sys, "frozen", True, raising=False)
    monkeypatch.setattr(sys, "executable", "/opt/stepscope")
    assert children.command("stepscope.a", "b") == ["/opt/stepscope", "--child", "stepscope.a", "b"]


def test_a_bundle_says_of_pip_that_it_takes_no_packages(monkeypatch: pytest.MonkeyPatch) -> None:
    assert UnavailableError("PyAV is missing", hint="pip install av").hint == "pip install av"
    monkeypatch.setattr(sys, "frozen", True, raising=False)
    assert UnavailableError("PyAV is missing", hint="pip install av").hint == f"pip install av. {NO_PIP}"
    assert UnavailableError("adb is missing", hint="Install adb.").hint == "Install adb."
