"""Where and when the groceries come, placing orders, and what cannot be done as long as there is none."""

from __future__ import annotations

from typing import Any

from stepscope.core.domain.episode import InfeasibilityReason
from stepscope.resources.sample.generator.apps.market import ways
from stepscope.resources.sample.generator.plan import Chance, GoalPlan
from stepscope.resources.sample.generator.wording import Wording, WordingSampler
from stepscope.resources.sample.script import (
    Move,
    PhoneView,
    back,
    data,
    done,
    give_up,
    layer,
    page,
    shows,
    snack,
    swipe,
    tap,
    write,
)

_LABELS = ("Parents", "Boat", "New flat", "Kindergarten", "Workshop", "Anna", "Garden", "Club house")
_STREETS = ("Elm Street", "Harbour Road", "Castle Lane", "Lime Avenue", "Station Road", "Orchard Way", "Canal Walk")
_DEARER = ("When should the groceries come?", "Which delivery time do you want?")


def _free(view: PhoneView, chance: Chance) -> tuple[int, str, int]:
    """A day by its number and name, and the hour of a slot that is free."""
    day = chance.randrange(len(view.data["slots"]))
    slot = view.data["slots"][day]
    hour = chance.choice([time["from"] for time in slot["times"] if time["free"]])
    return day, slot["day"], hour


def _pick(draw: WordingSampler, day: int, name: str, hour: int) -> list[Move]:
    """The taps on the page of delivery times; the first day is chosen already."""
    moves = []
    if day == 4:
        says = ("Swipe the days to the left", "Move the row of days on")
        moves.append(swipe("slot_days", "left", draw.say(*says), shows("slot_day_4"), share=0.4))
    if day:
        moves.append(tap(f"slot_day_{day}", draw.say(f"Tap {name}", f"Choose {name}")))
    at = f"{hour}:00–{hour + 2}:00"
    said = draw.say(f"Choose {at}", f"Tap the slot {at}", f"Tap {at}")
    return [*moves, tap(f"slot_{hour}", said, snack(f"Delivery {name} {at}"))]


def _chosen(d: dict[str, Any], name: str, hour: int) -> bool:
    return bool(d["slot"]) and (d["slot"]["day"], d["slot"]["from"]) == (name, hour)


def choose_slot(view: PhoneView, chance: Chance) -> GoalPlan | None:
    """Day and hours of the delivery. Slots `time`, and `day` unless it is the first, which is chosen already."""
    draw, (day, name, hour) = WordingSampler(chance), _free(view, chance)
    at = f"{hour}:00 to {hour + 2}:00"
    words = draw.goal(
        f"Let the groceries come on [day|{name}|another day][time| from {at}]",
        f"Delivery slot [day|{name}|this week][time|, {at}], please",
        f"I am at home [day|on {name}|one day][time| from {at}], so choose that for the market's delivery",
        f"Set the grocery delivery to [day|{name}|a day that suits me][time| between {hour}:00 and {hour + 2}:00]",
        f"Reserve the van for [day|{name}|one of the next days][time|, {at}]",
    )
    says = ("Tap Choose a delivery time", "Open the delivery times", "Tap the line with the clock")
    moves = [ways.delivery(draw), tap("choose_time", draw.say(*says), page("SlotsPage"))]
    moves += _pick(draw, day, name, hour)
    slots = [draw.slot(words, "time", at, len(moves) - 1, ("At what time?", "Which two hours suit you?"))]
    if day:
        slots.append(draw.slot(words, "day", name, 2, ("On which day?", "Which day shall I choose?")))
    only_way = None if ways.basket(view) else 1  # a full basket leads to the times as well
    return GoalPlan(words.full, (*moves, done()), data(lambda d: _chosen(d, name, hour)), tuple(slots), only_way)


def deliver_elsewhere(view: PhoneView, chance: Chance) -> GoalPlan | None:
    """Another of the saved addresses. Slot `place`."""
    draw = WordingSampler(chance)
    place = chance.choice([p for p in view.data["places"] if p["id"] != view.data["place"]])
    label = place["label"]
    words = draw.goal(
        f"Have the groceries brought to [place|{label}|my other address]",
        f"Deliver to [place|the address {label}|another saved address] this time",
        f"I am not where I usually am: change the delivery to [place|{label}|where I am]",
        f"Delivery address [place|{label}|should change]",
    )
    says = (f"Choose {label}", f"Tap {label}", f"Tap the address in {place['street']}")
    moves = [ways.delivery(draw)]
    moves.append(tap(f"place_{place['id']}", draw.say(*says), snack(f"Deliveries go to {label}")))
    slot = draw.slot(words, "place", label, 1, ("To which of your addresses?", "Which address do you mean?"))
    return GoalPlan(words.full, (*moves, done()), data(lambda d: d["place"] == place["id"]), (slot,))


def add_address(view: PhoneView, chance: Chance) -> GoalPlan | None:
    """A new address with its name. Slots `street`, `label`."""
    draw, label, street = WordingSampler(chance), chance.choice(_LABELS), chance.choice(_STREETS)
    house = str(chance.randint(1, 120))
    words = draw.goal(
        f"Save a new delivery address [label|called {label}|with a name]: [street|{street} {house}|the one I moved to]",
        f"Add [street|{street} {house}|another street] to my grocery addresses [label|as {label}|under a name]",
        f"New address[label| {label}][street|, {street} {house}], in the market's address book",
        f"I will get deliveries [street|at {street} {house}|somewhere else], so save it[label| as {label}]",
    )
    if chance.random() < 0.5:
        moves = [ways.delivery(draw)]
    else:
        says = ("Choose Addresses", "Tap Addresses")
        moves = [ways.account(draw), tap("go_places", draw.say(*says), page("PlacesPage"))]
    said = draw.say("Tap Another address", "Add another address", "Tap the line with the plus")
    moves.append(tap("other_place", said, page("PlaceFormPage")))
    key = len(moves) - 1
    moves += [
        write(label, draw.say(f"Type {label}", f"Write {label} as the name")),
        tap("place_street", draw.say("Tap the field Street", "Go to Street")),
        write(street, draw.say(f"Type {street}", "Type the street")),
        tap("place_house", draw.say("Tap the field Number", "Go to Number")),
        write(house, draw.say(f"Type {house}", f"Write the number {house}")),
        tap("place_save", draw.say("Tap Save address", "Save the address"), snack(f"{label} saved")),
    ]
    slots = [draw.slot(words, "street", f"{street} {house}", key + 3, ("Which street and number?", "Where is it?"))]
    slots.append(draw.slot(words, "label", label, key + 1, ("What shall the address be called?", "Under which name?")))
    result = data(lambda d: (d["places"][-1]["label"], d["places"][-1]["house"]) == (label, house))
    return GoalPlan(words.full, (*moves, done()), result, tuple(slots), key)


def _order_words(draw: WordingSampler, name: str, hour: int) -> Wording:
    at = f"{name} from {hour}:00 to {hour + 2}:00"
    return draw.goal(
        f"Order what is in my basket[time| for {at}]",
        f"Send off the grocery order, delivery[time| on {at}| as it suits me]",
        f"I am done shopping, please place the order so that it comes[time| on {at}| when I am at home]",
        f"Place my market order[time|: {at}]",
    )


def order_groceries(view: PhoneView, chance: Chance) -> GoalPlan | None:
    """The basket ordered for a chosen time. Slot `time`; None when the basket is empty."""
    if not ways.basket(view):
        return None
    draw, (day, name, hour) = WordingSampler(chance), _free(view, chance)
    words = _order_words(draw, name, hour)
    says = ("Tap Delivery time", "Open the delivery time", "Tap the line that says Not chosen")
    moves = [ways.open_basket(draw), tap("basket_slot", draw.say(*says), page("SlotsPage"))]
    moves += _pick(draw, day, name, hour)
    moves += [
        back(draw.say("Go back to the basket", "Go back"), page("BasketPage")),
        tap("place_order", draw.say("Tap Order now", "Press Order now"), layer("OrderDialog")),
        tap("button_ok", draw.say("Confirm with Order", "Tap Order"), page("OrderPage")),
    ]
    time = f"{name}, {hour}:00 to {hour + 2}:00"
    slot = draw.slot(words, "time", time, 2, _DEARER)
    result = data(lambda d: not d["basket"] and d["orders"][0]["coming"])
    return GoalPlan(words.full, (*moves, done()), result, (slot,), key=len(moves) - 2)


def order_nothing(view: PhoneView, chance: Chance) -> GoalPlan | None:
    """Premature: the basket is empty. None when it is not."""
    if ways.basket(view):
        return None
    draw, (_, name, hour) = WordingSampler(chance), _free(view, chance)
    moves = [ways.open_basket(draw)]
    if chance.random() < 0.5:
        moves.append(back(draw.say("Go back to the aisles", "Go back"), page("AislesPage")))
        moves.append(ways.delivery(draw))
    questions = (
        "Your basket is empty. What shall I put in before I order?",
        "There is nothing in the basket yet. What would you like to order?",
    )
    return GoalPlan(
        _order_words(draw, name, hour).full,
        (*moves, give_up(draw.say("There is nothing to order", "The basket is empty, so nothing can be ordered"))),
        data(lambda d: not d["basket"]),
        reason=InfeasibilityReason.PREMATURE,
        follow_up=chance.choice(questions),
    )


def _orders(draw: WordingSampler) -> list[Move]:
    return [ways.account(draw), tap("go_orders", draw.say("Choose Orders", "Tap Orders"), page("OrdersPage"))]


def _cancel_goal(draw: WordingSampler) -> str:
    return draw.say(
        "Cancel my coming grocery order",
        "Please call off the delivery from the market",
        "We go away for the week, so cancel the order of groceries that is on its way",
        "Stop the grocery delivery",
        "I ordered too much, cancel the whole market order",
    )


def cancel_order(view: PhoneView, chance: Chance) -> GoalPlan | None:
    """The order that is on its way cancelled. None without one."""
    coming = [order for order in view.data["orders"] if order["coming"]]
    if not coming:
        return None
    draw, order = WordingSampler(chance), coming[0]
    says = ("Open the order that is on its way", f"Tap {order['when']}", "Tap the line with the van")
    moves = (
        *_orders(draw),
        tap(f"order_{order['id']}", draw.say(*says), page("OrderPage")),
        tap("cancel_order", draw.say("Tap Cancel this order", "Press the button at the bottom"), layer("CancelDialog")),
        tap("button_ok", draw.say("Confirm with Cancel order", "Tap Cancel order"), snack("Order cancelled")),
        done(),
    )
    return GoalPlan(_cancel_goal(draw), moves, data(lambda d: not any(o["coming"] for o in d["orders"])), key=3)


def cancel_nothing(view: PhoneView, chance: Chance) -> GoalPlan | None:
    """Premature: no order is on its way. None when one is."""
    if any(order["coming"] for order in view.data["orders"]):
        return None
    draw, questions = (
        WordingSampler(chance),
        ("No order is on its way. Shall I place one first?", "Which order do you mean?"),
    )
    last = give_up(draw.say("No order is on its way", "There is no coming order to cancel"))
    moves = _orders(draw)
    if view.data["orders"] and chance.random() < 0.6:
        order = view.data["orders"][0]
        says = (f"Open the order of {order['when'].lower()}", "Look into the latest order")
        moves.append(tap(f"order_{order['id']}", draw.say(*says), page("OrderPage")))
    follow = chance.choice(questions)
    result = data(lambda d: not any(o["coming"] for o in d["orders"]))
    return GoalPlan(_cancel_goal(draw), (*moves, last), result, reason=InfeasibilityReason.PREMATURE, follow_up=follow)


def _rate_words(draw: WordingSampler, stars: int) -> Wording:
    return draw.goal(
        f"Rate my last grocery order[stars| with {stars} stars]",
        f"Give the last delivery from the market [stars|{stars} stars|a rating]",
        f"How was the last order? Tell the market: [stars|{stars} out of 5|my opinion]",
        f"The latest groceries that came deserve [stars|{stars} stars|stars], please enter that",
    )


def rate_order(view: PhoneView, chance: Chance) -> GoalPlan | None:
    """Two to five stars for the latest order that came. Slot `stars`; None before one came."""
    came = [order for order in view.data["orders"] if not order["coming"]]
    if not came:
        return None
    draw, stars, order = WordingSampler(chance), chance.randint(2, 5), came[0]
    words = _rate_words(draw, stars)
    says = (f"Open the order of {order['when'].lower()}", f"Tap {order['when']}")
    moves = (
        *_orders(draw),
        tap(f"order_{order['id']}", draw.say(*says), page("OrderPage")),
        tap(f"stars_{stars}", draw.say(f"Tap the star number {stars}", f"Give {stars} stars"), snack("Thanks")),
        done(),
    )
    slot = draw.slot(words, "stars", f"{stars} stars", 3, ("How many stars do you give?", "How was it, out of five?"))
    return GoalPlan(words.full, moves, data(lambda d: any(o["stars"] == stars for o in d["orders"])), (slot,))


def rate_nothing(view: PhoneView, chance: Chance) -> GoalPlan | None:
    """Premature: no order has come yet. None when one has."""
    if any(not order["coming"] for order in view.data["orders"]):
        return None
    draw, moves = WordingSampler(chance), _orders(WordingSampler(chance))
    if view.data["orders"] and chance.random() < 0.6:
        says = ("Look into the order that is there", "Open the order")
        moves.append(tap(f"order_{view.data['orders'][0]['id']}", draw.say(*says), page("OrderPage")))
    questions = (
        "No order has been delivered yet. Shall I rate one when it has come?",
        "There is no delivered order to rate. Which one do you mean?",
    )
    last = give_up(draw.say("No order has been delivered yet", "There is nothing to rate"))
    return GoalPlan(
        _rate_words(draw, chance.randint(2, 5)).full,
        (*moves, last),
        data(lambda d: all(o["stars"] == 0 for o in d["orders"])),
        reason=InfeasibilityReason.PREMATURE,
        follow_up=chance.choice(questions),
    )


def order_again(view: PhoneView, chance: Chance) -> GoalPlan | None:
    """Everything of an old order into the basket. Slot `when`; None before one came."""
    came = [order for order in view.data["orders"] if not order["coming"]]
    if not came:
        return None
    draw, order = WordingSampler(chance), chance.choice(came)
    when = order["when"].lower()
    words = draw.goal(
        f"Put the groceries of [when|{when}|an earlier time] in the basket again",
        f"The same order as [when|{when}|before], once more, into the basket",
        f"I liked what came [when|{when}|back then]: fill the basket with it again",
        f"Repeat [when|the order of {when}|an old order] but do not send it yet",
    )
    says = (f"Open the order of {when}", f"Tap {order['when']}")
    moves = (
        *_orders(draw),
        tap(f"order_{order['id']}", draw.say(*says), page("OrderPage")),
        tap("order_again", draw.say("Tap Put it all in the basket again", "Press the button at the bottom")),
        done(),
    )
    slot = draw.slot(words, "when", when, 2, ("Which of the old orders?", "Which order do you mean, by its date?"))
    numbers = {line["id"] for line in order["lines"]}
    result = data(lambda d: numbers <= {line["id"] for line in d["basket"]})
    return GoalPlan(words.full, moves, result, (slot,))
