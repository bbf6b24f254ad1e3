"""Filling the basket: by weight, by the piece, from an aisle, with notes and wishes for what is sold out."""

from __future__ import annotations

from stepscope.resources.sample.generator.apps.market import ways
from stepscope.resources.sample.generator.apps.market.ways import low, weight
from stepscope.resources.sample.generator.plan import Chance, GoalPlan
from stepscope.resources.sample.generator.reach import scrolls_to
from stepscope.resources.sample.generator.wording import WordingSampler
from stepscope.resources.sample.script import (
    Move,
    PhoneView,
    Then,
    by_words,
    data,
    done,
    hold,
    layer,
    page,
    snack,
    swipe,
    tap,
    write,
)

_WHAT = ("Which of the groceries do you mean?", "What exactly shall I look for?", "Which food is it about?")
_NOTES = (
    "Ripe ones only",
    "Not too large",
    "The freshest you have",
    "No plastic bag",
    "A long best-before date",
    "Small ones for the children",
    "Firm ones",
)
_ORDERS = {
    "Name A to Z": ("by name", "in the order of the alphabet", "from A to Z"),
    "Lowest price": ("with the cheapest first", "from cheap to dear", "by price, low to high"),
    "Highest price": ("with the dearest first", "from dear to cheap", "by price, high to low"),
}


def _put_in(draw: WordingSampler) -> Move:
    says = ("Put it in", "Tap the button Put in", "Press the big button at the bottom right")
    return tap("put_in_basket", draw.say(*says))


def _contains(number: int, amount: int) -> Then:
    return data(lambda d: any(line["id"] == number and line["amount"] == amount for line in d["basket"]))


def by_weight(view: PhoneView, chance: Chance) -> GoalPlan | None:
    """An article by weight into the basket. Slots `ware`, `amount`."""
    draw, wanted = WordingSampler(chance), ways.any_ware(view, chance, kilo=True)
    grams = chance.choice((250, 750, 1000, 1500))
    amount, name = weight(grams), low(wanted)
    words = draw.goal(
        f"Put[amount| {amount} of| some][ware| {name}| groceries] in my basket",
        f"I need[amount| {amount} of| some][ware| {name}| food] for tomorrow, please add it to the basket",
        f"[ware|{wanted['name']}|Something for dinner][amount|, {amount}], into the basket",
        f"Could you get[amount| {amount} of| a certain weight of][ware| {name}| what I need] for the grocery order?",
        f"We have guests, so[amount| {amount} of| a good lot of][ware| {name}| the usual] should go in the basket",
    )
    moves, first = ways.find(view, draw, wanted)
    moves += [
        ways.open_ware(draw, wanted),
        tap(f"weight_{grams}", draw.say(f"Choose {amount}", f"Tap {amount}", f"Set the weight to {amount}")),
        _put_in(draw),
    ]
    slots = (
        draw.slot(words, "ware", name, first, _WHAT),
        draw.slot(words, "amount", amount, len(moves) - 2, ("How much of it?", "What weight shall I choose?")),
    )
    result = _contains(wanted["id"], grams)
    return GoalPlan(words.full, (*moves, done()), result, slots)


def by_piece(view: PhoneView, chance: Chance) -> GoalPlan | None:
    """Two to four pieces of an article into the basket. Slots `ware`, `number`."""
    draw, wanted, number = WordingSampler(chance), ways.any_ware(view, chance, kilo=False), chance.randint(2, 4)
    name, count = low(wanted), ("two", "three", "four")[number - 2]
    words = draw.goal(
        f"Add[number| {count} times| several times] [ware|{name}|the thing we ran out of] to the grocery basket",
        f"[number|{number}|A few] × [ware|{name}|what we always buy] in the basket please",
        f"Please order [ware|{name}|some of that], [number|{count} of them|more than one]: only put it in the basket",
        f"The shelf at home is empty, put[number| {number}| some] packs of [ware|{name}|it] in my basket",
    )
    moves, first = ways.find(view, draw, wanted)
    moves.append(ways.open_ware(draw, wanted))
    start = len(moves)
    for _ in range(number - 1):
        moves.append(tap("amount_more", draw.say("Tap the plus beside the number", "Press More", "Raise it by one")))
    moves.append(_put_in(draw))
    slots = (
        draw.slot(words, "ware", name, first, _WHAT),
        draw.slot(words, "number", str(number), start, ("How many shall I take?", "How many pieces do you need?")),
    )
    result = _contains(wanted["id"], number)
    return GoalPlan(words.full, (*moves, done()), result, slots)


def from_the_aisle(view: PhoneView, chance: Chance) -> GoalPlan | None:
    """An article into the basket by the plus of its line in the aisle. Slot `ware`."""
    draw, wanted = WordingSampler(chance), ways.any_ware(view, chance)
    name, where = low(wanted), ways.aisle_name(view, wanted["aisle"])
    words = draw.goal(
        f"Quickly put [ware|{name}|something] from the aisle {where} in the basket",
        f"Go to {where} and take [ware|{name}|one of the things there], the plus button will do",
        f"I forgot [ware|the {name}|an ingredient]! It is under {where}, add it straight from the list",
        f"From {where}: [ware|{name}|a single item], the usual amount",
    )
    moves = ways.along_the_aisle(view, draw, wanted)
    says = (f"Tap the plus beside {wanted['name']}", f"Put {wanted['name']} in", "Press the plus in that line")
    moves.append(tap(f"put_in_{wanted['id']}", draw.say(*says), data(lambda d: _has(d, wanted["id"]))))
    slot = draw.slot(words, "ware", name, len(moves) - 1, (f"What do you need from {where}?", *_WHAT))
    return GoalPlan(words.full, (*moves, done()), data(lambda d: _has(d, wanted["id"])), (slot,))


def _has(d: dict[str, object], number: int) -> bool:
    lines = d["basket"]
    return isinstance(lines, list) and any(line["id"] == number for line in lines)


def often_bought(view: PhoneView, chance: Chance) -> GoalPlan | None:
    """An article of the front page into the basket. Slot `ware`; None when no fresh one can be reached."""
    draw, there, usual = WordingSampler(chance), ways.basket(view), view.data["usual"]
    fresh = [number for number in usual if number not in there]
    if not fresh:
        return None
    wanted = ways.ware(view, chance.choice(fresh[-4:]))
    name, button = low(wanted), f"put_in_{wanted['id']}"
    words = draw.goal(
        f"[ware|{wanted['name']}|One of the things] from Often bought into the basket, please",
        f"Among what I often buy there is [ware|{name}|something we need]. Put it in the basket",
        f"Take [ware|{name}|something] from the list on the front page of the market",
        f"The same [ware|{name}|thing] as always, from what I often buy",
    )
    says = ("Scroll down to Often bought", "Scroll down", "Scroll to what is often bought")
    found = scrolls_to(view, "aisle_board", [f"put_in_{n}" for n in usual], button, says, chance)
    if found is None:
        return None
    says = (f"Tap the plus of {wanted['name']}", f"Put {wanted['name']} in the basket", "Press the plus in that line")
    moves = (*found, tap(button, draw.say(*says), data(lambda d: _has(d, wanted["id"]))), done())
    slot = draw.slot(words, "ware", name, len(found), ("Which of the things you often buy?", *_WHAT))
    return GoalPlan(words.full, moves, data(lambda d: _has(d, wanted["id"])), (slot,))


def note_for_picker(view: PhoneView, chance: Chance) -> GoalPlan | None:
    """A note with an article for whoever packs it. Slots `ware`, `note`."""
    draw, wanted, note = WordingSampler(chance), ways.any_ware(view, chance), chance.choice(_NOTES)
    name = low(wanted)
    words = draw.goal(
        f"Leave a note for the picker with [ware|the {name}|one of the goods][note|: {note}]",
        f"Whoever packs [ware|{name}|my things] should know something, write it down[note|: {note}]",
        f"Picker note for [ware|{name}|that article][note|, it says {note}]",
        f"I am picky about [ware|{name}|some food], so please write a note for it[note| that says {note}]",
    )
    moves, first = ways.find(view, draw, wanted)
    opening = draw.say("Tap Note for the picker", "Open the picker's note", "Tap the line with the pencil")
    if chance.random() < 0.35:
        says = (f"Press and hold {wanted['name']}", f"Long press {wanted['name']}")
        moves.append(hold(f"ware_{wanted['id']}", draw.say(*says), layer("WareMenu")))
        moves.append(tap("menu_note", opening, layer("NoteDialog")))
    else:
        moves += [ways.open_ware(draw, wanted), tap("note_row", opening, layer("NoteDialog"))]
    moves += [
        write(note, draw.say(f"Type {note}", f"Write: {note}", "Write the note")),
        tap("note_save", draw.say("Tap Save", "Save the note"), layer(None)),
    ]
    slots = [draw.slot(words, "ware", name, first, _WHAT)]
    slots.append(
        draw.slot(
            words,
            "note",
            note,
            len(moves) - 2,
            ("What shall the note say?", "What should I write?"),
            (note, f"{note}."),
        )
    )
    result = data(lambda d: d["notes"].get(str(wanted["id"])) == note)
    return GoalPlan(words.full, (*moves, done()), result, tuple(slots), key=len(moves) - 1)


def if_sold_out(view: PhoneView, chance: Chance) -> GoalPlan | None:
    """What is to be brought in place of an article. Slots `ware`, `choice`."""
    draw, wanted = WordingSampler(chance), ways.any_ware(view, chance)
    other = chance.choice([*view.data["others"][str(wanted["id"])], "Leave it out"])
    name = low(wanted)
    wish = "leave it out" if other == "Leave it out" else f"take {other}"
    words = draw.goal(
        f"If [ware|{name}|something] is sold out, [choice|{wish}|do what I prefer]: set that",
        f"Should there be no [ware|{name}|more of it], the picker shall [choice|{wish}|know what to do]",
        f"Sold out rule for [ware|{name}|one article][choice|: {wish}]",
        f"In case they run out of [ware|{name}|it], please say that they should [choice|{wish}|do something else]",
    )
    moves, first = ways.find(view, draw, wanted)
    moves.append(ways.open_ware(draw, wanted))
    says = ("Tap If sold out", "Open the line If sold out", "Tap the line with the two arrows")
    moves.append(tap("replace_row", draw.say(*says), layer("ReplaceDialog")))
    moves.append(tap(by_words(other, "option_"), draw.say(f"Choose {other}", f"Tap {other}"), layer(None)))
    questions = ("What should happen when it is sold out?", "What shall they bring instead?")
    slots = (
        draw.slot(words, "ware", name, first, _WHAT),
        draw.slot(words, "choice", wish, len(moves) - 1, questions),
    )
    result = data(lambda d: d["replace"].get(str(wanted["id"])) == other)
    return GoalPlan(words.full, (*moves, done()), result, slots)


def arrange_aisle(view: PhoneView, chance: Chance) -> GoalPlan | None:
    """An aisle in another order. Slots `aisle`, and `order` where the goal names it apart."""
    draw = WordingSampler(chance)
    key, name = chance.choice(view.data["aisles"])
    order = chance.choice(list(_ORDERS))
    how = chance.choice(_ORDERS[order])
    words = draw.goal(
        f"Show me [aisle|{name}|one aisle] [order|{how}|in another order]",
        f"Sort [aisle|what is in {name}|an aisle of the market][order| {how}]",
        f"[aisle|{name}|One of the aisles], [order|{how}|sorted differently], please",
        f"I want to compare prices and names, so arrange the aisle[aisle| {name}][order| {how}]",
    )
    moves = (
        ways.aisle(view, draw, key),
        tap("arrange_button", draw.say("Tap Arrange", "Open the order of the shelf"), layer("ArrangeDialog")),
        tap(by_words(order, "option_"), draw.say(f"Choose {order}", f"Tap {order}"), layer(None)),
        done(),
    )
    slots = [draw.slot(words, "aisle", name, 0, ("Which aisle?", "Which part of the market do you want to see?"))]
    if words.without("order") != words.full:
        slots.append(draw.slot(words, "order", how, 2, ("In which order?", "What shall it be sorted by?")))
    return GoalPlan(words.full, moves, lambda v: v.data["sort"] == order and v.state["arg"] == key, tuple(slots), key=1)


def only_some(view: PhoneView, chance: Chance) -> GoalPlan | None:
    """An aisle with only what is organic or on offer. Slot `aisle`."""
    draw = WordingSampler(chance)
    key, name = chance.choice(view.data["aisles"])
    kind, what = chance.choice((("organic", "organic"), ("offers", "on offer")))
    words = draw.goal(
        f"In [aisle|{name}|the right aisle], show only what is {what}",
        f"What is {what} [aisle|under {name}|in that aisle] of the market?",
        f"Only things that are {what}, please, [aisle|in the aisle {name}|in one of the aisles]",
        f"Filter [aisle|{name}|the shelf]: {what}",
        f"Hide everything [aisle|in {name}|on that shelf] that is not {what}",
    )
    label = {"organic": "Organic", "offers": "On offer"}[kind]
    moves = (
        ways.aisle(view, draw, key),
        tap(f"only_{kind}", draw.say(f"Tap {label}", f"Choose {label}", f"Switch on the filter {label}")),
        done(),
    )
    alone = 1 if kind == "organic" else None  # what is on offer is on a page of its own, too
    slot = draw.slot(words, "aisle", name, 0, ("Which aisle is it about?", "In which aisle shall I look?"))
    return GoalPlan(words.full, moves, lambda v: v.data["only"] == kind and v.state["arg"] == key, (slot,), key=alone)


def take_out(view: PhoneView, chance: Chance) -> GoalPlan | None:
    """A line of the basket swiped away. Slot `ware`; None with fewer than two articles in it."""
    there = ways.basket(view)
    if len(there) < 2:
        return None
    draw, wanted = WordingSampler(chance), ways.ware(view, chance.choice(list(there)))
    name = low(wanted)
    words = draw.goal(
        f"Take [ware|the {name}|one thing] out of my basket",
        f"We still have [ware|{name}|some of it] at home, remove it from the groceries",
        f"No [ware|{name}|unneeded food] this time: out of the basket with it",
        f"Please remove [ware|{name}|an article] from what I am about to order",
    )
    says = (f"Swipe {wanted['name']} to the left", f"Swipe {wanted['name']} away", "Push that line to the left")
    line = swipe(f"line_{wanted['id']}", "left", draw.say(*says), snack(f"{wanted['name']} taken out"))
    slot = draw.slot(words, "ware", name, 1, ("Which article shall I take out?", "What do you not need any more?"))
    result = data(lambda d: not _has(d, wanted["id"]))
    return GoalPlan(words.full, (ways.open_basket(draw), line, done()), result, (slot,))


def one_more(view: PhoneView, chance: Chance) -> GoalPlan | None:
    """More or less of an article in the basket. Slot `ware`; None when the basket is empty."""
    there = ways.basket(view)
    if not there:
        return None
    draw, wanted = WordingSampler(chance), ways.ware(view, chance.choice(list(there)))
    name, more = low(wanted), chance.random() < 0.6 or there[wanted["id"]] <= 100
    times = chance.randint(1, 2) if more else 1
    if not more and there[wanted["id"]] == 1:
        more = True
    step = (100 if wanted["kilo"] else 1) * times
    much = f"{weight(step)} " if wanted["kilo"] else ("one " if times == 1 else "two ")
    what = f"{much}{'more' if more else 'less'}"
    words = draw.goal(
        f"In my basket, make it {what} of [ware|{name}|one of the things]",
        f"{what} of [ware|the {name}|an article] in the basket, please",
        f"Change the basket: {what} of [ware|{name}|what I asked for]",
        f"I miscounted, we need {what} of [ware|{name}|something] that is in the basket already",
    )
    button, word = ("more", "plus") if more else ("less", "minus")
    says = (f"Tap the {word} of {wanted['name']}", f"Press {word} in the line {wanted['name']}")
    tapped = tap(f"line_{wanted['id']}_{button}", draw.say(*says))
    slot = draw.slot(words, "ware", name, 1, ("Of which article?", "Which thing in the basket do you mean?"))
    amount = there[wanted["id"]] + (step if more else -step)
    moves = (ways.open_basket(draw), *(tapped for _ in range(times)), done())
    return GoalPlan(words.full, moves, _contains(wanted["id"], amount), (slot,))


def empty_basket(view: PhoneView, chance: Chance) -> GoalPlan | None:
    """Everything out of the basket. None when it is empty."""
    if not ways.basket(view):
        return None
    draw = WordingSampler(chance)
    words = draw.goal(
        "Empty my grocery basket",
        "Start over: take everything out of the market's basket",
        "I don't want any of the groceries any more, clear the basket please",
        "Clear out the basket, I shop at the corner this week",
    )
    moves = (
        ways.open_basket(draw),
        tap("empty_basket", draw.say("Tap the bin", "Tap Empty the basket"), layer("EmptyDialog")),
        tap("button_ok", draw.say("Confirm with Empty", "Tap Empty"), page("BasketPage")),
        done(),
    )
    return GoalPlan(words.full, moves, data(lambda d: not d["basket"]))
