"""The phrase grammar of text-match."""

import pytest

from stepscope.models.automation.grounding import stem, tokens
from stepscope.models.automation.phrases import Phrases, clauses, extract


@pytest.mark.parametrize(
    ("sentence", "wanted"),
    [
        ("Tap on the search icon.", Phrases("tap", place="search icon")),
        ("open settings", Phrases("tap", place="settings")),
        ("go to my profile", Phrases("tap", place="my profile")),
        ("Select the “Dark” theme option", Phrases("tap", place="Dark")),
        ("Step 3: click 'OK'", Phrases("tap", place="OK")),
        ("please then turn on Wi-Fi", Phrases("tap", place="Wi-Fi")),
        ("Open the Clock app", Phrases("open_app", text="Clock")),
        ("launch Maps", Phrases("open_app", text="Maps")),
        ('type "Hello You" into the message box', Phrases("type", place="message box", text="Hello You")),
        ("Enter a@b.c in the login field", Phrases("type", place="login field", text="a@b.c")),
        ("input 42", Phrases("type", text="42")),
        ("fill in the name field with Bob", Phrases("type", place="name field", text="Bob")),
        ("search for pizza", Phrases("type", place="search", text="pizza")),
        ("long press on the photo", Phrases("long_press", place="photo")),
        ("Press and hold the message", Phrases("long_press", place="message")),
        ("swipe left", Phrases("swipe", detail="left")),
        ("Swipe", Phrases("swipe", detail="up")),
        ("scroll down to see more", Phrases("scroll", detail="down")),
        ("scroll", Phrases("scroll", detail="down")),
        ("go back", Phrases("press_key", detail="back")),
        ("press the back button", Phrases("press_key", detail="back")),
        ("press home", Phrases("press_key", detail="home")),
        ("go back to the home screen", Phrases("press_key", detail="home")),
        ("press enter", Phrases("press_key", detail="enter")),
        ("tap home", Phrases("tap", place="home")),
        ("wait for the page", Phrases("wait")),
        ("The task is complete.", Phrases("finish", detail="complete")),
        ("the task is impossible", Phrases("finish", detail="impossible")),
        ("my profile", Phrases("tap", place="my profile", found=False)),
        ("", Phrases("tap", found=False)),
    ],
)
def test_phrases(sentence: str, wanted: Phrases) -> None:
    assert extract(sentence) == wanted


def test_a_goal_falls_into_clauses_at_verbs_only() -> None:
    assert clauses("open settings and tap salt and pepper, then go back") == [
        "open settings",
        "tap salt and pepper",
        "go back",
    ]
    assert clauses("  ") == []


def test_tokens_split_names_and_drop_stop_words() -> None:
    assert tokens("btnMyFavorites_list, the URLBar: 2nd Übung") == (
        "btn", "my", "favorite", "list", "url", "bar", "2", "nd", "übung",
    )  # fmt: skip


@pytest.mark.parametrize(
    ("word", "wanted"),
    [("parties", "party"), ("settings", "setting"), ("loading", "load"), ("ring", "ring"), ("added", "added"),
     ("selected", "select"), ("bus", "bus"), ("class", "class"), ("tabs", "tab")],
)  # fmt: skip
def test_stems(word: str, wanted: str) -> None:
    assert stem(word) == wanted
