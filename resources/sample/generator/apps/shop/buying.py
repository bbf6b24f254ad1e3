"""The cart, the checkout and the account."""

from __future__ import annotations

from stepscope.core.domain.elements import UIElement, UITree
from stepscope.core.domain.episode import InfeasibilityReason
from stepscope.resources.sample.generator.apps.shop.finding import ARTICLES, search, tiles, typed, with_article
from stepscope.resources.sample.generator.plan import Chance, GoalPlan
from stepscope.resources.sample.generator.wording import Wording, WordingSampler
from stepscope.resources.sample.script import (
    Finder,
    Move,
    PhoneView,
    Then,
    by_words,
    data,
    done,
    give_up,
    hold,
    layer,
    page,
    snack,
    swipe,
    tap,
    write,
)

AMOUNTS = {2: "two", 3: "three", 4: "four"}
NAMES = ("Ines", "Tarek", "Mila", "Joost", "Amara", "Pavel", "Noor", "Hanna", "Rui", "Sanna")
CITIES = ("Porto", "Ghent", "Aarhus", "Graz", "Leeds", "Lyon", "Turku", "Split", "Bergen", "Utrecht")
DELIVERY = {
    "delivery_express": ("Express", "by express"),
    "delivery_pick_up_in_store": ("Pick up in store", "for pick-up in the store"),
}
_WHICH = ("Which article do you mean?", "Which one would you like?", "What shall I put into the cart?")


def cart(draw: WordingSampler) -> Move:
    """To the cart."""
    return tap("nav_cart", draw.say("Open the cart", "Tap Cart", "Go to the cart"), page("CartPage"))


def account(draw: WordingSampler) -> Move:
    """To the account."""
    return tap("nav_account", draw.say("Open Account", "Tap Account", "Go to the account"), page("AccountPage"))


def _in_cart(amount: int = 1) -> Then:
    return data(lambda d: [line["qty"] for line in d["cart"]] == [amount])


def _quick_add(draw: WordingSampler, tile: UIElement) -> list[Move]:
    """Into the cart by a long press on the front page."""
    name = tile.content_description
    says = (f"Press and hold the {name.lower()}", f"Long press {name}", f"Keep a finger on {name}")
    return [
        hold(tile.short_id, draw.say(*says), layer("Menu")),
        tap("menu_add", draw.say("Choose Add to cart", "Tap Add to cart"), snack(f"{name} added")),
    ]


def _open(draw: WordingSampler, name: str) -> Move:
    says = (f"Open the {name.lower()}", f"Tap {name}", f"Choose {name}")
    return tap(by_words(name, "product_"), draw.say(*says), page("ProductPage"))


def _add(draw: WordingSampler, name: str) -> Move:
    return tap(
        "add_to_cart", draw.say("Press Add to cart", "Tap Add to cart", "Put it into the cart"), snack(f"{name} added")
    )


def buy_by_search(view: PhoneView, chance: Chance) -> GoalPlan | None:
    """An article searched for, into the cart. Slot `article`."""
    draw, name = WordingSampler(chance), chance.choice(list(ARTICLES))
    low, one = name.lower(), with_article(name)
    words = draw.goal(
        f"Put[article| {one}| an article] into my cart",
        f"Add[article| the {low}| it] to the cart",
        f"I would like to buy[article| {one}| something], put it into the cart please",
        f"We need[article| {one}| one more thing]. Get it into the cart",
        f"Find[article| the {low}| a present] and add it to my cart",
    )
    moves = (*search(draw, typed(chance, name)), _open(draw, name), _add(draw, name), done())
    slot = draw.slot(words, "article", low, 1, _WHICH)
    return GoalPlan(words.full, moves, _in_cart(), (slot,), key=3)


def buy_several(view: PhoneView, chance: Chance) -> GoalPlan | None:
    """More than one of an article of the front page, into the cart. Slot `amount`."""
    draw, tile, amount = WordingSampler(chance), chance.choice(tiles(view)), chance.choice(list(AMOUNTS))
    name, number = tile.content_description, AMOUNTS[amount]
    low = name.lower()
    words = draw.goal(
        f"Add the {low} to the cart,[amount| {number} of them| more than one]",
        f"I need the {low}[amount| {number} times| several times], put that into the cart",
        f"Put [amount|{number}|several] pieces of the {low} into my cart",
        f"Please order ahead for the office:[amount| {number} times| some of] the {low}, just into the cart",
    )
    more = [tap("qty_plus", draw.say("Tap More", "Press the plus", "One more of them")) for _ in range(amount - 1)]
    moves = (_open(draw, name), *more, _add(draw, name), done())
    slot = draw.slot(
        words, "amount", number, 1, ("How many do you need?", "How many shall I take?", "How many pieces?")
    )
    return GoalPlan(words.full, moves, _in_cart(amount), (slot,), key=amount)


def _picture(name: str) -> Finder:
    """Finds the large picture on the page of the article called `name`."""

    def find(tree: UITree) -> UIElement | None:
        return next((e for e in tree if e.content_description == f"{name} picture"), None)

    return find


def buy_other_colour(view: PhoneView, chance: Chance) -> GoalPlan | None:
    """An article of the front page in its second colour, into the cart. Slot `colour`."""
    draw, tile = WordingSampler(chance), chance.choice(tiles(view))
    name = tile.content_description
    low = name.lower()
    words = draw.goal(
        f"Put the {low} into the cart, in[colour| the second| the right] colour",
        f"I want the {low} in[colour| the next colour| a nicer colour], not as it is shown. Add it to the cart",
        f"Add the {low} in[colour| its second| another] colour to my cart",
        f"Buy the {low} for my sister, she prefers[colour| the second colour| another colour]. Only the cart for now",
    )
    moves = (
        _open(draw, name),
        swipe(_picture(name), "left", draw.say("Swipe the picture to the next colour", "Swipe to the second colour")),
        _add(draw, name),
        done(),
    )
    says = ("The second one.", "The second colour, please.")
    slot = draw.slot(words, "colour", "second", 1, ("Which colour would you like?", "In which of the colours?"), says)
    return GoalPlan(words.full, moves, _in_cart(), (slot,), key=2)


def quick_add(view: PhoneView, chance: Chance) -> GoalPlan | None:
    """An article into the cart by a long press, and the cart opened. Slot `article`."""
    draw, tile = WordingSampler(chance), chance.choice(tiles(view))
    low = tile.content_description.lower()
    words = draw.goal(
        f"Add the[article| {low}| one from the front page] to the cart without opening it and show me the cart",
        f"Quickly put the[article| {low}| article] into the cart and open the cart",
        f"The[article| {low}| one I told you of] into the cart, then let me see the cart",
        f"Could you add[article| the {low}| an article] to my cart and go there?",
    )
    slot = draw.slot(words, "article", low, 0, _WHICH)
    return GoalPlan(words.full, (*_quick_add(draw, tile), cart(draw), done()), _in_cart(), (slot,), key=1)


def saved_to_cart(view: PhoneView, chance: Chance) -> GoalPlan | None:
    """One of the first two saved articles, into the cart. Slot `which`."""
    draw, at = WordingSampler(chance), chance.randint(0, 1)
    number, which = view.data["favourites"][at], ("first", "second")[at]
    words = draw.goal(
        f"Put the[which| {which}] article I saved into the cart",
        f"I have made up my mind: the[which| {which}] one under Saved goes into the cart",
        f"Add the[which| {which}] saved article to my cart",
        f"Take the[which| {which}] thing from my saved articles and put it into the cart, please",
    )
    moves = (
        tap("nav_favourites", draw.say("Open Saved", "Tap Saved", "Go to the saved articles"), page("FavouritesPage")),
        hold(f"product_{number}", draw.say(f"Press and hold the {which} article", "Long press it"), layer("Menu")),
        tap("menu_add", draw.say("Choose Add to cart", "Tap Add to cart"), _in_cart()),
        done(),
    )
    questions = ("Two articles are saved. Which one?", "The first or the second one?")
    slot = draw.slot(words, "which", which, 1, questions, (f"The {which} one.", f"The {which}, please."))
    return GoalPlan(words.full, moves, data(lambda d: [line["id"] for line in d["cart"]] == [number]), (slot,), key=2)


def _check_out(draw: WordingSampler, tile: UIElement) -> list[Move]:
    """From the front page to the form of the checkout with one article in the cart."""
    out = tap("checkout", draw.say("Press Check out", "Check out", "Press the wide button"), page("CheckoutPage"))
    return [*_quick_add(draw, tile), cart(draw), out]


def checkout_form(view: PhoneView, chance: Chance) -> GoalPlan | None:
    """An order up to a field of its form, not sent. Slot `text`."""
    draw, tile = WordingSampler(chance), chance.choice(tiles(view))
    what, (field, label, text) = tile.content_description.lower(), _entry(chance)
    words = draw.goal(
        f"Prepare an order of the {what}[text| for {text}| for somebody], but do not send it yet",
        f"Get the {what} as far as the checkout and write[text| {text}| what is needed] into {label}",
        f"Buy the {what}, I will finish the order. Only put[text| {text}| the right entry] into the field {label}",
        f"Check out with the {what} and fill in {label}[text|: {text}], no more than that",
    )
    moves = _check_out(draw, tile)
    moves += [
        tap(field, draw.say(f"Tap the field {label}", f"Tap {label}"), lambda v: v.state["keyboard"]),
        write(text, draw.say(f"Type {text}", f"Enter {text}")),
        done(draw.say("The form is ready to be checked", "It is filled in as wanted")),
    ]
    slot = draw.slot(
        words, "text", text, 5, (f"What shall I write into {label}?", f"What goes into the field {label}?")
    )
    key = field.removeprefix("checkout_")
    return GoalPlan(words.full, tuple(moves), data(lambda d: d["form"][key] == text), (slot,), key=3)


def _entry(chance: Chance) -> tuple[str, str, str]:
    """Id, label and content of one of the form's fields."""
    if chance.random() < 0.5:
        return "checkout_name", "Full name", chance.choice(NAMES)
    return "checkout_city", "City", chance.choice(CITIES)


def choose_delivery(view: PhoneView, chance: Chance) -> GoalPlan | None:
    """An order up to the kind of delivery, not sent. Slot `how`."""
    draw, tile = WordingSampler(chance), chance.choice(tiles(view))
    what, (option, (label, how)) = tile.content_description.lower(), chance.choice(list(DELIVERY.items()))
    words = draw.goal(
        f"Prepare the {what} for ordering[how| {how}], I will type the address myself",
        f"I want to order the {what}[how| {how}]. Stop before the address",
        f"Check out with the {what} and set the delivery[how| to {label}| to what I like]",
        f"Take the {what} to the checkout and choose[how| {label}| the delivery]",
    )
    says = (f"Choose {label}", f"Tap {label}", f"Select {label} as delivery")
    moves = _check_out(draw, tile)
    moves += [tap(option, draw.say(*says), data(lambda d: d["form"]["delivery"] == label)), done()]
    slot = draw.slot(
        words, "how", label, 4, ("How shall it be delivered?", "Express, standard or pick-up in the store?")
    )
    return GoalPlan(words.full, tuple(moves), data(lambda d: d["form"]["delivery"] == label), (slot,), key=3)


def newsletter(view: PhoneView, chance: Chance) -> GoalPlan | None:
    """The newsletter in the account on or off."""
    draw, on = WordingSampler(chance), view.data["form"]["news"]
    words = (
        draw.goal(
            "I don't want the shop's newsletter any more",
            "Unsubscribe me from the newsletter",
            "Newsletter off, please",
            "Stop the shop from sending me offers each month",
        )
        if on
        else draw.goal(
            "Subscribe me to the shop's newsletter",
            "I would like to get the newsletter from now on",
            "Newsletter on, please",
            "Let the shop send me its offers each month",
        )
    )
    changed = data(lambda d: d["form"]["news"] is not on)
    flip = tap("newsletter_setting", draw.say("Flip the switch of the newsletter", "Tap Newsletter"), changed)
    return GoalPlan(words.full, (account(draw), flip, done()), changed, key=1)


def _early(words: Wording, moves: tuple[Move, ...], end: str, follow_up: str) -> GoalPlan:
    """A goal that needs a full cart or an order first."""
    result = data(lambda d: not d["cart"] and not d["orders"])
    reason = InfeasibilityReason.PREMATURE
    return GoalPlan(words.full, (*moves, give_up(end)), result, reason=reason, follow_up=follow_up)


def pay_nothing(view: PhoneView, chance: Chance) -> GoalPlan | None:
    """Premature: the cart is empty, so nothing can be ordered."""
    draw = WordingSampler(chance)
    label, how = chance.choice(list(DELIVERY.values()))
    words = draw.goal(
        "Check out with what is in my cart",
        f"Order everything in the cart {how}",
        f"Go to the checkout and set the delivery to {label}",
        "Please buy what I have in the cart",
        "Empty my cart",
    )
    moves = [cart(draw)]
    if chance.random() < 0.5:
        says = ("See whether something is saved instead", "Look at the saved articles", "Open Saved")
        moves.append(tap("nav_favourites", draw.say(*says), page("FavouritesPage")))
    end = draw.say("The cart is empty", "There is nothing in the cart", "Nothing was put into the cart yet")
    ask = draw.say(
        "Your cart is empty. What would you like to buy?",
        "There is nothing in the cart. Shall I put the two saved articles into it first?",
        "The cart has no articles yet. Which ones shall I add?",
    )
    return _early(words, tuple(moves), end, ask)


def take_out_nothing(view: PhoneView, chance: Chance) -> GoalPlan | None:
    """Premature: the cart is empty, so nothing can be taken out."""
    draw, name = WordingSampler(chance), chance.choice(list(ARTICLES))
    low = name.lower()
    words = draw.goal(
        f"Take the {low} out of my cart",
        f"I don't want the {low} any more, remove it from the cart",
        f"Put one {low} less into the cart than there is now",
        f"Make it two of the {low} in my cart instead of one",
        f"Move the {low} from the cart to my saved articles",
    )
    moves = [cart(draw)]
    if chance.random() < 0.4:
        moves.append(account(draw))
    end = draw.say(f"The cart has no {low}", "The cart is empty", "No article is in the cart")
    ask = draw.say(
        f"The cart is empty, there is no {low} in it. Shall I add one?",
        f"I find no {low} in your cart. Did you mean a saved article?",
        "Nothing is in the cart at the moment. Shall I look for something else?",
    )
    return _early(words, tuple(moves), end, ask)


def no_order_yet(view: PhoneView, chance: Chance) -> GoalPlan | None:
    """Premature: nothing was ordered yet."""
    draw = WordingSampler(chance)
    words = draw.goal(
        "When does my last order arrive?",
        "Order the same as last time",
        "Please send my last order back",
        "Open the order I placed and tell me what it cost",
        "Cancel my order, I have found it elsewhere",
    )
    moves = [account(draw)]
    if chance.random() < 0.5:
        moves.append(cart(draw))
    end = draw.say("There are no orders yet", "Nothing was ever ordered here", "The account shows no orders")
    ask = draw.say(
        "There is no order in your account. Shall I help you to place one?",
        "You have not ordered anything yet. What would you like to order?",
        "The account shows no orders. Was it another shop?",
    )
    return _early(words, tuple(moves), end, ask)
