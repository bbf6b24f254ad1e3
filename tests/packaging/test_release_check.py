"""What stands between a checkout and a release is told, and nothing else."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from types import ModuleType

import pytest

FOLDER = Path(__file__).resolve().parents[2] / "packaging"


@pytest.fixture(scope="module")
def release() -> ModuleType:
    sys.path.insert(0, str(FOLDER))
    try:
        import release_check
    finally:
        sys.path.remove(str(FOLDER))
    return release_check


@pytest.fixture
def git(tmp_path: Path) -> Callable[..., None]:
    """A checkout of version 1.2.0 of which all is right but the tag."""

    def run(*command: str) -> None:
        named = ("-c", "user.name=a", "-c", "user.email=a@example.org")
        subprocess.run(["git", *named, *command], cwd=tmp_path, check=True, capture_output=True)

    (tmp_path / "pyproject.toml").write_text('[project]\nversion = "1.2.0"\n')
    (tmp_path / "CITATION.cff").write_text("title: x\nversion: 1.2.0\n")
    (tmp_path / "CHANGELOG.md").write_text("# Changelog\n\n## 1.2.0, 2026-03-04\n\n- New.\n\n## 1.1.0, 2026-01-02\n")
    (tmp_path / ".gitignore").write_text("build/\n")
    run("init", "--quiet")
    run("add", ".")
    run("commit", "--quiet", "-m", "all")
    return run


def test_a_tagged_commit_whose_files_agree_is_ready(release, git, tmp_path: Path) -> None:
    assert list(release.faults(tmp_path)) == ["There is no tag v1.2.0: git tag -a v1.2.0, once the rest is right."]
    git("tag", "-a", "v1.2.0", "-m", "1.2.0")
    assert list(release.faults(tmp_path)) == []


def test_what_does_not_agree_is_told(release, git, tmp_path: Path) -> None:
    git("tag", "-a", "v1.2.0", "-m", "1.2.0")
    (tmp_path / "CITATION.cff").write_text("title: x\nversion: 1.1.0\n")
    (tmp_path / "CHANGELOG.md").write_text("# Changelog\n\n## 1.2.0, not released yet\n")
    git("commit", "--quiet", "-a", "-m", "wrong")
    wheel = tmp_path / "build" / "dist" / "files" / "stepscope-1.1.0-py3-none-any.whl"
    wheel.parent.mkdir(parents=True)
    wheel.touch()
    bundles = tmp_path / "build" / "bundle"
    bundles.mkdir()
    for name in ("stepscope_1.1.0_amd64.deb", "Stepscope-1.2.0-x86_64.AppImage"):
        (bundles / name).touch()
    (tmp_path / "new").touch()
    assert list(release.faults(tmp_path)) == [
        "The section 1.2.0 of CHANGELOG.md has no day: ## 1.2.0, YEAR-MONTH-DAY.",
        "CITATION.cff has version 1.1.0, pyproject.toml 1.2.0.",
        "Not everything is committed: git status.",
        "The tag v1.2.0 is on another commit: a version is released once. Raise it in pyproject.toml.",
        "build/dist/files/stepscope-1.1.0-py3-none-any.whl is of another version: make dist-check.",
        "build/bundle/stepscope_1.1.0_amd64.deb is of another version: make bundle.",
    ]


def test_a_version_without_a_section_is_told(release, git, tmp_path: Path) -> None:
    (tmp_path / "CHANGELOG.md").write_text("# Changelog\n")
    assert "CHANGELOG.md has no section 1.2.0." in list(release.faults(tmp_path))
