from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from stepscope.widgets.shell.palette.fuzzy import find
from stepscope.widgets.shell.palette.palette_item_model import fit
from stepscope.widgets.shell.palette.palette_row import PaletteRow


def titles(query: str, *rows: PaletteRow) -> list[str]:
    return [row.title for row, _places in fit(rows, query)]


def command(title: str, detail: str = "", enabled: bool = True) -> PaletteRow:
    return PaletteRow("command", title, title, detail, enabled=enabled, why="" if enabled else "nothing is open")


def test_letters_must_occur_in_order() -> None:
    assert find("nws", "Next wrong step") is not None
    assert find("swn", "Next wrong step") is None


def test_beginnings_of_words_are_what_is_meant() -> None:
    found = find("nws", "Next wrong step")
    assert found is not None and found.places == (0, 5, 11)
    assert titles("os", command("Close source"), command("Open sample"))[0] == "Open sample"


def test_the_words_as_they_stand_come_first() -> None:
    assert titles("flip", command("Filter list by path"), command("Show steps that flip"))[0] == "Show steps that flip"


def test_what_can_be_chosen_comes_before_what_cannot() -> None:
    assert titles("run", command("Run", enabled=False), command("Resume a long run")) == ["Resume a long run", "Run"]


def test_a_prefix_leaves_one_kind() -> None:
    rows = (command("Spotify"), PaletteRow("app", "s", "Spotify"), PaletteRow("episode", "e", "Open Spotify"))
    assert [row.kind for row, _places in fit(rows, "@spot")] == ["app"]
    assert [row.kind for row, _places in fit(rows, "#")] == ["episode"]
    assert {row.kind for row, _places in fit(rows, "spot")} == {"command", "app", "episode"}


def test_before_anything_is_typed_only_commands_and_rules_are_listed() -> None:
    rows = (command("Open"), PaletteRow("episode", "e", "Open Spotify"), PaletteRow("rule", "r", "AitW"))
    assert titles("", *rows) == ["Open", "AitW"]


def test_a_detail_can_be_found_too() -> None:
    assert titles("pixel", command("Flip orientation", "Pixel 7"), command("Quit")) == ["Flip orientation"]


@given(st.text(max_size=12), st.text(max_size=40))
def test_matched_places_are_places_of_the_text_in_order(query: str, text: str) -> None:
    found = find(query, text)
    if found is not None:
        assert list(found.places) == sorted(set(found.places))
        assert all(0 <= place < len(text) for place in found.places)


def test_words_in_order_come_before_scattered_letters() -> None:
    in_order = find("op fold", "Open Another Folder")
    scattered = find("op fold", "Old popular food landing")
    assert in_order is not None and in_order.places == (0, 1, 13, 14, 15, 16)
    assert scattered is None or scattered.score < in_order.score
    assert find("fold op", "Open Another Folder") is None
