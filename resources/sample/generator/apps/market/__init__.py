"""What people want of the market: groceries, deliveries, lists and vouchers."""

from __future__ import annotations

from stepscope.resources.sample.generator.apps.market import delivery, goods, lists, ways
from stepscope.resources.sample.generator.plan import AppGoals, Chance, Template
from stepscope.resources.sample.generator.wording import WordingSampler
from stepscope.resources.sample.script import Move, PhoneView, back, layer, page, scroll, tap, write


def _home(draw: WordingSampler) -> Move:
    return tap(
        "section_aisles", draw.say("Go back to Aisles", "Tap Aisles", "Open the aisles again"), page("AislesPage")
    )


def _detours(view: PhoneView, chance: Chance) -> tuple[tuple[Move, ...], ...]:
    draw = WordingSampler(chance)
    leave = back(draw.say("Go back to the aisles", "Go back", "Leave again"), page("AislesPage"))
    shut = back(draw.say("Close the menu", "Go back"), layer(None))
    key = chance.choice([key for key, _ in view.data["aisles"]])
    return (
        (ways.offers(draw), _home(draw)),
        (ways.my_lists(draw), _home(draw)),
        (ways.account(draw), shut),
        (ways.aisle(view, draw, key), leave),
        (ways.open_basket(draw), leave),
        (ways.delivery(draw), leave),
    )


def _searches(view: PhoneView, chance: Chance) -> tuple[tuple[Move, ...], ...]:
    draw = WordingSampler(chance)
    key = chance.choice(("vegetables", "fruit"))
    down = scroll("shelf", draw.say("Scroll down the shelf", "Look further down"), share=0.35)
    preferences = tap("go_preferences", draw.say("Look in the preferences", "Tap Preferences"), page("PreferencesPage"))
    letter = chance.choice("abcdefg")
    household = ways.aisle(view, draw, "household")
    return (
        (ways.aisle(view, draw, key), down),
        (ways.account(draw), preferences),
        (ways.offers(draw), ways.my_lists(draw)),
        (ways.search(draw), write(letter, draw.say("Type something to look for", f"Try the letter {letter}"))),
        (ways.delivery(draw), back(draw.say("Go back", "Leave the delivery page"), page("AislesPage")), household),
        (scroll("aisle_board", draw.say("Scroll down the front page", "Look further down"), share=0.35),),
    )


_TEMPLATES = (
    goods.by_weight,
    goods.by_piece,
    goods.from_the_aisle,
    goods.often_bought,
    goods.note_for_picker,
    goods.if_sold_out,
    goods.arrange_aisle,
    goods.only_some,
    goods.take_out,
    goods.one_more,
    goods.empty_basket,
    delivery.choose_slot,
    delivery.deliver_elsewhere,
    delivery.add_address,
    delivery.order_groceries,
    delivery.order_nothing,
    delivery.cancel_order,
    delivery.cancel_nothing,
    delivery.rate_order,
    delivery.rate_nothing,
    delivery.order_again,
    lists.new_list,
    lists.save_to_list,
    lists.rename_list,
    lists.delete_list,
    lists.list_to_basket,
    lists.empty_list_to_basket,
    lists.redeem_voucher,
    lists.use_voucher,
    lists.flip_preference,
    lists.usual_replacement,
)

GOALS = AppGoals(
    app="market",
    title="Market",
    category="shopping",
    held_out=False,
    templates=tuple(Template(plan.__name__, "market", plan) for plan in _TEMPLATES),
    detours=_detours,
    searches=_searches,
)
