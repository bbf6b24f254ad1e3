from __future__ import annotations

from dataclasses import replace

from hypothesis import given
from hypothesis import strategies as st

from stepscope.core.domain.elements import TreeOrigin, UIElement, UITree
from stepscope.core.domain.geometry import Box, Size
from stepscope.core.domain.tree_diff import ChangeKind, ElementChange, TreeDiff, tree_diff

SIZE = Size(400, 800)


def one(text: str = "", identity: str = "", top: float = 0, kind: str = "a.View", **more: bool) -> UIElement:
    box = Box(0, top, 100, top + 40, SIZE)
    return UIElement(0, box, text=text, resource_id=identity, class_name=kind, **more)  # type: ignore[arg-type]


def tree(*elements: UIElement, size: Size = SIZE) -> UITree:
    """All roots, one after the other."""
    return UITree(tuple(replace(e, index=i) for i, e in enumerate(elements)), TreeOrigin.DUMP, size)


def test_the_same_screen_has_no_changes() -> None:
    screen = tree(one("Inbox"), one("Compose", "fab", 700))
    assert tree_diff(screen, screen) == TreeDiff((), 0, 2)


def test_a_dialog_appears_over_the_screen() -> None:
    before = tree(one("Delete", "delete", 100))
    after = tree(one("Delete", "delete", 100), one("Sure?", "", 300), one("Cancel", "no", 340))
    assert tree_diff(before, after).changes == (
        ElementChange(ChangeKind.APPEARED, None, 1),
        ElementChange(ChangeKind.APPEARED, None, 2),
    )
    assert tree_diff(after, before).changes == (
        ElementChange(ChangeKind.VANISHED, 1, None),
        ElementChange(ChangeKind.VANISHED, 2, None),
    )


def test_a_box_is_ticked_and_a_counter_counts() -> None:
    before = tree(one("Milk", "item", 0, checkable=True), one("0 of 3", "count", 700))
    after = tree(one("Milk", "item", 0, checkable=True, checked=True), one("1 of 3", "count", 700))
    assert tree_diff(before, after).changes == (
        ElementChange(ChangeKind.CHANGED, 0, 0, ("now checked",)),
        ElementChange(ChangeKind.CHANGED, 1, 1, ("text “0 of 3” → “1 of 3”",)),
    )


def test_a_scrolled_list_has_moved_and_shows_one_more_row() -> None:
    before = tree(*(one(f"Row {i}", "row", 40 * i) for i in range(4)))
    after = tree(*(one(f"Row {i + 1}", "row", 40 * i) for i in range(4)))
    diff = tree_diff(before, after)
    assert diff.moved == 3
    assert [(c.kind, c.before, c.after) for c in diff.changes] == [(ChangeKind.CHANGED, 0, 3)], "the row that is left"


def test_text_that_changes_at_one_place_is_the_same_element() -> None:
    diff = tree_diff(tree(one("12:01", "", 5)), tree(one("12:02", "", 5)))
    assert diff.changes == (ElementChange(ChangeKind.CHANGED, 0, 0, ("text “12:01” → “12:02”",)),)


def test_a_page_that_gives_new_ids_is_the_same_page() -> None:
    assert tree_diff(tree(one("Go", "17")), tree(one("Go", "29"))) == TreeDiff((), 0, 1)


def test_another_id_with_other_words_is_another_element_though_at_the_same_place() -> None:
    diff = tree_diff(tree(one("Yes", "yes")), tree(one("No", "no")))
    assert [change.kind for change in diff.changes] == [ChangeKind.APPEARED, ChangeKind.VANISHED]


def test_what_only_holds_others_or_cannot_be_seen_is_not_told() -> None:
    after = UITree(
        (
            UIElement(0, Box(0, 0, 400, 800, SIZE), class_name="a.Frame"),
            UIElement(1, Box(0, 0, 100, 40, SIZE), 0, 1, text="Hello"),
            UIElement(2, Box(0, 0, 100, 40, SIZE), 0, 1, text="Hidden", visible=False),
            UIElement(3, Box(9, 9, 9, 9, SIZE), 0, 1, text="Without area"),
        ),
        TreeOrigin.DUMP,
        SIZE,
    )
    assert tree_diff(tree(), after).changes == (ElementChange(ChangeKind.APPEARED, None, 1),)


def test_trees_of_other_sizes_are_laid_over_each_other() -> None:
    small = tree(one("Ok", "ok", 100))
    large = UITree(
        tuple(replace(e, box=Box(0, 200, 200, 280, Size(800, 1600))) for e in small), TreeOrigin.DUMP, Size(800, 1600)
    )
    assert tree_diff(small, large) == TreeDiff((), 0, 1)


def test_another_screen_is_one_that_more_elements_left_than_stayed_on() -> None:
    here = tree(one("Bar", "bar"), one("A", "a", 40), one("B", "b", 80), one("C", "c", 120))
    assert not tree_diff(here, tree(one("Bar", "bar"), one("A", "a", 40), one("X", "x", 80))).is_another_screen
    assert tree_diff(here, tree(one("Bar", "bar"), one("X", "x", 80))).is_another_screen


words = st.sampled_from(["", "a", "b"])
made = st.lists(st.builds(one, words, words, st.integers(0, 3).map(lambda row: row * 40)), max_size=8)


@given(made, made)
def test_every_element_is_told_once_and_the_way_back_mirrors_it(old: list[UIElement], new: list[UIElement]) -> None:
    before, after = tree(*old), tree(*new)
    there, back = tree_diff(before, after), tree_diff(after, before)
    for changes in (there.changes, back.changes):
        for side in ("before", "after"):
            named = [getattr(change, side) for change in changes if getattr(change, side) is not None]
            assert len(named) == len(set(named))
    appeared, vanished = there.count(ChangeKind.APPEARED), there.count(ChangeKind.VANISHED)
    assert len(new) - appeared == len(old) - vanished, "the others are pairs"
    assert (back.count(ChangeKind.VANISHED), back.count(ChangeKind.APPEARED)) == (appeared, vanished)


@given(made)
def test_a_tree_is_like_itself(elements: list[UIElement]) -> None:
    assert tree_diff(tree(*elements), tree(*elements)) == TreeDiff((), 0, len(elements))
