"""Searching, filtering, saving and ordering in the shop."""

from __future__ import annotations

from stepscope.resources.sample.script import (
    Script,
    by_words,
    data,
    done,
    enter,
    hold,
    layer,
    page,
    snack,
    swipe,
    tap,
    write,
)

SCRIPTS = (
    Script(
        id="shop-stoneware-mug",
        goal="Put a stoneware mug into my cart",
        app="shop",
        seed=4,
        moves=(
            tap("search_bar", "Tap the search bar", page("SearchPage")),
            write("mug", "Type mug"),
            tap("product_11", "Open the Stoneware mug", page("ProductPage")),
            tap("add_to_cart", "Press Add to cart", snack("Stoneware mug added")),
            done(),
        ),
        result=data(lambda d: [line["id"] for line in d["cart"]] == [11]),
    ),
    Script(
        id="shop-umbrella-order",
        goal="Prepare an order of the pocket umbrella for Ines Amaral in Porto, but do not send it yet",
        app="shop",
        seed=5,
        moves=(
            tap("product_9", "Open the Pocket umbrella", page("ProductPage")),
            tap("add_to_cart", "Add it to the cart", snack("Pocket umbrella added")),
            tap("cart_button", "Open the cart", page("CartPage")),
            tap("checkout", "Press Check out", page("CheckoutPage")),
            tap("checkout_name", "Tap the field Full name"),
            write("Ines Amaral", "Type Ines Amaral"),
            tap("checkout_city", "Tap the field City"),
            write("Porto", "Type Porto"),
            done("The form is ready to be checked"),
        ),
        result=data(lambda d: (d["form"]["name"], d["form"]["city"], d["orders"]) == ("Ines Amaral", "Porto", [])),
    ),
    Script(
        id="shop-reduced-audio",
        goal="Show me only what is reduced in Audio",
        app="shop",
        seed=7,
        moves=(
            tap("category_audio", "Tap the Audio category", page("CataloguePage")),
            tap("filter_button", "Open the filters", layer("FilterSheet")),
            tap("only_sale", "Switch on Reduced articles only"),
            tap("apply_filters", "Show the results", layer(None)),
            done(),
        ),
        result=data(lambda d: d["sale"] and d["cat"] == "audio" and d["results"]),
    ),
    Script(
        id="shop-cheapest-lamp",
        goal="Find the cheapest lamp and save it for later",
        app="shop",
        seed=4,
        moves=(
            tap("search_bar", "Tap the search bar", page("SearchPage")),
            write("lamp", "Type lamp"),
            enter("Start the search", page("CataloguePage")),
            tap("sort_button", "Open the order of the results", layer("SortDialog")),
            tap(by_words("Price: low to high"), "Choose Price: low to high", layer(None)),
            tap("favourite_27", "Tap the heart of the first lamp", snack("Saved for later")),
            done(),
        ),
        result=data(lambda d: 27 in d["favourites"] and d["results"][0] == 27),
    ),
    Script(
        id="shop-out-and-about",
        goal="What is in the Out and about collection on the shop's front page?",
        app="shop",
        seed=1,
        moves=(
            swipe("banner", "left", "Swipe the banner to the next one"),
            swipe("banner", "left", "Swipe once more", data(lambda d: d["banner"] == 2)),
            tap("banner", "Open Out and about", page("CataloguePage")),
            done(),
        ),
        result=data(lambda d: d["cat"] == "sport"),
    ),
    Script(
        id="shop-quick-add",
        goal="Add the cotton T-shirt without opening it and show me the cart",
        app="shop",
        seed=5,
        moves=(
            hold("product_11", "Press and hold the cotton T-shirt", layer("Menu")),
            tap("menu_add", "Choose Add to cart", snack("Cotton T-shirt added")),
            tap("nav_cart", "Go to the cart", page("CartPage")),
            done(),
        ),
        result=data(lambda d: [line["id"] for line in d["cart"]] == [11]),
    ),
)
