"""Puts the documentation together for Sphinx: the pages of `docs`, those at the top of the repository, and pages made
from the code. Links among them become those of the site; one that leads out of it ends the build.

    python packaging/docs-site/stage.py FOLDER
"""

from __future__ import annotations

import posixpath
import re
import shutil
import sys
from collections.abc import Iterator
from pathlib import Path

import reference

ROOT = Path(__file__).resolve().parents[2]
DOCS = ROOT / "docs"

TOP_PAGES = {
    "README.md": "index.md",
    "CHANGELOG.md": "project/changelog.md",
    "CONTRIBUTING.md": "project/contributing.md",
    "CODE_OF_CONDUCT.md": "project/code-of-conduct.md",
    "SECURITY.md": "project/security.md",
    "LICENSE": "project/license.md",
}
"""Page of the site by file of the repository."""

REFERENCE = {
    "commands-and-options": "reference/commands.md",
    "commands-of-the-window": "reference/window.md",
    "filter-language": "reference/filters.md",
    "actions-as-json": "reference/actions.md",
    "scoring-records": "reference/records.md",
    "rules-of-the-protocols": "reference/rules.md",
    "for-packages-of-ones-own": "reference/plug-ins.md",
    "figures-of-the-limits": "reference/limits.md",
}
"""Pages made from the code by the heading that stands for each in `docs/reference/README.md`."""

FOLDERS = ("adr", "formats", "protocols")
"""Folders of the documentation that have a page of their own, `README.md`."""

EXAMPLES = "examples/"
"""No pages: who copies them has the repository."""

SECTIONS = {
    "Start": ("install", "tutorial", "guide", "glossary", "limits"),
    "How to": (
        "how-to/evaluate-your-model", "how-to/add-a-format", "how-to/add-a-model", "how-to/add-a-rule",
        "how-to/score-without-the-window", "how-to/work-on-many-machines", "reproduce", "campaigns",
        "devices", "webtasks",
    ),
    "Data": ("formats/README", "own-formats", "sample"),
    "Protocols": ("protocols/README",),
    "Models": ("models",),
    "Reference": (
        "reference/README", "cli", "reference/commands", "reference/window", "reference/filters", "reference/actions",
        "reference/records", "reference/rules", "reference/plug-ins", "reference/limits", "store",
    ),
    "Project": (
        "project/changelog", "project/contributing", "project/code-of-conduct", "project/security", "architecture",
        "performance", "scale", "out-of-scope", "adr/README", "project/license",
    ),
}  # fmt: skip
"""What stands at the left of every page."""

UNDER = {"formats/README": "formats", "protocols/README": "protocols", "models": "models", "adr/README": "adr"}
"""Pages below which all others of a folder stand."""

_LINK = re.compile(r"(?<=\]\()(?!https?:|mailto:|#)([^)\s#]+)(#[^)\s]*)?(?=\))")
_TO_EXAMPLE = re.compile(rf"\[([^\]]*)\]\({EXAMPLES}[^)]*\)")
_CODE = re.compile(r"(^```.*?^```|``[^\n]*?``|`[^`\n]*`)", re.MULTILINE | re.DOTALL)


class LinkError(ValueError):
    """A link leads out of the documentation."""


def stage(target: Path) -> None:
    """Write all pages and pictures into a new folder."""
    shutil.rmtree(target, ignore_errors=True)
    pages = dict(_pages())
    for page, text in pages.items():
        file = target / page
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text + _contents(page, pages), "utf-8")
    shutil.copytree(DOCS / "pictures", target / "pictures")
    shutil.copy(Path(__file__).with_name("conf.py"), target / "conf.py")


def _pages() -> Iterator[tuple[str, str]]:
    for file in sorted(DOCS.rglob("*.md")):
        page = file.relative_to(DOCS).as_posix()
        if not page.startswith(EXAMPLES):
            yield page, linked(file.read_text("utf-8"), posixpath.join("docs", posixpath.dirname(page)), page)
    for name, page in TOP_PAGES.items():
        text = (ROOT / name).read_text("utf-8")
        if name == "LICENSE":
            text = f"# Licence\n\n```text\n{text.rstrip()}\n```\n"
        yield page, linked(text, "", page)
    yield "adr/README.md", _decisions()
    yield from reference.pages().items()


def linked(text: str, folder: str, page: str) -> str:
    """The text of a file in `folder` of the repository with its links as those of `page`; code stays as it is."""

    def new(match: re.Match[str]) -> str:
        found, anchor = posixpath.normpath(posixpath.join(folder, match[1])), match[2] or ""
        made = REFERENCE.get(anchor[1:]) if found == "docs/reference/README.md" else None
        return posixpath.relpath(made, posixpath.dirname(page)) if made else _relative(found, page) + anchor

    parts = _CODE.split(_TO_EXAMPLE.sub(r"\1", text))
    return "".join(part if index % 2 else _LINK.sub(new, part) for index, part in enumerate(parts))


def _relative(found: str, page: str) -> str:
    """A path of the repository as a link from the page."""
    inside = found.removeprefix("docs/")
    if found in TOP_PAGES:
        inside = TOP_PAGES[found]
    elif inside in FOLDERS:
        inside = f"{inside}/README.md"
    elif inside == found or not (ROOT / found).exists():
        raise LinkError(f"{page}: {found} is no page of the documentation")
    return posixpath.relpath(inside, posixpath.dirname(page) or ".")


def _decisions() -> str:
    """The first lines of all records of decisions."""
    return "# Decisions\n\nWhy things are as they are, in the order in which it was decided.\n"


def _contents(page: str, pages: dict[str, str]) -> str:
    """What Sphinx puts at the left below a page."""
    name = page.removesuffix(".md")
    if name == "index":
        return "".join(_tree(entries, caption) for caption, entries in SECTIONS.items())
    if name not in UNDER:
        return ""
    inside = sorted(one.removesuffix(".md") for one in pages if one.startswith(f"{UNDER[name]}/") and one != page)
    return _tree(
        tuple(posixpath.relpath(one, posixpath.dirname(page) or ".") for one in inside), "", name != "adr/README"
    )


def _tree(entries: tuple[str, ...], caption: str, hidden: bool = True) -> str:
    options = [":hidden:"] * hidden + [f":caption: {caption}"] * bool(caption) + [":maxdepth: 1"] * (not hidden)
    return "\n".join(("", "```{toctree}", *options, "", *entries, "```", ""))


if __name__ == "__main__":
    stage(Path(sys.argv[1]))
