"""The claim of a process to a run, and whether that process still lives. A number alone does not say so: numbers are
used again."""

from __future__ import annotations

import hashlib
import os
import socket
import subprocess
import uuid
from dataclasses import field
from functools import cache
from pathlib import Path

from stepscope.core.frozen import dataclass

_PROCESSES = Path("/proc")
_MACHINE_IDS = Path("/etc/machine-id"), Path("/var/lib/dbus/machine-id")
_START_FIELD = 19
"""Place of the start time in /proc/PID/stat, counted behind the command's closing bracket (proc(5), field 22)."""


@dataclass(frozen=True, slots=True)
class WorkerClaim:
    """A claim of one process on one run. `started` is the process's start in the system's words, `claim` is unique.
    `machine` tells machines of one name apart, "" where the system has no word for itself."""

    host: str
    pid: int
    started: str
    claim: str = field(default_factory=lambda: uuid.uuid4().hex)
    machine: str = ""

    @classmethod
    def here(cls) -> WorkerClaim:
        """A fresh claim of this process."""
        return cls(socket.gethostname(), os.getpid(), process_start(os.getpid()) or "", machine=machine_id())


_claims: set[str] = set()


def hold(worker: WorkerClaim) -> None:
    """Note that this process has begun to work under the claim."""
    _claims.add(worker.claim)


def let_go(worker: WorkerClaim) -> None:
    _claims.discard(worker.claim)


def let_go_claim(claim: str) -> None:
    """Let go of a claim by the claim's own word."""
    _claims.discard(claim)


def is_alive(worker: WorkerClaim) -> bool | None:
    """Whether somebody still works under the claim; None when it was made on another machine and cannot be known."""
    if worker.host != socket.gethostname() or (worker.machine and worker.machine != machine_id()):
        return None
    if worker.pid == os.getpid() and worker.started == (process_start(worker.pid) or ""):
        return worker.claim in _claims
    return process_start(worker.pid) == worker.started


@cache
def machine_id() -> str:
    """What this machine calls itself for good: the same after a restart, another in a copy that was set up anew. As a
    digest, as machine-id(5) asks for; "" where there is none."""
    for file in _MACHINE_IDS:
        try:
            if found := file.read_text("ascii").strip():
                return hashlib.sha256(f"stepscope {found}".encode()).hexdigest()
        except (OSError, ValueError):
            continue
    return ""


def process_start(pid: int) -> str | None:
    """When process `pid` was started, in words that differ after a restart of the machine; None when there is none."""
    if _PROCESSES.is_dir():
        return _linux_start(pid)
    shown = subprocess.run(["ps", "-o", "lstart=", "-p", str(pid)], capture_output=True, text=True, check=False)
    return shown.stdout.strip() or None


def _linux_start(pid: int) -> str | None:
    try:
        fields = (_PROCESSES / str(pid) / "stat").read_text("utf-8", "replace").rpartition(")")[2].split()
    except OSError:
        return None
    if fields[0] in ("Z", "X"):  # ended, its parent has not looked yet
        return None
    return f"{_boot()}:{fields[_START_FIELD]}"


def _boot() -> str:
    try:
        return (_PROCESSES / "sys/kernel/random/boot_id").read_text().strip()
    except OSError:
        return ""
