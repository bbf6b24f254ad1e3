"""How large a page of a stranger's may be: its HTML, and the tags in it, before it is parsed."""

from __future__ import annotations

from pathlib import Path

from stepscope.core.limits import BYTES, exceeded, limit, written_figure


def check_page(size: int, place: Path | str = "", field: str = "") -> None:
    """Raise SourceError for a page of so many bytes above `page-bytes`."""
    most = limit("page-bytes")
    if size > most:
        raise exceeded("page-bytes", f"the page is larger than {written_figure(BYTES, most)}", place=place, field=field)


def check_tags(markup: bytes, place: Path | str = "", field: str = "") -> None:
    """Raise SourceError for HTML or XML with more tags than `tree-elements`; end tags are not counted.

    What libxml2 takes is up to the tags, some hundred bytes for each, and its time to how deep they may nest.
    """
    most = limit("tree-elements")
    if markup.count(b"<") > most and markup.count(b"<") - markup.count(b"</") > most:
        raise exceeded("tree-elements", f"there are more than {most:,} tags", place=place, field=field)
