"""Looking for articles: searching, sorting, filtering, saving."""

from __future__ import annotations

from stepscope.core.domain.elements import UIElement, UITree
from stepscope.resources.sample.generator.plan import Chance, GoalPlan
from stepscope.resources.sample.generator.wording import WordingSampler
from stepscope.resources.sample.script import (
    Move,
    PhoneView,
    both,
    by_words,
    data,
    done,
    enter,
    hold,
    layer,
    page,
    scroll,
    shows,
    snack,
    swipe,
    tap,
    write,
)

ARTICLES = {
    "Stoneware mug": "mug", "Travel mug with lid": "mug", "Gooseneck kettle": "kettle", "Steel water bottle": "bottle",
    "Table lamp": "lamp", "Reading lamp": "lamp", "Day backpack": "backpack", "School backpack": "backpack",
    "Wireless headphones": "headphones", "Studio headphones": "headphones", "Running shoes": "shoes",
    "Canvas shoes": "shoes", "Dotted notebook": "notebook", "Recipe book": "recipe", "Potted fern": "fern",
    "Rubber plant": "plant", "Dining chair": "chair", "Desk chair": "chair", "Sports watch": "watch",
    "Classic watch": "watch", "Bookshelf speaker": "speaker", "Party speaker": "speaker", "Cotton T-shirt": "shirt",
    "Linen shirt": "shirt", "Compact keyboard": "keyboard", "Quiet keyboard": "keyboard", "Basketball": "ball",
    "Pocket umbrella": "umbrella",
}  # fmt: skip
"""All that the shop has, with a word that finds it."""
SORTS = {
    "Best rated": ("the best rated ones first", "by rating"),
    "Price: low to high": ("the cheapest first", "from cheap to expensive"),
    "Price: high to low": ("the most expensive first", "from expensive to cheap"),
}
RATINGS = {"rating_3_5": ("3.5", 3.5), "rating_4": ("4", 4), "rating_4_5": ("4.5", 4.5)}
_FULLY = 0.95


def tiles(view: PhoneView) -> list[UIElement]:
    """The articles of the front page that are seen well enough to be touched."""
    found = [e for e in view.tree if e.short_id.startswith("product_") and e.long_clickable]
    tallest = max((e.box.height for e in found), default=0.0)
    return [e for e in found if e.box.height >= 0.6 * tallest]


def _chips(view: PhoneView) -> list[UIElement]:
    """The categories on the front page that are not cut off."""
    edge = view.tree.size.width * _FULLY
    return [e for e in view.tree if e.short_id.startswith("category_") and e.box.right < edge]


def browse(draw: WordingSampler) -> Move:
    """To the list of all articles."""
    says = ("Open Browse", "Tap Browse", "Go to all articles")
    return tap("nav_catalogue", draw.say(*says), page("CataloguePage"))


def search(draw: WordingSampler, words: str) -> list[Move]:
    """To the search page, with `words` typed."""
    return [
        tap("search_bar", draw.say("Tap the search bar", "Tap Search the shop", "Start a search"), page("SearchPage")),
        write(words, draw.say(f"Type {words}", f"Search for {words}", f"Write {words}")),
    ]


def with_article(name: str) -> str:
    """`a table lamp`, `a pair of canvas shoes`."""
    return f"a {'pair of ' if name.endswith('s') else ''}{name.lower()}"


def typed(chance: Chance, name: str) -> str:
    """What a person types to find the article."""
    return chance.choice((ARTICLES[name], name, name.lower()))


def open_article(view: PhoneView, chance: Chance) -> GoalPlan | None:
    """An article searched for, and opened. Slot `article`."""
    draw, name = WordingSampler(chance), chance.choice(list(ARTICLES))
    low = name.lower()
    words = draw.goal(
        f"Show me the[article| {low}| article I think of]",
        f"I would like to see the[article| {low}| right article] in the shop",
        f"Find the[article| {low}| thing I need] and open it",
        f"Open the page of[article| the {low}| an article]",
        f"Does the shop have[article| the {low}| what I need]? Open it, please",
    )
    says = (f"Tap {name}", f"Open the {low}", "Open the article that was found")
    moves = (*search(draw, typed(chance, name)), tap(by_words(name, "product_"), draw.say(*says), page("ProductPage")))
    slot = draw.slot(words, "article", low, 1, ("Which article do you mean?", "What are you looking for?"))
    return GoalPlan(words.full, (*moves, done()), both(page("ProductPage"), shows("add_to_cart")), (slot,), key=0)


def search_and_sort(view: PhoneView, chance: Chance) -> GoalPlan | None:
    """Things of one kind in a wished order. Slot `order`."""
    draw, word, order = WordingSampler(chance), chance.choice(list(ARTICLES.values())), chance.choice(list(SORTS))
    how = chance.choice(SORTS[order])
    thing = word if word.endswith("s") else f"{word}{'es' if word == 'watch' else 's'}"
    words = draw.goal(
        f"Search for {thing} and sort them[order| {how}]",
        f"I want to compare {thing},[order| {how}| in good order]",
        f"List all {thing} of the shop, sorted[order| {how}]",
        f"Could you look for {thing} and put[order| {how}| them in order]?",
    )
    says = (f"Choose {order}", f"Tap {order}", f"Take {order}")
    moves = [
        *search(draw, word),
        enter(
            draw.say("Start the search", "Press Enter", "Press the magnifying glass of the keyboard"),
            page("CataloguePage"),
        ),
        tap("sort_button", draw.say("Open the order of the results", "Tap Popular"), layer("SortDialog")),
        tap(by_words(order, "option_"), draw.say(*says), layer(None)),
        done(),
    ]
    questions = ("By price or by rating?", "In which order would you like them?", "How shall I sort them?")
    slot = draw.slot(words, "order", how, 4, questions, (f"{order}.", how.capitalize() + "."))
    result = data(lambda d: d["query"] == word and d["sort"] == order)
    return GoalPlan(words.full, tuple(moves), result, (slot,), key=3)


def reduced_in(view: PhoneView, chance: Chance) -> GoalPlan | None:
    """Only what is reduced in a category. Slot `category`; None when no category is seen whole."""
    chips = _chips(view)
    if not chips:
        return None
    draw, chip = WordingSampler(chance), chance.choice(chips)
    name, cat = chip.text, chip.short_id.removeprefix("category_")
    words = draw.goal(
        f"Show me only what is reduced[category| in {name}]",
        f"I am after a bargain[category| in the category {name}], hide the rest",
        f"Which articles are reduced[category| in {name}]? Filter them, please",
        f"Reduced articles[category| from {name}] only",
    )
    moves = (
        tap(
            chip.short_id, draw.say(f"Tap the {name} category", f"Choose {name}", f"Tap {name}"), page("CataloguePage")
        ),
        tap("filter_button", draw.say("Open the filters", "Tap Filters", "Tap the sliders"), layer("FilterSheet")),
        tap("only_sale", draw.say("Switch on Reduced articles only", "Tap Reduced articles only")),
        tap("apply_filters", draw.say("Show the results", "Press the wide button below"), layer(None)),
        done(),
    )
    slot = draw.slot(words, "category", name, 0, ("In which category?", "Which category do you mean?"))
    return GoalPlan(words.full, moves, data(lambda d: d["sale"] and d["cat"] == cat), (slot,), key=2)


def well_rated(view: PhoneView, chance: Chance) -> GoalPlan | None:
    """Only articles with so many stars. Slot `rating`."""
    draw, button = WordingSampler(chance), chance.choice(list(RATINGS))
    text, value = RATINGS[button]
    words = draw.goal(
        f"List only articles with[rating| {text}| enough] stars or more",
        f"Hide everything in the shop that has less than[rating| {text}| enough] stars",
        f"I only trust good ratings, filter the articles[rating| from {text} up]",
        f"Filter the articles by rating[rating|: {text} and better]",
    )
    moves = (
        browse(draw),
        tap("filter_button", draw.say("Open the filters", "Tap Filters", "Tap the sliders"), layer("FilterSheet")),
        tap(
            button,
            draw.say(f"Choose {float(value)} +", f"Tap {float(value)} +"),
            data(lambda d: d["minRating"] == value),
        ),
        tap("apply_filters", draw.say("Show the results", "Press the wide button below"), layer(None)),
        done(),
    )
    slot = draw.slot(words, "rating", f"{text} stars", 2, ("How many stars at least?", "From which rating on?"))
    return GoalPlan(words.full, moves, data(lambda d: d["minRating"] == value), (slot,), key=1)


def recent_search(view: PhoneView, chance: Chance) -> GoalPlan | None:
    """A search of before once more. Slot `word`."""
    draw, word = WordingSampler(chance), chance.choice(view.data["recent"])
    words = draw.goal(
        f"Repeat my search[word| for {word}]",
        f"I looked[word| for {word}| for something] the other day, do that search again",
        f"Take[word| {word}| one] from my recent searches",
        f"Search again[word| for {word}], it is among the recent ones",
    )
    moves = (
        tap("search_bar", draw.say("Tap the search bar", "Open the search"), page("SearchPage")),
        tap(
            by_words(word, "recent_"),
            draw.say(f"Tap {word}", f"Choose the recent search {word}"),
            page("CataloguePage"),
        ),
        done(),
    )
    slot = draw.slot(words, "word", word, 1, ("Which of your searches?", "What were you looking for?"))
    return GoalPlan(words.full, moves, data(lambda d: d["query"] == word), (slot,))


def as_list(view: PhoneView, chance: Chance) -> GoalPlan | None:
    """The articles below each other, not as a grid."""
    draw = WordingSampler(chance)
    words = draw.goal(
        "Show the articles as a list instead of a grid",
        "The pictures are too large, browse in a list, please",
        "Switch the shop's catalogue to the list view",
        "I prefer one article a row when I browse",
    )
    seen = data(lambda d: not d["grid"])
    moves = (browse(draw), tap("layout_button", draw.say("Tap Show as list", "Change the layout"), seen), done())
    return GoalPlan(words.full, moves, seen, key=1)


def save_article(view: PhoneView, chance: Chance) -> GoalPlan | None:
    """An article of the front page saved for later. Slot `article`; None when all that are seen are saved."""
    free = [e for e in tiles(view) if int(e.short_id.removeprefix("product_")) not in view.data["favourites"]]
    if not free:
        return None
    draw, tile = WordingSampler(chance), chance.choice(free)
    low, number = tile.content_description.lower(), int(tile.short_id.removeprefix("product_"))
    words = draw.goal(
        f"Save the[article| {low}| article] for later",
        f"I like the[article| {low}| one on the front page], remember it for me",
        f"Put the[article| {low}| article] on my list of saved ones",
        f"Keep[article| the {low}| an article] in Saved, please",
    )
    says = (f"Tap the heart of the {low}", f"Save {tile.content_description}", "Tap its heart")
    moves = [tap(f"favourite_{number}", draw.say(*says), snack("Saved for later")), done()]
    if chance.random() < 0.5:
        says = ("See whether it is there", "Open Saved", "Tap Saved")
        moves.insert(1, tap("nav_favourites", draw.say(*says), page("FavouritesPage")))
    slot = draw.slot(words, "article", low, 0, ("Which article shall I save?", "Which one do you mean?"))
    return GoalPlan(words.full, tuple(moves), data(lambda d: number in d["favourites"]), (slot,), key=0)


def unsave(view: PhoneView, chance: Chance) -> GoalPlan | None:
    """One of the first two saved articles not saved any more. Slot `which`."""
    draw, at = WordingSampler(chance), chance.randint(0, 1)
    number, which = view.data["favourites"][at], ("first", "second")[at]
    words = draw.goal(
        f"Take the[which| {which}] article off my saved ones",
        f"I no longer want the[which| {which}] article on the Saved page",
        f"Remove the[which| {which}] thing I saved",
        f"Clean up Saved: the[which| {which}] article can go",
    )
    moves = (
        tap("nav_favourites", draw.say("Open Saved", "Tap Saved", "Go to the saved articles"), page("FavouritesPage")),
        tap(f"favourite_{number}", draw.say(f"Tap the {which} heart", "Tap Remove from saved"), snack("Removed")),
        done(),
    )
    questions = ("Two articles are saved. Which one?", "Shall the first or the second one go?")
    slot = draw.slot(words, "which", which, 1, questions, (f"The {which} one.", f"The {which}, please."))
    return GoalPlan(words.full, moves, data(lambda d: number not in d["favourites"]), (slot,), key=1)


def open_banner(view: PhoneView, chance: Chance) -> GoalPlan | None:
    """An offer of the front page, one or two swipes on. Slot `title`."""
    draw, at = WordingSampler(chance), chance.randint(1, 2)
    title, cat = (("Music for every room", "audio"), ("Out and about", "sport"))[at - 1]
    words = draw.goal(
        f"Open the offer[title| {title}| I saw] on the front page",
        f"The front page had a banner[title| called {title}], show me what is in it",
        f"What is in the collection[title| {title}]?",
        f"Swipe to the banner[title| {title}| with the offer] and open it",
    )
    swipes = [
        swipe("banner", "left", draw.say("Swipe the banner to the left", "Swipe to the next banner")) for _ in range(at)
    ]
    opened = data(lambda d: d["cat"] == cat)
    moves = (*swipes, tap("banner", draw.say(f"Open {title}", "Tap the banner"), opened), done())
    slot = draw.slot(words, "title", title, at, ("What is the banner called?", "Which of the banners do you mean?"))
    return GoalPlan(words.full, moves, opened, (slot,))


def _first_reduced(tree: UITree) -> UIElement | None:
    """The first article below the heading Reduced."""
    head = next((e for e in tree if e.text == "Reduced"), None)
    below = head.box.bottom if head else 0.0
    rows = [e for e in tree if e.short_id.startswith("product_") and e.long_clickable and e.box.top >= below - 1]
    return rows[0] if rows else None


def first_reduced(view: PhoneView, chance: Chance) -> GoalPlan | None:
    """The first reduced article of the front page into the cart."""
    draw = WordingSampler(chance)
    words = draw.goal(
        "Put the first reduced article of the front page into my cart",
        "Add to the cart whatever comes first under Reduced",
        "Scroll to the reduced articles on the front page and add the first one to the cart",
        "Get me the first article that is reduced",
    )
    says = ("Scroll down to Reduced", "Scroll down", "Scroll to the reduced articles")
    shown = shows(lambda tree: next((e for e in tree if e.text == "Reduced"), None))
    moves = (
        scroll("home_list", draw.say(*says), share=0.5),
        scroll("home_list", draw.say(*says, "Scroll on"), shown, share=0.5),
        hold(_first_reduced, draw.say("Press and hold the first one", "Long press the first article"), layer("Menu")),
        tap("menu_add", draw.say("Choose Add to cart", "Tap Add to cart"), data(lambda d: len(d["cart"]) == 1)),
        done(),
    )
    return GoalPlan(words.full, moves, data(lambda d: len(d["cart"]) == 1), key=3)
