"""Ways to places in the market that several goals share."""

from __future__ import annotations

from typing import Any

from stepscope.resources.sample.generator.plan import Chance
from stepscope.resources.sample.generator.wording import WordingSampler
from stepscope.resources.sample.script import Move, PhoneView, layer, page, scroll, shows, tap, write

ROWS = 7
"""So many articles of an aisle can be touched without scrolling."""
SCROLLS = ("Scroll down the shelf", "Scroll further down", "Look further down the aisle", "Scroll to the rest")
_PROPER = ("Braeburn", "Conference")

Ware = dict[str, Any]


def low(ware: Ware) -> str:
    """An article's name in the middle of a sentence."""
    name = str(ware["name"])
    return name if name.startswith(_PROPER) else name[:1].lower() + name[1:]


def weight(grams: int) -> str:
    """A weight as people write it: grams below one kilogram, kilograms from there on."""
    return f"{grams / 1000:g} kg" if grams >= 1000 else f"{grams} g"


def ware(view: PhoneView, number: int) -> Ware:
    """The article with this number. StopIteration for an unknown one."""
    return next(w for w in view.data["wares"] if w["id"] == number)


def aisle_name(view: PhoneView, key: str) -> str:
    """The title of the aisle. KeyError for an unknown one."""
    return str(dict(view.data["aisles"])[key])


def basket(view: PhoneView) -> dict[int, int]:
    """What is in the basket: article and amount."""
    return {line["id"]: line["amount"] for line in view.data["basket"]}


def search(draw: WordingSampler) -> Move:
    """From the first page to the search."""
    says = ("Tap the magnifying glass", "Open the search", "Tap Search groceries")
    return tap("find_button", draw.say(*says), page("FindPage"))


def account(draw: WordingSampler) -> Move:
    """The account's menu, opened from the first page."""
    says = ("Tap Account", "Open the account menu", "Tap the little person at the top")
    return tap("account_button", draw.say(*says), layer("AccountMenu"))


def open_basket(draw: WordingSampler) -> Move:
    """From the first page to the basket."""
    return tap(
        "open_basket", draw.say("Open the basket", "Tap Basket", "Tap the bar at the bottom"), page("BasketPage")
    )


def my_lists(draw: WordingSampler) -> Move:
    """To the section with the saved lists."""
    return tap("section_lists", draw.say("Tap My lists", "Go to My lists", "Open the lists"), page("ListsPage"))


def offers(draw: WordingSampler) -> Move:
    """To the section with what is on offer."""
    return tap("section_offers", draw.say("Tap Offers", "Go to the offers", "Open Offers"), page("OffersPage"))


def delivery(draw: WordingSampler) -> Move:
    """From the first page to where and when the groceries come."""
    says = ("Tap the delivery strip at the top", "Open Delivery", "Tap where it says who gets the delivery")
    return tap("delivery_strip", draw.say(*says), page("DeliveryPage"))


def aisle(view: PhoneView, draw: WordingSampler, key: str) -> Move:
    """From the first page to the aisle `key`."""
    name = aisle_name(view, key)
    says = (f"Open {name}", f"Tap the {name} tile", f"Go to the aisle {name}", f"Tap {name}")
    return tap(f"aisle_{key}", draw.say(*says), page("AislePage"))


def along_the_aisle(view: PhoneView, draw: WordingSampler, wanted: Ware) -> list[Move]:
    """From the first page to the aisle of `wanted`, scrolled until it can be touched."""
    moves = [aisle(view, draw, wanted["aisle"])]
    if view.data["popular"][wanted["aisle"]].index(wanted["id"]) >= ROWS:
        moves.append(scroll("shelf", draw.say(*SCROLLS), shows(f"put_in_{wanted['id']}"), share=0.4))
    return moves


def by_search(view: PhoneView, draw: WordingSampler, wanted: Ware) -> list[Move] | None:
    """From the first page to a search that finds `wanted`; None when it would stand too far down."""
    text = draw.say(*{str(wanted["name"]).lower(), str(wanted["name"]).split()[-1].lower()[:7]})
    hits = [w for w in view.data["wares"] if text in w["name"].lower()]
    if view.data["prefs"]["organic"]:
        hits.sort(key=lambda w: not w["organic"])
    if [w["id"] for w in hits].index(wanted["id"]) > 3:
        return None
    typed = write(text, draw.say(f"Type {text}", f"Search for {text}", f"Write {text}"), shows(f"ware_{wanted['id']}"))
    return [search(draw), typed]


def find(view: PhoneView, draw: WordingSampler, wanted: Ware) -> tuple[list[Move], int]:
    """Moves until `wanted` is in a list on the screen, and the first of them that needs its name."""
    found = by_search(view, draw, wanted) if draw.chance.random() < 0.5 else None
    if found:
        return found, 1
    return along_the_aisle(view, draw, wanted), 0


def open_ware(draw: WordingSampler, wanted: Ware) -> Move:
    """From a list that shows it to the article's page."""
    says = (f"Open {wanted['name']}", f"Tap {wanted['name']}", f"Tap the line with {low(wanted)}")
    return tap(f"ware_{wanted['id']}", draw.say(*says), page("WarePage"))


def any_ware(view: PhoneView, chance: Chance, kilo: bool | None = None) -> Ware:
    """Some article that is not in the basket; by weight or by the piece when `kilo` says so."""
    there = basket(view)
    found: Ware = chance.choice([w for w in view.data["wares"] if w["id"] not in there and kilo in (None, w["kilo"])])
    return found
