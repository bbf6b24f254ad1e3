"""What has room in a model's context: demonstrations give way before the page does, the last of them first (ours)."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass

from stepscope.core.webtask.html_parts import cut_to
from stepscope.models.webtask.tokens import Count


@dataclass(frozen=True, slots=True)
class FittedPrompt:
    """The first `demos` demonstrations, the page's HTML, and how many tokens of it were left out."""

    demos: int
    html: str
    cut: int = 0


def fitted(room: int, demos: Sequence[int], html: str, count: Count, keep: Collection[str]) -> FittedPrompt:
    """`room` in tokens for the HTML and demonstrations of these lengths. Where the HTML alone is too much, it is cut
    around the fields `keep`."""
    size, shown = count(html), len(demos)
    while shown and size + sum(demos[:shown]) > room:
        shown -= 1
    if size <= room:
        return FittedPrompt(shown, html)
    less = cut_to(html, lambda part: count(part) <= room, keep).html
    return FittedPrompt(shown, less, max(0, size - count(less)))
