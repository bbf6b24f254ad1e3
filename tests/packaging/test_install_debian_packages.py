"""What `make setup` installs with apt, tried with programs that stand in for apt-get, dpkg-query, id and sleep."""

from __future__ import annotations

import os
import shutil
import subprocess
from pathlib import Path

import pytest

SCRIPT = Path(__file__).parents[2] / "packaging" / "install-debian-packages.sh"
LOCKED = {
    "dpkg": "E: Unable to acquire the dpkg frontend lock (/var/lib/dpkg/lock-frontend), is another process using it?",
    "lists": "E: Could not get lock /var/lib/apt/lists/lock. It is held by process 7 (apt-get)",
    "directory": "E: Unable to lock directory /var/lib/apt/lists/",
}

pytestmark = pytest.mark.skipif(shutil.which("sh") is None, reason="there is no shell")


class Machine:
    """A folder of programs that come before the system's; `calls` are those of apt-get and sleep."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.log = folder / "log"
        self.add("dpkg-query", "exit 1")
        self.add("id", "echo 0")
        self.add("sleep", f'echo "sleep $1" >> {self.log}')

    def add(self, name: str, code: str) -> None:
        program = self.folder / name
        program.write_text(f"#!/bin/sh\n{code}\n")
        program.chmod(0o755)

    def apt(self, failures: int, words: str) -> None:
        """An apt-get that ends with these words so many times before it does its work."""
        count = self.folder / "count"
        count.write_text("0")
        self.add(
            "apt-get",
            f'echo "apt-get $*" >> {self.log}\nn=$(cat {count})\n'
            f'if [ "$n" -lt {failures} ]; then echo $((n + 1)) > {count}; echo "{words}" >&2; exit 100; fi',
        )

    def run(self, **more: str) -> subprocess.CompletedProcess[str]:
        wanted = self.folder / "packages.txt"
        wanted.write_text("# a remark\nlibegl1\nadb\n")
        path = f"{self.folder}{os.pathsep}{os.environ['PATH']}"
        return subprocess.run(
            ["sh", str(SCRIPT), str(wanted)],
            env={**os.environ, "PATH": path, **more},
            capture_output=True,
            text=True,
            check=False,
        )

    @property
    def calls(self) -> list[str]:
        return self.log.read_text().splitlines()


@pytest.fixture
def machine(tmp_path: Path) -> Machine:
    return Machine(tmp_path)


@pytest.mark.parametrize("lock", LOCKED)
def test_another_program_s_lock_is_waited_for_with_a_message(machine: Machine, lock: str) -> None:
    machine.apt(2, LOCKED[lock])
    done = machine.run()
    assert done.returncode == 0, done.stderr
    assert machine.calls == [
        "apt-get update -qq", "sleep 3", "apt-get update -qq", "sleep 3", "apt-get update -qq",
        "apt-get install -y -qq --no-install-recommends libegl1 adb",
    ]  # fmt: skip
    assert done.stderr.count("Another program is installing packages") == 1


def test_the_waiting_has_an_end(machine: Machine) -> None:
    machine.apt(10_000, LOCKED["dpkg"])
    done = machine.run(STEPSCOPE_APT_PATIENCE="45")
    assert done.returncode != 0 and LOCKED["dpkg"] in done.stderr
    assert machine.calls.count("sleep 3") == 15
    assert done.stderr.count("Another program is installing packages") == 2, "a word every half a minute"


def test_any_other_trouble_is_told_at_once(machine: Machine) -> None:
    machine.apt(1, "E: Unable to locate package libegl1")
    done = machine.run()
    assert done.returncode != 0 and "Unable to locate package" in done.stderr
    assert machine.calls == ["apt-get update -qq"]


def test_nothing_is_run_where_nothing_is_missing(machine: Machine) -> None:
    machine.add("dpkg-query", "echo 'install ok installed'")
    machine.apt(0, "")
    assert machine.run().returncode == 0 and not machine.log.exists()
