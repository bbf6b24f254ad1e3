"""UIBert's referring expressions: fractions become pixels, the label picks the target, the hierarchy names it."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from stepscope.core.domain.action import Tap
from stepscope.core.domain.elements import TreeOrigin
from stepscope.core.domain.episode import Episode, EpisodeSummary, Platform, Problem, summarise
from stepscope.core.domain.geometry import Size
from stepscope.core.errors import SourceError
from stepscope.core.sources.look import FolderScan
from stepscope.core.sources.uibert import FORMAT, load, open_uibert_refexp, outline


def item(**changes: Any) -> dict[str, Any]:
    """Two candidates and three leaves; the second candidate is meant, at (270, 480, 1053, 960) of 1080 × 1920."""
    made: dict[str, Any] = {
        "image/id": [b"18177"],
        "image/ref_exp/text": [b"click on the last option"],
        "image/ref_exp/label": [1],
        "image/object/num": [2.0],
        "image/object/bbox/xmin": [0.5, 0.25],
        "image/object/bbox/ymin": [0.0, 0.25],
        "image/object/bbox/xmax": [0.625, 0.975],
        "image/object/bbox/ymax": [0.125, 0.5],
        "image/view_hierarchy/bbox/xmin": [0.0, 0.25, 0.25],
        "image/view_hierarchy/bbox/ymin": [0.0, 0.25, 0.2505],
        "image/view_hierarchy/bbox/xmax": [1.0, 0.975, 0.975],
        "image/view_hierarchy/bbox/ymax": [0.03125, 0.5, 0.5],
        "image/view_hierarchy/class/label": [0, 4, 1],
        "image/view_hierarchy/class/name": [b"CHECK_BOX", b"IMAGE_BUTTON", b"TEXT_INPUT"],
        "image/view_hierarchy/text": [b"", b"", b"last one"],
        "image/view_hierarchy/description": [b"tick", b"", b""],
        "image/view_hierarchy/id/name": [b"tickBox", b"row", b"title"],
    }
    for name, value in changes.items():
        made[name] = value
    return made


def only(shard: Path) -> Episode:
    source = open_uibert_refexp(shard)
    (row,) = source.scan()
    assert isinstance(row, EpisodeSummary)
    episode = source.read(row.id, row.place)
    full = summarise(episode)
    assert (row.goal, row.steps, row.screens, row.actions, row.splits) == (
        full.goal, full.steps, full.screens, full.actions, full.splits
    )  # fmt: skip
    return episode


def edges(box: Any) -> list[float]:
    return [box.left, box.top, box.right, box.bottom]


def test_an_expression_in_full(write_shard: Any) -> None:
    episode = only(write_shard(item()))
    assert (episode.id, episode.goal, episode.platform) == ("18177", "click on the last option", Platform.ANDROID)
    assert (episode.splits, episode.problems, episode.app) == (("dev",), (), None)
    (step,) = episode.steps
    assert step.instruction == episode.goal
    assert (step.observation.size, step.observation.screenshot) == (Size(1080, 1920), None)
    assert isinstance(step.action, Tap) and step.action.point is not None and step.action.target is not None
    assert (step.action.point.x, step.action.point.y) == pytest.approx((661.5, 720), abs=1e-3)
    assert edges(step.action.target.box) == pytest.approx([270, 480, 1053, 960], abs=1e-3)
    # both leaves are the target; the one with words names it
    assert (step.action.target.text, step.action.target.id) == ("last one", "title")


def test_the_hierarchy_is_seen_and_the_candidates_are_listed(write_shard: Any) -> None:
    tree = only(write_shard(item())).steps[0].observation.tree
    assert tree is not None and tree.origin is TreeOrigin.VIEW_HIERARCHY
    tick, row, title, group, first, second = tree.elements
    assert [element.class_name for element in tree] == ["CHECK_BOX", "IMAGE_BUTTON", "TEXT_INPUT", "", "", ""]
    assert tick.checkable and tick.clickable and tick.content_description == "tick" and tick.resource_id == "tickBox"
    assert row.clickable and not row.editable and title.editable and title.text == "last one"
    assert edges(tick.box) == pytest.approx([0, 0, 1080, 60])
    assert group.content_description == "candidates" and (first.parent, second.parent) == (group.index, group.index)
    assert [element.visible for element in tree] == [True, True, True, False, False, False]
    assert edges(first.box) == pytest.approx([540, 0, 675, 240]) and second.content_description == "candidate 1"


@pytest.mark.parametrize("folder", [".", "combined", "..", "../combined"])
def test_ricos_picture_near_is_used_in_its_own_size(write_shard: Any, write_picture: Any, folder: str) -> None:
    shard = write_shard(item())
    write_picture((shard.parent / folder / "18177.jpg").resolve(), 540, 900)
    (step,) = only(shard).steps
    assert step.observation.screenshot is not None and step.observation.size == Size(540, 900)
    action: Any = step.action
    assert edges(action.target.box) == pytest.approx([135, 225, 526.5, 450], abs=1e-3)


def test_a_picture_that_cannot_be_read_is_said(write_shard: Any) -> None:
    shard = write_shard(item())
    (shard.parent / "18177.jpg").write_text("version https://git-lfs.github.com/spec/v1\n")
    episode = only_with_problems(shard)
    assert [(problem.field, problem.step) for problem in episode.problems] == [("screenshot", 0)]
    assert episode.steps[0].observation.size == Size(1080, 1920)


def only_with_problems(shard: Path) -> Episode:
    source = open_uibert_refexp(shard)
    (row,) = source.scan()
    assert isinstance(row, EpisodeSummary)
    return source.read(row.id, row.place)


def test_an_id_is_never_a_path(write_shard: Any, write_picture: Any) -> None:
    shard = write_shard(item(**{"image/id": [b"../18177"]}))
    write_picture(shard.parent.parent / "18177.jpg", 540, 900)
    assert only(shard).steps[0].observation.screenshot is None


@pytest.mark.parametrize(
    ("changes", "field"),
    [
        ({"image/ref_exp/label": [2]}, "target"),
        ({"image/ref_exp/label": [-1]}, "target"),
        ({"image/ref_exp/label": []}, "target"),
        ({"image/ref_exp/label": [b"1"]}, "image/ref_exp/label"),
        ({"image/ref_exp/text": []}, "goal"),
        ({"image/object/bbox/xmin": [0.5, float("nan")]}, "target"),
        ({"image/object/bbox/ymax": [0.5]}, "target"),
        ({"image/object/bbox/xmax": [0.5, 0.125]}, "target"),
        ({"image/view_hierarchy/bbox/xmin": [0.0, float("inf"), 0.25]}, "view_hierarchy"),
        ({"image/view_hierarchy/text": [3]}, "image/view_hierarchy/text"),
    ],
)
def test_what_is_wrong_inside_is_said(write_shard: Any, changes: dict[str, Any], field: str) -> None:
    episode = only_with_problems(write_shard(item(**changes)))
    assert field in {problem.field for problem in episode.problems}
    assert {problem.file for problem in episode.problems} == {"dev.tfrecord"}
    if field in ("target", "image/ref_exp/label"):
        assert episode.steps[0].action is None
    else:
        assert isinstance(episode.steps[0].action, Tap)


def test_damaged_records_are_named_and_the_rest_opens(write_shard: Any) -> None:
    shard = write_shard(item(), b"no example", item(**{"image/id": [b"7"]}), item())
    data = bytearray(shard.read_bytes())
    shard.write_bytes(data[:-9])
    found = list(open_uibert_refexp(shard).scan())
    assert [row.id if isinstance(row, EpisodeSummary) else "" for row in found] == ["18177", "", "7", ""]
    assert all(problem.file == "dev.tfrecord" for problem in found if isinstance(problem, Problem))


def test_ids_that_come_twice_are_told_apart(write_shard: Any) -> None:
    shard = write_shard(item(), item(**{"image/ref_exp/text": [b"other"]}))
    source = open_uibert_refexp(shard)
    assert [row.id for row in source.scan() if isinstance(row, EpisodeSummary)] == ["18177", "18177~2"]
    assert (source.read("18177").goal, source.read("18177~2").goal) == ("click on the last option", "other")


@pytest.mark.parametrize("place", ["", "0", "a b c", "12 99999 1", "0 12 1"])
def test_a_place_that_is_none_is_refused(write_shard: Any, place: str) -> None:
    with pytest.raises(SourceError):
        load(write_shard(item()), place, "x")


def test_where_it_is_known_and_where_not(write_shard: Any, tmp_path: Path) -> None:
    shard = write_shard(item())
    assert FORMAT.sniff(FolderScan(shard)) and FORMAT.sniff(FolderScan(tmp_path))
    assert not FORMAT.sniff(FolderScan(write_shard({"image/id": [b"1"]}, name="other.tfrecord")))
    (tmp_path / "data" / "text.tfrecord").write_text("image/ref_exp/text")
    assert not FORMAT.sniff(FolderScan(tmp_path / "data" / "text.tfrecord"))


NAMES = sorted(item())
VALUES = st.one_of(
    st.none(),
    st.lists(st.integers(-(2**63), 2**63 - 1), max_size=4),
    st.lists(st.floats(width=32), max_size=4),
    st.lists(st.binary(max_size=6), max_size=4),
)


def survives(shard: Path) -> None:
    with suppress(SourceError):
        for row in outline(shard):
            assert isinstance(row, EpisodeSummary | Problem)
            if isinstance(row, EpisodeSummary):
                assert isinstance(load(shard, row.place, row.id), Episode)


@given(st.dictionaries(st.sampled_from(NAMES), VALUES, min_size=1, max_size=4))
@example({"image/object/bbox/xmin": [0.0, 3e38]})
def test_no_change_of_an_example_leads_astray(
    tmp_path: Path,
    encode: Callable[..., bytes],
    frame: Callable[[bytes], bytes],
    changes: dict[str, Any],
) -> None:
    features = {name: value for name, value in item(**changes).items() if value is not None}
    shard = tmp_path / "uibert.tfrecord"
    shard.write_bytes(frame(encode(features)))
    survives(shard)


@given(st.binary(max_size=80), st.integers(0, 2000), st.booleans())
def test_no_bytes_lead_astray(
    tmp_path: Path,
    encode: Callable[..., bytes],
    frame: Callable[[bytes], bytes],
    data: bytes,
    place: int,
    sound: bool,
) -> None:
    """Bytes put into a sound example, inside a sound frame or over it."""
    whole = encode(item()) if sound else frame(encode(item()))
    broken = whole[:place] + data + whole[place + len(data) :]
    shard = tmp_path / "uibert_bytes.tfrecord"
    shard.write_bytes(frame(broken) if sound else broken)
    survives(shard)


class TestRealDevSet:
    """Worked out by hand from the file."""

    @pytest.fixture
    def shard(self, real_data: Path) -> Path:
        path = real_data / "uibert_refexp" / "ref_exp" / "dev.tfrecord"
        if not path.is_file():
            pytest.skip("no uibert_refexp")
        return path

    def test_all_of_it_opens(self, shard: Path, rows: Any) -> None:
        assert FORMAT.sniff(FolderScan(shard.parents[1]))
        episodes, problems = rows(open_uibert_refexp(shard.parents[1]))
        assert problems == [] and len([row for row in episodes if row.splits == ("dev",)]) == 509
        assert all(row.actions == (("tap", 1),) and not row.problems for row in episodes)

    @pytest.mark.parametrize(
        ("screen", "goal", "box", "text", "identity"),
        [
            ("18177", "click on option below 50", [42, 888, 1038, 1014], "web search", "textViewItemActionTitle"),
            ("24028", "click on the first image", [11, 347, 1070, 1003], "", "newsImage"),
            ("27177", "click the  button", [944, 1544, 1054, 1648], "zoom in", None),
            ("4456", "click on night mode icon", [556, 64, 674, 194], "night mode", "buttonNight"),
        ],
    )
    def test_targets_in_pixels(
        self, shard: Path, screen: str, goal: str, box: list[float], text: str, identity: str | None
    ) -> None:
        episode = open_uibert_refexp(shard).read(screen)
        action: Any = episode.steps[0].action
        assert episode.goal == goal and edges(action.target.box) == pytest.approx(box, abs=1e-3)
        assert (action.target.text, action.target.id) == (text, identity)
        assert (action.point.x, action.point.y) == pytest.approx(
            ((box[0] + box[2]) / 2, (box[1] + box[3]) / 2), abs=1e-3
        )

    def test_every_target_is_whole_pixels_of_ricos_screenshots(self, shard: Path) -> None:
        source = open_uibert_refexp(shard)
        for row in list(source.scan())[:100]:
            assert isinstance(row, EpisodeSummary)
            action: Any = source.read(row.id, row.place).steps[0].action
            assert all(abs(edge - round(edge)) < 0.01 for edge in edges(action.target.box))

    def test_the_screen_of_one(self, shard: Path) -> None:
        tree = open_uibert_refexp(shard).read("18177").steps[0].observation.tree
        assert tree is not None and len(tree) == 25 + 1 + 22
        overview = tree.elements[1]
        assert (overview.text, overview.class_name) == ("overview", "TEXT_VIEW")
        # 226, 84, 551, 252 in the hierarchy's 1440 × 2560
        assert edges(overview.box) == pytest.approx([169.5, 63, 413.25, 189], abs=1e-3)
