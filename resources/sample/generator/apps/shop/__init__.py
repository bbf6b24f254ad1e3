"""What people want of the shop: finding, saving, putting into the cart, checking out."""

from __future__ import annotations

from stepscope.resources.sample.generator.apps.shop import buying, finding
from stepscope.resources.sample.generator.plan import AppGoals, Chance, Template
from stepscope.resources.sample.generator.wording import WordingSampler
from stepscope.resources.sample.script import Move, PhoneView, back, layer, page, scroll, tap


def _detours(view: PhoneView, chance: Chance) -> tuple[tuple[Move, ...], ...]:
    draw, tile = WordingSampler(chance), chance.choice(finding.tiles(view))
    name = tile.content_description
    home = tap("nav_home", draw.say("Go back to the front page", "Tap Home"), page("HomePage"))
    saved = tap("nav_favourites", draw.say("Look at what is saved", "Open Saved"), page("FavouritesPage"))
    return (
        (finding.browse(draw), home),
        (saved, home),
        (buying.account(draw), home),
        (buying.cart(draw), home),
        (
            tap(tile.short_id, draw.say(f"Look at {name}", f"Open {name}"), page("ProductPage")),
            back(draw.say("Go back to the front page", "Go back"), page("HomePage")),
        ),
        (
            tap("search_bar", draw.say("Tap the search bar", "Open the search"), page("SearchPage")),
            tap("navigate_up", draw.say("Leave the search", "Tap the arrow to go back"), page("HomePage")),
        ),
    )


def _searches(view: PhoneView, chance: Chance) -> tuple[tuple[Move, ...], ...]:
    draw, tile = WordingSampler(chance), chance.choice(finding.tiles(view))
    filters = tap("filter_button", draw.say("Look at the filters", "Open the filters"), layer("FilterSheet"))
    return (
        (buying.account(draw), _help(draw)),
        (finding.browse(draw), filters),
        (scroll("home_list", draw.say("Scroll down the front page", "Scroll down"), share=0.5), buying.account(draw)),
        (buying.cart(draw), buying.account(draw)),
        (tap(tile.short_id, draw.say("Open an article", f"Open {tile.content_description}"), page("ProductPage")),),
    )


def _help(draw: WordingSampler) -> Move:
    return tap("help", draw.say("Tap Help", "See what the help says"), layer("HelpDialog"))


_TEMPLATES = (
    finding.open_article,
    finding.search_and_sort,
    finding.reduced_in,
    finding.well_rated,
    finding.recent_search,
    finding.as_list,
    finding.save_article,
    finding.unsave,
    finding.open_banner,
    finding.first_reduced,
    buying.buy_by_search,
    buying.buy_several,
    buying.buy_other_colour,
    buying.quick_add,
    buying.saved_to_cart,
    buying.checkout_form,
    buying.choose_delivery,
    buying.newsletter,
    buying.pay_nothing,
    buying.take_out_nothing,
    buying.no_order_yet,
)

GOALS = AppGoals(
    app="shop",
    title="Shop",
    category="shopping",
    held_out=False,
    templates=tuple(Template(plan.__name__, "shop", plan) for plan in _TEMPLATES),
    detours=_detours,
    searches=_searches,
)
