"""Whether a release may be made: everything that names its version names the same, and everything is committed.

    python packaging/release_check.py

Tells what is wrong, a line each; the exit status is 1 where anything is. It changes nothing: the tag is set by hand, on
a commit of which `make test`, `make dist-check`, `make bundle` and `make docs` were green.
"""

from __future__ import annotations

import re
import subprocess
import sys
import tomllib
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]


def faults(root: Path) -> Iterator[str]:
    """What keeps the checkout from being a release."""
    version = tomllib.loads((root / "pyproject.toml").read_text("utf-8"))["project"]["version"]
    yield from _in_changelog((root / "CHANGELOG.md").read_text("utf-8"), version)
    cited = re.search(r"^version: *\"?([^\"\n]+)", (root / "CITATION.cff").read_text("utf-8"), re.MULTILINE)
    if cited is None or cited[1] != version:
        yield f"CITATION.cff has version {cited[1] if cited else 'none'}, pyproject.toml {version}."
    if _git(root, "status", "--porcelain"):
        yield "Not everything is committed: git status."
    tagged = _git(root, "rev-parse", "--verify", "--quiet", f"v{version}^{{commit}}")
    if not tagged:
        yield f"There is no tag v{version}: git tag -a v{version}, once the rest is right."
    elif tagged != _git(root, "rev-parse", "HEAD"):
        yield f"The tag v{version} is on another commit: a version is released once. Raise it in pyproject.toml."
    built = root / "build"
    for pattern, command in (
        ("dist/files/*.whl", "dist-check"),
        ("bundle/*.deb", "bundle"),
        ("bundle/*.AppImage", "bundle"),
    ):
        for file in sorted(built.glob(pattern)):
            if re.split("[-_]", file.name)[1] != version:
                yield f"{file.relative_to(root)} is of another version: make {command}."


def _in_changelog(text: str, version: str) -> Iterator[str]:
    heading = re.search(rf"^## {re.escape(version)}(.*)$", text, re.MULTILINE)
    if heading is None:
        yield f"CHANGELOG.md has no section {version}."
    elif not re.fullmatch(r", \d{4}-\d{2}-\d{2}", heading[1]):
        yield f"The section {version} of CHANGELOG.md has no day: ## {version}, YEAR-MONTH-DAY."


def _git(root: Path, *command: str) -> str:
    return subprocess.run(["git", *command], cwd=root, capture_output=True, text=True, check=False).stdout.strip()


def main() -> int:
    found = list(faults(ROOT))
    for fault in found:
        print(fault)
    if not found:
        print("Ready to be released.")
    return int(bool(found))


if __name__ == "__main__":
    sys.exit(main())
