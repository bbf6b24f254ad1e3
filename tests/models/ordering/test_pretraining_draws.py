"""What the pretraining masks and swaps, counted by hand and for any draw."""

from __future__ import annotations

from itertools import combinations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from stepscope.core.lazy import lazy_module

torch = lazy_module("torch")
draws = lazy_module("stepscope.models.ordering.pretraining_draws")
pytestmark = pytest.mark.needs("torch")

SEEDS = st.integers(0, 2**31 - 1)


@given(SEEDS, st.integers(1, 9), st.integers(2, 6))
def test_a_subsequence_keeps_the_order_and_has_two_steps_or_more(seed: int, count: int, most: int) -> None:
    torch.manual_seed(seed)
    found = draws.subsequence(count, most).tolist()
    assert found == sorted(set(found)) and set(found) <= set(range(count))
    assert min(2, count) <= len(found) <= min(most, count)


def test_every_length_of_a_subsequence_is_as_likely() -> None:
    torch.manual_seed(0)
    lengths = [len(draws.subsequence(8, 5)) for _ in range(4000)]
    assert set(lengths) == {2, 3, 4, 5}
    # A share of 1/4 of 4,000 draws lies within 0.0274 of it in all but one of 16,000 cases (4 deviations).
    assert all(abs(lengths.count(one) / 4000 - 0.25) < 0.0274 for one in (2, 3, 4, 5))


@pytest.mark.parametrize(
    ("words", "masked"),
    [(0, 0), (1, 1), (3, 1), (7, 1), (10, 2), (20, 3), (58, 9)],  # round(0.15 · words), one at least
)
def test_the_same_share_of_each_steps_words_is_masked(words: int, masked: int) -> None:
    torch.manual_seed(words)
    found = draws.masked_words(torch.tensor([words + 2, 12]), 62)
    assert int(found[0].sum()) == masked and int(found[1].sum()) == 2
    assert not found[0, 0] and not found[0, words + 1 :].any(), "the special ones and what is behind stay"


def test_masked_words_become_the_mask_another_word_or_stay() -> None:
    torch.manual_seed(0)
    ids = torch.full((1, 10_000), 7)
    masked = torch.ones(1, 10_000, dtype=torch.bool)
    found = draws.replaced_words(ids, masked, 3, 100_000)
    mask, same = float((found == 3).float().mean()), float((found == 7).float().mean())
    assert mask == pytest.approx(0.8, abs=0.016) and same == pytest.approx(0.1, abs=0.012)  # 4 deviations
    untouched = draws.replaced_words(ids, ~masked, 3, 100_000)
    assert torch.equal(untouched, ids)


@given(SEEDS, st.lists(st.booleans(), min_size=1, max_size=5))
def test_pictures_are_exchanged_in_pairs_among_those_that_there_are(seed: int, seen: list[bool]) -> None:
    torch.manual_seed(seed)
    source, swapped = draws.swapped_pictures(torch.tensor(seen, dtype=torch.float32))
    moved = [place for place, one in enumerate(source.tolist()) if one != place]
    assert len(moved) == (2 if swapped else 0)
    assert all(seen[place] for place in moved)
    if swapped:
        first, second = moved
        assert source.tolist()[first] == second and source.tolist()[second] == first
    if sum(seen) < 2:
        assert not swapped


@pytest.mark.parametrize("name", ["swapped_pictures", "swapped_patches"])
def test_half_of_the_procedures_are_swapped(name: str) -> None:
    torch.manual_seed(0)
    more = (9,) if name == "swapped_patches" else ()
    swapped = [getattr(draws, name)(torch.full((4,), 9), *more)[1] for _ in range(4000)]
    assert sum(swapped) / 4000 == pytest.approx(0.5, abs=0.0317)  # 4 deviations


@given(SEEDS, st.integers(2, 5), st.sampled_from([1, 4, 9, 49]))
def test_patches_of_two_pictures_change_places_and_none_is_lost(seed: int, pictures: int, places: int) -> None:
    torch.manual_seed(seed)
    source, swapped = draws.swapped_patches(torch.full((pictures,), places), places)
    assert sorted(source.flatten().tolist()) == list(range(pictures * places))
    moved = [
        (step, one // places) for step, row in enumerate(source.tolist()) for at, one in enumerate(row)
        if one != step * places + at
    ]  # fmt: skip
    assert bool(moved) == swapped
    if swapped:
        here, there = sorted({step for step, _ in moved})
        assert {came for _, came in moved} == {here, there}
        from_there = sum(came == there for step, came in moved if step == here)
        assert from_there == sum(came == here for step, came in moved if step == there) == len(moved) / 2
        assert 1 <= from_there <= places


@given(SEEDS, st.integers(1, 5), st.sampled_from([4, 9, 16, 49]))
def test_regions_have_less_than_half_in_common(seed: int, pictures: int, places: int) -> None:
    torch.manual_seed(seed)
    found = draws.masked_regions(torch.full((pictures,), places), places)
    count = {4: 1, 9: 1, 16: 2, 49: 7}[places]  # 15 %, one at least
    counts = set(found.sum(1).tolist())
    assert counts == ({0} if places == 4 and pictures == 5 else {count}), "five pictures cannot have four patches each"
    assert all(2 * int((a & b).sum()) < count for a, b in combinations(found, 2))


def test_a_picture_of_one_vector_has_no_regions() -> None:
    assert not draws.masked_regions(torch.ones(3), 1).any()
    assert draws.masked_regions(torch.tensor([9.0, 0.0, 9.0]), 9).sum(1).tolist() == [1, 0, 1]


@given(SEEDS, st.integers(1, 12))
def test_candidates_are_shuffled_for_each_and_told(seed: int, count: int) -> None:
    torch.manual_seed(seed)
    order, own = draws.shuffled_candidates(count)
    assert all(sorted(row) == list(range(count)) for row in order.tolist())
    assert [row[place] for row, place in zip(order.tolist(), own.tolist(), strict=True)] == list(range(count))


def test_objectives_by_name() -> None:
    from stepscope.core.errors import UsageError
    from stepscope.models.ordering.pretraining_objectives import objectives_of

    assert [one.value for one in objectives_of("", texts=True, pictures=True)] == ["mlm", "isp", "pisp", "smrm"]
    assert [one.value for one in objectives_of("smrm, mlm", texts=True, pictures=True)] == ["mlm", "smrm"]
    assert [one.value for one in objectives_of("", texts=True, pictures=False)] == ["mlm"]
    with pytest.raises(UsageError, match="no objective 'mml'"):
        objectives_of("mml", texts=True, pictures=True)
    with pytest.raises(UsageError, match="nothing to pretrain by"):
        objectives_of("isp", texts=True, pictures=False)


@given(SEEDS, st.lists(st.integers(0, 40), min_size=1, max_size=5))
def test_of_pictures_with_fewer_regions_fewer_are_masked_and_none_that_there_is_not(
    seed: int, sizes: list[int]
) -> None:
    torch.manual_seed(seed)
    found = draws.masked_regions(torch.tensor(sizes), 36)
    known = [min(36, one) for one in sizes]
    wanted = [max(1, round(0.15 * one)) if one else 0 for one in known]
    assert found.sum(1).tolist() in (wanted, [0] * len(sizes))
    assert not any(bool(row[size:].any()) for row, size in zip(found, known, strict=True))
    source, _ = draws.swapped_patches(torch.tensor(sizes), 36)
    moved = [
        (step, at) for step, row in enumerate(source.tolist()) for at, one in enumerate(row) if one != step * 36 + at
    ]
    assert all(at < known[step] for step, at in moved)
    assert all(int(source[step, at]) % 36 < known[int(source[step, at]) // 36] for step, at in moved)
