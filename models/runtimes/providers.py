"""Which of ONNX Runtime's providers work here, and why not: each that it lists is tried on a graph of one addition.

ONNX Runtime lists what it was built with, and goes on without a word where the libraries of a provider are missing.
Each is asked in a process of its own, which bears one that breaks, too.
"""

from __future__ import annotations

import re
import subprocess
from collections.abc import Sequence
from importlib.metadata import PackageNotFoundError, version

from stepscope.core.frozen import dataclass
from stepscope.core.process import children

PACKAGES = ("onnxruntime", "onnxruntime-gpu", "onnxruntime-directml", "onnxruntime-openvino", "onnxruntime-rocm")
"""Distributions that all put the same module into the same folder."""
_SECONDS = 60
_LONGEST = 300
_GRAPH = "CAg6OgoOCgF4CgF4EgF5IgNBZGQSBmRvdWJsZVoPCgF4EgoKCAgBEgQKAggBYg8KAXkSCgoICAESBAoCCAFCBAoAEBE="
"""y = x + x of one number, as `onnx.helper` writes it (IR 8, opset 17), in base64."""


@dataclass(frozen=True, slots=True)
class ProviderTrial:
    """A provider that ONNX Runtime lists, and `why_not` it works here, "" where it does."""

    name: str
    why_not: str = ""


def trials() -> tuple[ProviderTrial, ...]:
    """All that are listed, in ONNX Runtime's order; none without it. Takes a second or more for each."""
    listed = _asked(["list"])
    names = listed.stdout.split() if listed is not None and listed.returncode == 0 else []
    return tuple(ProviderTrial(name, _why_not(name)) for name in names)


def installed_packages() -> tuple[str, ...]:
    """Those of `PACKAGES` that are installed, each with its version."""
    found = []
    for name in PACKAGES:
        try:
            found.append(f"{name} {version(name)}")
        except PackageNotFoundError:
            continue
    return tuple(found)


def package_problem(packages: Sequence[str]) -> str:
    """What is wrong with these packages being installed together, "" for nothing."""
    if len(packages) < 2:
        return ""
    names = " and ".join(one.partition(" ")[0] for one in packages)
    return (
        f"{names} are installed together: they lie in one folder, and each writes over the other. "
        "Uninstall all of them, then install one: onnxruntime-gpu for a GPU, else onnxruntime."
    )


def _why_not(name: str) -> str:
    done = _asked(["try", _GRAPH, name])
    if done is None:
        return f"it does not answer within {_SECONDS} s"
    if done.returncode == 0 and done.stdout.strip() == "works":
        return ""
    # The loader's own reason, which is told in the log alone.
    said = re.search(r"with error: (.+)", done.stderr)
    if said is not None:
        return said[1].strip()[:_LONGEST]
    if done.returncode < 0:
        return f"its process was ended by signal {-done.returncode}"
    last = done.stderr.strip().splitlines()[-1:] if done.returncode else []
    return last[0].strip()[:_LONGEST] if last else "ONNX Runtime leaves it out and does not say why"


def _asked(words: Sequence[str]) -> subprocess.CompletedProcess[str] | None:
    """What the process that is asked says; None where it takes too long."""
    try:
        return subprocess.run(
            children.command("stepscope.models.runtimes.provider_child", *words),
            env=children.environment(), capture_output=True, text=True, errors="replace", check=False, timeout=_SECONDS,
        )  # fmt: skip
    except (OSError, subprocess.TimeoutExpired):
        return None
