"""Saved lists, vouchers and preferences."""

from __future__ import annotations

import string
from typing import Any

from stepscope.core.domain.episode import InfeasibilityReason
from stepscope.resources.sample.generator.apps.market import ways
from stepscope.resources.sample.generator.plan import Chance, GoalPlan
from stepscope.resources.sample.generator.wording import Wording, WordingSampler
from stepscope.resources.sample.script import (
    Move,
    PhoneView,
    by_words,
    data,
    done,
    enter,
    give_up,
    hold,
    layer,
    page,
    shows,
    snack,
    tap,
    write,
)

_NAMES = (
    "Pancake day",
    "Office fruit",
    "Lunar new year",
    "Taco night",
    "Baking",
    "Cabin trip",
    "Cat and dog",
    "Tea party",
)
_WHICH = ("Which list do you mean?", "Which of your saved lists?", "What is the list called?")
_SWITCHES = {
    "door": ("Leave it at the door", "the driver leaves the bags at the door", "leaving the groceries at the door"),
    "bags": ("Paper bags", "the groceries come in paper bags", "paper bags"),
    "reminders": ("Remind me the evening before", "I am reminded the evening before", "the delivery reminder"),
    "organic": ("Prefer organic", "organic food comes first", "the preference for organic food"),
}
_HABITS = {
    "Something similar": "bring something similar",
    "Ask me first": "ask me first",
    "Leave it out": "leave it out",
}


def _tap_list(draw: WordingSampler, saved: dict[str, Any]) -> Move:
    says = (f"Open {saved['name']}", f"Tap {saved['name']}", f"Open the list {saved['name']}")
    return tap(f"list_{saved['id']}", draw.say(*says), page("ListPage"))


def _hold_list(draw: WordingSampler, saved: dict[str, Any]) -> Move:
    says = (f"Press and hold {saved['name']}", f"Long press {saved['name']}")
    return hold(f"list_{saved['id']}", draw.say(*says), layer("ListMenu"))


def _list_menu(draw: WordingSampler, saved: dict[str, Any]) -> list[Move]:
    """To a list's menu, by a long press or through the list."""
    if draw.chance.random() < 0.6:
        return [ways.my_lists(draw), _hold_list(draw, saved)]
    more = tap("list_more", draw.say("Tap the three dots", "Open More about this list"), layer("ListMenu"))
    return [ways.my_lists(draw), _tap_list(draw, saved), more]


def new_list(view: PhoneView, chance: Chance) -> GoalPlan | None:
    """A saved list with a name. Slot `name`."""
    draw, name = WordingSampler(chance), chance.choice(_NAMES)
    words = draw.goal(
        f"Make a new grocery list [name|called {name}|with a name of its own]",
        f"New list in the market[name|: {name}]",
        f"I plan something, so start a saved list of groceries[name| with the name {name}]",
        f"Could you add a list[name| {name}] to my saved grocery lists?",
    )
    moves = (
        ways.my_lists(draw),
        tap("new_list", draw.say("Tap New list", "Start a new list"), layer("ListNameDialog")),
        write(name, draw.say(f"Type {name}", f"Write {name}")),
        tap("list_name_ok", draw.say("Tap Save", "Save the list"), snack(f"{name} made")),
        done(),
    )
    slot = draw.slot(words, "name", name, 2, ("What shall the list be called?", "Which name should it get?"))
    return GoalPlan(words.full, moves, data(lambda d: d["lists"][-1]["name"] == name), (slot,), key=1)


def save_to_list(view: PhoneView, chance: Chance) -> GoalPlan | None:
    """An article on one of the lists. Slots `ware`, `list`; None when all lists have it."""
    draw, wanted = WordingSampler(chance), ways.any_ware(view, chance)
    free = [saved for saved in view.data["lists"] if wanted["id"] not in saved["items"]]
    if not free:
        return None
    saved, thing = chance.choice(free), ways.low(wanted)
    words = draw.goal(
        f"Save [ware|{thing}|an article] to [list|the list {saved['name']}|one of my lists]",
        f"Put [ware|{thing}|something] on my list [list|{saved['name']}|for later], not in the basket",
        f"[list|{saved['name']}|One of the grocery lists] lacks [ware|{thing}|an ingredient], add it to the list",
        f"Remember [ware|{thing}|a thing to buy] for [list|{saved['name']}|the next time], in the saved lists",
    )
    moves, first = ways.find(view, draw, wanted)
    if chance.random() < 0.4:
        says = (f"Press and hold {wanted['name']}", f"Long press {wanted['name']}")
        moves.append(hold(f"ware_{wanted['id']}", draw.say(*says), layer("WareMenu")))
        moves.append(tap("menu_keep", draw.say("Choose Save to a list", "Tap Save to a list"), layer("KeepSheet")))
    else:
        says = ("Tap the bookmark", "Tap Save to a list")
        moves += [ways.open_ware(draw, wanted), tap("keep_button", draw.say(*says), layer("KeepSheet"))]
    says = (f"Choose {saved['name']}", f"Tap {saved['name']}")
    moves.append(tap(f"keep_in_{saved['id']}", draw.say(*says), snack(f"{wanted['name']} saved to {saved['name']}")))
    slots = (
        draw.slot(words, "ware", thing, first, ("What shall I save?", "Which of the groceries do you mean?")),
        draw.slot(words, "list", saved["name"], len(moves) - 1, ("To which list?", *_WHICH)),
    )
    result = data(lambda d: any(s["id"] == saved["id"] and wanted["id"] in s["items"] for s in d["lists"]))
    return GoalPlan(words.full, (*moves, done()), result, slots)


def rename_list(view: PhoneView, chance: Chance) -> GoalPlan | None:
    """Another name for a list. Slots `list`, `name`."""
    draw, saved, name = WordingSampler(chance), chance.choice(view.data["lists"]), chance.choice(_NAMES)
    words = draw.goal(
        f"Rename the grocery list [list|{saved['name']}|I made] to [name|{name}|something better]",
        f"The list [list|{saved['name']}|with the wrong name] should be called [name|{name}|differently]",
        f"Change the name of [list|{saved['name']}|a list] in the market to [name|{name}|a new one]",
        f"Call my saved list [list|{saved['name']}|of groceries] [name|{name}|something else] from now on",
    )
    moves = _list_menu(draw, saved)
    key = len(moves)
    moves += [
        tap("list_rename", draw.say("Tap Rename", "Choose Rename"), layer("ListNameDialog")),
        write(name, draw.say(f"Replace the name by {name}", f"Type {name} instead"), replace=True),
        tap("list_name_ok", draw.say("Tap Save", "Save the new name"), layer(None)),
    ]
    slots = (
        draw.slot(words, "list", saved["name"], 1, _WHICH),
        draw.slot(words, "name", name, key + 1, ("What is the new name?", "What shall it be called now?")),
    )
    result = data(lambda d: any(s["id"] == saved["id"] and s["name"] == name for s in d["lists"]))
    return GoalPlan(words.full, (*moves, done()), result, slots, key)


def delete_list(view: PhoneView, chance: Chance) -> GoalPlan | None:
    """A list deleted, by its menu. Slot `list`."""
    draw, saved = WordingSampler(chance), chance.choice(view.data["lists"])
    words = draw.goal(
        f"Delete the grocery list[list| {saved['name']}| I no longer use]",
        f"I don't need the list[list| {saved['name']}| from last time] in the market any more, remove it",
        f"Get rid of[list| {saved['name']}| one list] among my saved lists",
        f"Please throw away the saved list[list| {saved['name']}]",
    )
    moves = _list_menu(draw, saved)
    key = len(moves)
    moves += [
        tap("list_delete", draw.say("Tap Delete", "Choose Delete"), layer("DeleteListDialog")),
        tap("button_ok", draw.say("Confirm with Delete", "Tap Delete"), layer(None)),
    ]
    slot = draw.slot(words, "list", saved["name"], 1, _WHICH)
    result = data(lambda d: all(s["id"] != saved["id"] for s in d["lists"]))
    return GoalPlan(words.full, (*moves, done()), result, (slot,), key)


def _whole_list(draw: WordingSampler, name: str) -> Wording:
    return draw.goal(
        f"Put everything from my list[list| {name}| of groceries] in the basket",
        f"I want to buy the whole list[list| {name}| that I saved], fill the basket with it",
        f"[list|{name}|One saved list]: all of it into the basket, please",
        f"Could you take all that is saved [list|under {name}|in one of the lists] and put it in the basket?",
    )


def list_to_basket(view: PhoneView, chance: Chance) -> GoalPlan | None:
    """All articles of a list into the basket. Slot `list`."""
    draw, saved = WordingSampler(chance), chance.choice([s for s in view.data["lists"] if s["items"]])
    words = _whole_list(draw, saved["name"])
    says = ("Tap Put all in the basket", "Press the button at the bottom", "Put all of it in the basket")
    moves = (
        ways.my_lists(draw),
        _tap_list(draw, saved),
        tap("list_to_basket", draw.say(*says), snack(f"{len(saved['items'])} things")),
        done(),
    )
    slot = draw.slot(words, "list", saved["name"], 1, _WHICH)
    result = data(lambda d: set(saved["items"]) <= {line["id"] for line in d["basket"]})
    return GoalPlan(words.full, moves, result, (slot,))


def empty_list_to_basket(view: PhoneView, chance: Chance) -> GoalPlan | None:
    """Premature: nothing was saved in the list yet. None without an empty list."""
    empty = [s for s in view.data["lists"] if not s["items"]]
    if not empty:
        return None
    draw, saved = WordingSampler(chance), chance.choice(empty)
    questions = (
        f"The list {saved['name']} is empty. What shall I save in it first?",
        f"Nothing is saved in {saved['name']} yet. Do you mean another list?",
    )
    last = give_up(draw.say("The list is empty", "There is nothing in this list to put in the basket"))
    return GoalPlan(
        _whole_list(draw, saved["name"]).full,
        (ways.my_lists(draw), _tap_list(draw, saved), last),
        shows("empty_text"),
        reason=InfeasibilityReason.PREMATURE,
        follow_up=chance.choice(questions),
    )


def _vouchers(draw: WordingSampler) -> list[Move]:
    """To the vouchers, through the account or the offers."""
    if draw.chance.random() < 0.5:
        says = ("Choose Vouchers", "Tap Vouchers")
        return [ways.account(draw), tap("go_vouchers", draw.say(*says), page("VouchersPage"))]
    says = ("Tap the line about the vouchers", "Open the vouchers")
    return [ways.offers(draw), tap("voucher_ribbon", draw.say(*says), page("VouchersPage"))]


def redeem_voucher(view: PhoneView, chance: Chance) -> GoalPlan | None:
    """A code typed in as a voucher. Slot `code`."""
    draw = WordingSampler(chance)
    word = chance.choice(("APPLE", "PICNIC", "CARROT", "HARVEST", "MELON", "BREAKFAST"))
    code = word + "".join(chance.choice(string.digits) for _ in range(2))
    words = draw.goal(
        f"Redeem the market voucher[code| {code}| from the leaflet]",
        f"There was a code on the receipt[code|, {code}]: enter it as a voucher for groceries",
        f"Voucher[code| {code}| code], please redeem it",
        f"A friend gave me a voucher for the market[code|, the code is {code}]. Please enter it",
    )
    moves = _vouchers(draw)
    moves.append(tap("voucher_code", draw.say("Tap the field Voucher code", "Touch the code field")))
    moves.append(write(code, draw.say(f"Type {code}", f"Enter the code {code}")))
    if chance.random() < 0.5:
        moves.append(enter(draw.say("Press enter", "Confirm with the enter key"), snack(f"Voucher {code} redeemed")))
    else:
        says = ("Tap Redeem", "Press Redeem")
        moves.append(tap("redeem_button", draw.say(*says), snack(f"Voucher {code} redeemed")))
    slot = draw.slot(words, "code", code, 3, ("What is the code?", "Which code shall I enter?"))
    result = data(lambda d: any(v["code"] == code and v["used"] for v in d["vouchers"]))
    return GoalPlan(words.full, (*moves, done()), result, (slot,))


def use_voucher(view: PhoneView, chance: Chance) -> GoalPlan | None:
    """A voucher that is there switched on. Slot `voucher`."""
    draw, voucher = WordingSampler(chance), chance.choice(view.data["vouchers"])
    what = voucher["text"]
    words = draw.goal(
        f"Use the voucher[voucher| {what}| that suits best] for my groceries",
        f"I have a voucher in the market[voucher| for {what}], switch it on",
        f"Apply[voucher| the voucher {voucher['code']}| one of my vouchers] to the basket",
        f"Voucher[voucher| {voucher['code']}]: use it with the next order of groceries",
    )
    moves = _vouchers(draw)
    says = (f"Tap Use beside {what}", f"Use {voucher['code']}", f"Tap the button of {what}")
    used = data(lambda d: any(v["code"] == voucher["code"] and v["used"] for v in d["vouchers"]))
    moves.append(tap(f"use_{voucher['code'].lower()}", draw.say(*says), used))
    slot = draw.slot(words, "voucher", what, 2, ("Which voucher?", "Which of your vouchers shall I use?"))
    return GoalPlan(words.full, (*moves, done()), used, (slot,))


def _preferences(draw: WordingSampler) -> list[Move]:
    says = ("Choose Preferences", "Tap Preferences")
    return [ways.account(draw), tap("go_preferences", draw.say(*says), page("PreferencesPage"))]


def flip_preference(view: PhoneView, chance: Chance) -> GoalPlan | None:
    """One of the preferences on or off."""
    draw, kind = WordingSampler(chance), chance.choice(list(_SWITCHES))
    title, clause, noun = _SWITCHES[kind]
    on = not view.data["prefs"][kind]
    words = draw.goal(
        f"Switch {'on' if on else 'off'} {noun} in the market",
        f"{'Make sure that' if on else 'I do not want any more that'} {clause}",
        f"Market preferences: {noun} {'on' if on else 'off'}",
        f"Please turn {noun} {'on' if on else 'off'}, I changed my mind about the groceries",
    )
    says = (f"Tap {title}", f"Switch {'on' if on else 'off'} {title}", f"Flip the switch of {title}")
    flipped = data(lambda d: d["prefs"][kind] == on)
    moves = (*_preferences(draw), tap(f"pref_{kind}", draw.say(*says), flipped), done())
    only_way = None if kind == "door" else 2  # the page of the delivery has that switch as well
    return GoalPlan(words.full, moves, flipped, key=only_way)


def usual_replacement(view: PhoneView, chance: Chance) -> GoalPlan | None:
    """What is done whenever something is sold out. Slot `habit`."""
    draw = WordingSampler(chance)
    habit = chance.choice([h for h in _HABITS if h != view.data["prefs"]["replace"]])
    words = draw.goal(
        f"Whenever groceries are sold out, they should always [habit|{_HABITS[habit]}|do what I like best]",
        f"General rule in the market for sold out things[habit|: {_HABITS[habit]}]",
        f"In the preferences, when something is sold out, let them [habit|{_HABITS[habit]}|act differently]",
        f"I want that for anything that runs out they [habit|{_HABITS[habit]}|follow my wish], not only once",
    )
    says = ("Tap If something is sold out", "Open the last line")
    moves = (
        *_preferences(draw),
        tap("pref_replace", draw.say(*says), layer("PrefReplaceDialog")),
        tap(by_words(habit, "option_"), draw.say(f"Choose {habit}", f"Tap {habit}"), layer(None)),
        done(),
    )
    questions = ("What should they do then?", "Bring something similar, ask you, or leave it out?")
    slot = draw.slot(words, "habit", _HABITS[habit], 3, questions)
    return GoalPlan(words.full, moves, data(lambda d: d["prefs"]["replace"] == habit), (slot,), key=2)
