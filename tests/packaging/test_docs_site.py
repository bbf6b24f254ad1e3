"""The documentation as a site: every link leads to a page and a heading, and the reference has all there is."""

from __future__ import annotations

import re
import sys
from pathlib import Path
from types import ModuleType

import pytest

from stepscope.app.cli.families import COMMANDS
from stepscope.core.domain.action import ACTION_TYPES
from stepscope.core.domain.filter import FIELDS
from stepscope.core.scoring.registry import PROTOCOLS

FOLDER = Path(__file__).resolve().parents[2] / "packaging" / "docs-site"
LINK = re.compile(r"\]\((?!https?:|mailto:)([^)\s#]*)(?:#([^)\s]+))?\)")
CODE = re.compile(r"^```.*?^```|``[^\n]*?``|`[^`\n]*`", re.MULTILINE | re.DOTALL)


@pytest.fixture(scope="module")
def stage() -> ModuleType:
    sys.path.insert(0, str(FOLDER))
    try:
        import stage
    finally:
        sys.path.remove(str(FOLDER))
    return stage


@pytest.fixture(scope="module")
def site(stage: ModuleType, tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder: Path = tmp_path_factory.mktemp("docs") / "site"
    stage.stage(folder)
    return folder


def anchors(page: Path) -> set[str]:
    """The headings of a page as GitHub and MyST call them."""
    found: dict[str, int] = {}
    names = set()
    for title in re.findall(
        r"^#+ +(.*)$", re.sub(r"^```.*?^```", "", page.read_text("utf-8"), flags=re.M | re.S), re.M
    ):
        slug = re.sub(r"[^\w\- ]", "", re.sub(r"\[([^\]]*)\]\([^)]*\)", r"\1", title).lower()).strip().replace(" ", "-")
        names.add(f"{slug}-{found[slug]}" if slug in found else slug)
        found[slug] = found.get(slug, 0) + 1
    return names


def test_every_link_leads_to_a_page_and_a_heading(site: Path) -> None:
    lost = []
    for page in sorted(site.rglob("*.md")):
        for target, anchor in LINK.findall(CODE.sub("", page.read_text("utf-8"))):
            there = (page.parent / target).resolve() if target else page
            if not there.is_file() or (anchor and anchor not in anchors(there)):
                lost.append((page.relative_to(site).as_posix(), target, anchor))
    assert lost == []


def test_every_page_stands_at_the_left(site: Path) -> None:
    """What is in no contents is found by search alone."""
    listed = {"index"}
    for page in site.rglob("*.md"):
        for tree in re.findall(r"^```\{toctree\}\n(.*?)^```", page.read_text("utf-8"), re.MULTILINE | re.DOTALL):
            for entry in tree.split("\n\n", 1)[1].split():
                listed.add((page.parent / entry).relative_to(site).as_posix())
    assert {page.relative_to(site).with_suffix("").as_posix() for page in site.rglob("*.md")} == listed


def test_the_reference_has_all_that_there_is(site: Path) -> None:
    def headings(page: str) -> set[str]:
        return set(re.findall(r"^#+ `?([^`\n]+)`?$", (site / "reference" / f"{page}.md").read_text("utf-8"), re.M))

    assert set(COMMANDS) | {"runs compare", "models add"} <= headings("commands")
    assert set(ACTION_TYPES) <= headings("actions")
    assert set(PROTOCOLS) <= headings("records") & headings("rules")
    fields = (site / "reference" / "filters.md").read_text("utf-8")
    assert [name for name in FIELDS if f"| `{name}` |" not in fields] == []
    assert '"step_accuracy": 1.0' in (site / "reference" / "records.md").read_text("utf-8")


def test_a_link_that_leads_out_of_the_documentation_is_told(stage: ModuleType) -> None:
    with pytest.raises(stage.LinkError, match=r"guide\.md: core/errors\.py is no page"):
        stage.linked("See [errors](../core/errors.py).", "docs", "guide.md")
    assert stage.linked("`[a](../b)` [c](cli.md#runs)", "docs", "guide.md") == "`[a](../b)` [c](cli.md#runs)"
    assert stage.linked("[s](../../SECURITY.md)", "docs/formats", "formats/x.md") == "[s](../project/security.md)"
