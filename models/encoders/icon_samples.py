"""Icons cut out of screens, each with its kind as the element's description or id tells it.

Which elements are icons is MoTIF's rule: to be seen, clickable, under a twentieth of the screen, the short side over
three quarters of the long one (released code, `get_icons.py`; after Liu et al. 2018). The kinds follow the icon classes
of Liu et al. 2018 by their meaning; the words that tell them are ours.
"""

from __future__ import annotations

import hashlib
import math
from collections.abc import Iterator, Mapping
from dataclasses import field

from stepscope.core.domain.elements import UIElement
from stepscope.core.domain.episode import EpisodeSummary, Observation
from stepscope.core.errors import SourceError
from stepscope.core.frozen import dataclass
from stepscope.core.imaging.decode import decode
from stepscope.core.imaging.parts import Pixels
from stepscope.core.progress import CancelToken
from stepscope.core.sources.source import Source
from stepscope.models.features.element_tokens import name_words

MOST_AREA, LEAST_ASPECT = 0.05, 0.75
"""Of the screen's area; short side over long side (MoTIF, released code)."""
_LEAST_SIDE = 4
"""Pixels; less shows nothing (ours)."""

ICON_WORDS: Mapping[str, tuple[str, ...]] = {
    "add": ("add", "plus", "create", "compose"),
    "attach": ("attach", "attachment", "paperclip"),
    "back": ("back", "navigate up"),
    "bookmark": ("bookmark", "bookmarks"),
    "calendar": ("calendar", "date"),
    "call": ("call", "phone", "dial"),
    "camera": ("camera",),
    "cart": ("cart", "basket", "bag"),
    "check": ("check", "done", "confirm", "accept", "ok"),
    "close": ("close", "cancel", "dismiss", "clear"),
    "delete": ("delete", "trash", "remove", "bin"),
    "download": ("download",),
    "edit": ("edit", "pencil"),
    "email": ("email", "mail", "inbox"),
    "favorite": ("favorite", "favourite", "favorites", "favourites", "heart", "like"),
    "filter": ("filter", "filters"),
    "help": ("help", "question"),
    "home": ("home",),
    "info": ("info", "information", "about"),
    "location": ("location", "map", "gps", "nearby"),
    "menu": ("menu", "drawer", "hamburger", "navigation drawer"),
    "microphone": ("microphone", "mic", "voice"),
    "more": ("more", "overflow", "more options"),
    "next": ("next", "skip", "forward"),
    "notifications": ("notification", "notifications", "bell"),
    "pause": ("pause",),
    "play": ("play",),
    "refresh": ("refresh", "reload", "sync"),
    "search": ("search", "magnifier"),
    "send": ("send",),
    "settings": ("settings", "preferences", "gear"),
    "share": ("share",),
    "star": ("star", "rate", "rating"),
    "user": ("user", "profile", "account", "avatar"),
}
"""Each kind and the words, or words in a row, that tell it."""


@dataclass(frozen=True, slots=True)
class IconSample:
    """A picture of an icon and its kind."""

    pixels: Pixels = field(repr=False, compare=False)
    kind: str


def icon_kind(element: UIElement) -> str | None:
    """The kind that the description tells, else the resource id; None where neither tells one, or several."""
    for name in (element.content_description, element.short_id):
        words = [word.lower() for word in name_words(name)]
        kinds = {kind for kind, told in ICON_WORDS.items() if any(_holds(words, one.split()) for one in told)}
        if kinds:
            return kinds.pop() if len(kinds) == 1 else None
    return None


def is_icon(element: UIElement, observation: Observation) -> bool:
    """Whether the element is an icon by its place and shape alone."""
    box = element.box.rescaled(observation.size)
    whole = observation.size.width * observation.size.height
    long = max(box.width, box.height)
    if not element.visible or not element.clickable or long <= 0:
        return False
    return box.area < MOST_AREA * whole and min(box.width, box.height) / long > LEAST_ASPECT


def icons_of(observation: Observation) -> Iterator[IconSample]:
    """The icons on a screen whose kind is told, cut out of the screenshot. Raises SourceError for a picture that cannot
    be read; it is decoded only where an icon is on it."""
    picture, tree = observation.screenshot, observation.tree
    if picture is None or tree is None:
        return
    pixels: Pixels | None = None
    for element in tree:
        kind = icon_kind(element) if is_icon(element, observation) else None
        box = element.box.rescaled(picture.size).clipped() if kind else None
        if kind is None or box is None:
            continue
        if pixels is None:
            pixels = decode(picture)
        rows = slice(math.floor(box.top), math.ceil(box.bottom))
        part = pixels[rows, math.floor(box.left) : math.ceil(box.right)]
        if min(part.shape[:2]) >= _LEAST_SIDE:
            yield IconSample(part.copy(), kind)


def icon_samples(source: Source, token: CancelToken | None = None) -> Iterator[IconSample]:
    """The icons in a data set's episodes, each picture once: an app shows the same icon on many screens. What cannot be
    read is passed over; a cancelled token ends it."""
    token = token or CancelToken()
    known: set[bytes] = set()
    for row in source.scan():
        token.wait_if_paused()
        if token.cancelled:
            return
        if not isinstance(row, EpisodeSummary):
            continue
        try:
            steps = source.read(row.id).steps
        except SourceError:
            continue
        for step in steps:
            try:
                found = list(icons_of(step.observation))
            except SourceError:
                continue
            for sample in found:
                content = f"{sample.kind} {sample.pixels.shape}".encode() + sample.pixels.tobytes()
                digest = hashlib.blake2b(content, digest_size=16).digest()
                if digest not in known:
                    known.add(digest)
                    yield sample


def _holds(words: list[str], told: list[str]) -> bool:
    return any(words[at : at + len(told)] == told for at in range(len(words) - len(told) + 1))
