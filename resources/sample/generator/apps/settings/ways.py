"""The way from the list of settings to one of its pages, and switches on those pages."""

from __future__ import annotations

import re
from dataclasses import dataclass
from itertools import pairwise

from stepscope.resources.sample.generator.plan import Chance, GoalPlan
from stepscope.resources.sample.generator.reach import element
from stepscope.resources.sample.generator.wording import WordingSampler
from stepscope.resources.sample.script import Move, PhoneView, Then, data, done, page, scroll, shows, tap, write

ROOT = {
    "network_internet": ("Network & internet", "NetworkPage"),
    "connected_devices": ("Connected devices", "ConnectedPage"),
    "apps": ("Apps", "AppsPage"),
    "notifications": ("Notifications", "NotificationsPage"),
    "battery": ("Battery", "BatteryPage"),
    "storage": ("Storage", "StoragePage"),
    "sound_vibration": ("Sound & vibration", "SoundPage"),
    "display": ("Display", "DisplayPage"),
    "wallpaper_style": ("Wallpaper & style", "WallpaperPage"),
    "accessibility": ("Accessibility", "AccessibilityPage"),
    "security_privacy": ("Security & privacy", "SecurityPage"),
    "location": ("Location", "LocationPage"),
    "system": ("System", "SystemPage"),
    "about_phone": ("About phone", "AboutPage"),
}
"""The rows of the first page, top to bottom: title and page."""
_FURTHEST = 0.6


@dataclass(frozen=True, slots=True)
class Switch:
    """A switch: the row that leads to it, its id, its title, and what people call it."""

    root: str
    id: str
    title: str
    thing: str


NETWORK = (
    Switch("network_internet", "airplane", "Airplane mode", "airplane mode"),
    Switch("network_internet", "mobile_data", "Mobile data", "mobile data"),
    Switch("network_internet", "data_saver", "Data saver", "the data saver"),
    Switch("network_internet", "hotspot", "Hotspot", "the hotspot"),
    Switch("network_internet", "roaming", "Roaming", "roaming"),
    Switch("connected_devices", "bluetooth", "Bluetooth", "Bluetooth"),
)
SCREEN = (
    Switch("display", "dark", "Dark theme", "the dark theme"),
    Switch("display", "adaptive", "Adaptive brightness", "adaptive brightness"),
    Switch("accessibility", "contrast", "High-contrast text", "high-contrast text"),
    Switch("accessibility", "magnify", "Magnification", "magnification"),
    Switch("accessibility", "captions", "Live captions", "live captions"),
    Switch("accessibility", "mono", "Mono audio", "mono audio"),
)
OTHERS = (
    Switch("battery", "saver", "Battery saver", "the battery saver"),
    Switch("notifications", "history", "Notification history", "the notification history"),
    Switch("notifications", "bubbles", "Bubbles", "bubbles for notifications"),
    Switch("notifications", "dots", "Notification dots", "notification dots"),
    Switch("location", "location", "Use location", "the use of my location"),
    Switch("security_privacy", "camera_access", "Camera access", "access to the camera"),
    Switch("security_privacy", "mic_access", "Microphone access", "access to the microphone"),
    Switch("system", "auto_time", "Set time by itself", "setting the time by itself"),
)
FOUND = {
    "hotspot": ("Hotspot", "NetworkPage", "hotspot"),
    "data_saver": ("Data saver", "NetworkPage", "data saver"),
    "saver": ("Battery saver", "BatteryPage", "battery"),
    "dark": ("Dark theme", "DisplayPage", "dark"),
    "location": ("Location", "LocationPage", "location"),
    "captions": ("Captions", "AccessibilityPage", "captions"),
    "history": ("Notification history", "NotificationsPage", "history"),
}
"""Switches that the search finds: what it calls them, the page it opens, what is typed."""


def slug(title: str) -> str:
    """The part of an id that the app makes of a title."""
    return re.sub("[^a-z0-9]+", "_", title.lower())


def reached(view: PhoneView, draw: WordingSampler, name: str) -> list[Move]:
    """To the page behind the row `name`, scrolling first when the row is not seen."""
    title, to = ROOT[name]
    opens = tap(name, draw.say(f"Open {title}", f"Tap {title}", f"Go to {title}"), page(to))
    order, tree = list(ROOT), view.tree
    seen = [row for row in order if element(tree, row)]
    tops = [found.box for row in seen if (found := element(tree, row))]
    if name in seen[:-1]:
        return [opens]
    pitch = max(below.top - above.top for above, below in pairwise(tops))
    way = tops[-1].top + pitch * (order.index(name) - len(seen) + 1.5) - tree.size.height / 2
    share = min(max(way / tree.size.height, 0.2), _FURTHEST)
    says = ("Scroll down", "Scroll down the settings", "Scroll to the rest of the list")
    return [scroll("dashboard", draw.say(*says), shows(name), share=share), opens]


def is_on(name: str, on: bool) -> Then:
    """The switch's value."""
    return data(lambda d: d["values"][name] is on)


def flip(view: PhoneView, chance: Chance, switches: tuple[Switch, ...]) -> GoalPlan:
    """One of the switches, the other way round."""
    draw, switch = WordingSampler(chance), chance.choice(switches)
    on = view.data["values"][switch.id]
    to, thing = "off" if on else "on", switch.thing
    words = draw.goal(
        f"Turn {to} [what|{thing}|that setting]",
        f"Please switch [what|{thing}|the thing in the settings] {to}",
        f"I want to have [what|{thing}|it] {to}",
        f"[what|{thing}|Setting] {to}",
        f"Go to the settings and put [what|{thing}|what I told you] {to}",
        f"Could you see to it that [what|{thing}|this function] is {to}?",
    )
    moves = reached(view, draw, switch.root)
    key = len(moves)
    says = (f"Flip the switch {switch.title}", f"Tap {switch.title}", f"Switch {to} {switch.title}")
    moves += [tap(switch.id, draw.say(*says), is_on(switch.id, not on)), done()]
    questions = (f"What shall I switch {to}?", "Which setting do you mean?", "Which switch is meant?")
    slot = draw.slot(words, "what", thing, key - 1, questions)
    return GoalPlan(words.full, tuple(moves), is_on(switch.id, not on), (slot,), key)


def flip_network(view: PhoneView, chance: Chance) -> GoalPlan | None:
    """A switch of networks and devices, the other way round. Slot `what`."""
    return flip(view, chance, NETWORK)


def flip_screen(view: PhoneView, chance: Chance) -> GoalPlan | None:
    """A switch of the screen, the other way round. Slot `what`."""
    return flip(view, chance, SCREEN)


def flip_other(view: PhoneView, chance: Chance) -> GoalPlan | None:
    """A switch of the other pages, the other way round. Slot `what`."""
    return flip(view, chance, OTHERS)


def search_and_flip(view: PhoneView, chance: Chance) -> GoalPlan | None:
    """A switch found by the search of the settings. Slot `what`."""
    draw, name = WordingSampler(chance), chance.choice(list(FOUND))
    title, to_page, typed = FOUND[name]
    on = view.data["values"][name]
    to, low = "off" if on else "on", title.lower()
    words = draw.goal(
        f"Search the settings[what| for {low}] and switch it {to}",
        f"I never find[what| {low}| that switch] in the settings, look it up and turn it {to}",
        f"Use the search to turn {to} [what|{low}|the setting]",
        f"Look[what| for {low}] in the settings, please, it should be {to}",
    )
    found = f"result_{slug(title)}"
    moves = (
        tap("search_action_bar", draw.say("Tap the search bar", "Tap Search settings"), page("SearchPage")),
        write(typed, draw.say(f"Type {typed}", f"Search for {typed}"), shows(found)),
        tap(found, draw.say(f"Tap {title}", f"Choose {title}"), page(to_page)),
        tap(name, draw.say(f"Flip {title}", f"Switch it {to}", "Tap the switch"), is_on(name, not on)),
        done(),
    )
    slot = draw.slot(words, "what", low, 1, ("What shall I search for?", "Which setting do you mean?"))
    return GoalPlan(words.full, moves, is_on(name, not on), (slot,), key=0)
