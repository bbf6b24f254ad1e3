"""PixelHelp and RicoSCA: flat lists fall into screens, verbs become actions, spans of subtokens become words."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from stepscope.core.domain.action import LongPress, PressKey, Tap, Type
from stepscope.core.domain.elements import TreeOrigin
from stepscope.core.domain.episode import Episode, EpisodeSummary, Platform, Problem
from stepscope.core.domain.geometry import Size
from stepscope.core.errors import SourceError
from stepscope.core.sources.look import FolderScan
from stepscope.core.sources.seq2act import PIXELHELP, RICOSCA, open_pixelhelp, open_ricosca
from stepscope.core.sources.seq2act_words import VOCABULARY, vocabulary_near, words_of

INSTRUCTION = b"open Settings, type my wi-fi name, go back."
"""13 runs: open, Settings, ", ", type, my, wi, "-", fi, name, ", ", go, back, "."."""


def pixelhelp(**changes: Any) -> dict[str, Any]:
    """Three steps of three objects each, of which the last is filling; 540 × 960."""
    filling = [0.0, 0.0]
    made: dict[str, Any] = {
        "task_id": [b"http://a-task/17"],
        "instruction_str": [INSTRUCTION],
        "instruction_word_id_seq": [33, 35, 3, 260, 4, 9, 16, 8, 77, 3, 12, 13, 5, 0, 0],
        "instruction_rule_id": [5],
        "ui_obj_str_seq": [b"settings", b"mail", b"", b"name of the network", b"ok", b"", b"", b"wi fi", b""],
        "ui_obj_type_id_seq": [12, 1, -1, 4, 10, -1, 0, 6, -1],
        "ui_obj_clickable_seq": [1, 0, 0, 1, 1, 0, 0, 1, 0],
        "ui_obj_cord_x_seq": [
            0.1,
            0.5,
            0.6,
            0.9,
            *filling,
            0.0,
            1.0,
            0.25,
            0.75,
            *filling,
            0.0,
            1.0,
            0.5,
            1.0,
            *filling,
        ],
        "ui_obj_cord_y_seq": [
            0.2,
            0.25,
            0.2,
            0.3,
            *filling,
            0.5,
            0.55,
            0.6,
            0.7,
            *filling,
            0.0,
            1.0,
            0.1,
            0.2,
            *filling,
        ],
        "ui_obj_v_distance": [0.5] * 27,
        "verb_id_seq": [2, 3, 10],
        "ui_target_id_seq": [0, 0, 1],
        "input_str_position_seq": [0, 0, 4, 9, 0, 0],
        "obj_desc_position_seq": [1, 2, 4, 9, 10, 12],
    }
    made.update(changes)
    return made


def ricosca(**changes: Any) -> dict[str, Any]:
    """A screen of two objects and three instructions about it; 1440 × 2560."""
    made: dict[str, Any] = {
        "instruction_str": [b"tap the sign up button", b"enter blue into e mail", b"swipe to sign up"],
        "instruction_word_id_seq": [
            *(14, 2, 97, 62, 84, 0),
            *(138, 900, 290, 150, 300, 0),
            *(397, 4, 97, 62, 0, 0),
        ],
        "instruction_rule_id": [0, 0, 3],
        "ui_obj_str_seq": [b"sign up", b"e mail"],
        "ui_obj_type_id_seq": [1, 4],
        "ui_obj_clickable_seq": [1, 1],
        "ui_obj_cord_x_seq": [0.125, 0.5, 0.0, 1.0],
        "ui_obj_cord_y_seq": [0.75, 0.8125, 0.25, 0.375],
        "ui_obj_dom_location_seq": [3, 4, 1, 3, 5, 2],
        "verb_id_seq": [2, 3, 4],
        "ui_target_id_seq": [0, 1, 0],
        "verb_str_position_seq": [0, 1, 0, 1, 0, 1],
        "input_str_position_seq": [0, 0, 1, 2, 0, 0],
        "obj_desc_position_seq": [1, 5, 3, 5, 2, 4],
    }
    made.update(changes)
    return made


def edges(box: Any) -> list[float]:
    return [box.left, box.top, box.right, box.bottom]


def opened(source: Any) -> list[Episode]:
    """All episodes, each read by its place and by its id alone; rows say the same."""
    found = []
    for row in source.scan():
        assert isinstance(row, EpisodeSummary)
        episode = source.read(row.id, row.place)
        assert episode == source.read(row.id)
        assert (row.goal, row.steps, len(row.problems)) == (episode.goal, len(episode.steps), len(episode.problems))
        found.append(episode)
    return found


@pytest.fixture
def vocabulary(tmp_path: Path) -> Path:
    """100 whole words, then parts that do not end a run."""
    path = tmp_path / VOCABULARY
    lines = ["'<pad>_'", "'<EOS>_'", *(f"'word{number}_'" for number in range(2, 100)), *["'part'"] * 20]
    path.write_text("\n".join(lines) + "\n")
    return path


def test_a_pixelhelp_task_in_full(write_shard: Any) -> None:
    (episode,) = opened(open_pixelhelp(write_shard(pixelhelp(), name="pixel_help_0.tfrecord")))
    assert (episode.id, episode.format, episode.platform) == ("http://a-task/17", "pixelhelp", Platform.ANDROID)
    assert episode.goal == INSTRUCTION.decode() and episode.problems == ()
    first, second, third = episode.steps
    assert {step.observation.size for step in episode.steps} == {Size(540, 960)}
    assert isinstance(first.action, Tap) and first.action.point is not None and first.action.target is not None
    assert (first.action.point.x, first.action.point.y) == pytest.approx((162, 216), abs=1e-3)
    assert edges(first.action.target.box) == pytest.approx([54, 192, 270, 240], abs=1e-3)
    assert first.action.target.text == "settings"
    assert isinstance(second.action, Type) and second.action.text == "my wi-fi name"
    assert second.action.target is not None and second.action.target.text == "name of the network"
    assert edges(second.action.target.box) == pytest.approx([0, 480, 540, 528], abs=1e-3)
    assert third.action == PressKey("back")
    assert [step.instruction for step in episode.steps] == ["Settings", "my wi-fi name", "go back"]


def test_filling_is_no_object_and_types_are_widgets(write_shard: Any) -> None:
    (episode,) = opened(open_pixelhelp(write_shard(pixelhelp())))
    first, second, third = (step.observation.tree for step in episode.steps)
    assert first is not None and second is not None and third is not None
    assert first.origin is TreeOrigin.VIEW_HIERARCHY
    assert [[element.class_name for element in tree] for tree in (first, second, third)] == [
        ["android.widget.TextView", "android.widget.Button"],
        ["android.widget.EditText", "android.widget.Switch"],
        ["", "android.widget.ImageView"],
    ]
    assert [element.clickable for element in first] == [True, False]
    assert second.elements[0].editable and second.elements[1].checkable
    assert edges(third.elements[1].box) == pytest.approx([270, 96, 540, 192], abs=1e-3)


@pytest.mark.parametrize(
    ("verb", "kind"), [(2, Tap), (5, Tap), (6, Tap), (7, LongPress), (9, PressKey), (10, PressKey)]
)
def test_verbs_become_actions(write_shard: Any, verb: int, kind: type) -> None:
    (episode,) = opened(open_pixelhelp(write_shard(pixelhelp(verb_id_seq=[verb, 3, 10]))))
    assert type(episode.steps[0].action) is kind and episode.problems == ()


@pytest.mark.parametrize("verb", [4, 8, 0, 1, 77, -1])
def test_what_is_no_action_is_said(write_shard: Any, verb: int) -> None:
    (episode,) = opened(open_pixelhelp(write_shard(pixelhelp(verb_id_seq=[verb, 3, 10]))))
    assert episode.steps[0].action is None
    assert [(problem.step, problem.field, problem.episode) for problem in episode.problems] == [
        (0, "action", episode.id)
    ]


def test_a_target_that_is_filling_or_missing_is_said(write_shard: Any) -> None:
    (episode,) = opened(open_pixelhelp(write_shard(pixelhelp(ui_target_id_seq=[2, 9, 0]))))
    assert [type(step.action) for step in episode.steps] == [type(None), type(None), PressKey]
    assert [problem.step for problem in episode.problems] == [0, 1]


def test_whole_numbers_are_pixels(write_shard: Any) -> None:
    changes = {
        "ui_obj_cord_x_seq": [54, 270, 0, 9, 0, 0, 0, 540, 0, 9, 0, 0, 0, 540, 0, 9, 0, 0],
        "ui_obj_cord_y_seq": [192, 240, 0, 9, 0, 0, 480, 528, 0, 9, 0, 0, 0, 960, 0, 9, 0, 0],
    }
    (episode,) = opened(open_pixelhelp(write_shard(pixelhelp(**changes))))
    action: Any = episode.steps[0].action
    assert edges(action.target.box) == pytest.approx([54, 192, 270, 240])


def test_objects_that_fall_into_no_screens_are_said(write_shard: Any) -> None:
    (episode,) = opened(open_pixelhelp(write_shard(pixelhelp(ui_obj_type_id_seq=[12] * 8))))
    assert [step.action for step in episode.steps] == [None, None, PressKey("back")]
    assert episode.problems[0].message == "8 objects do not fall into 3 screens"


def test_ricosca_is_an_episode_for_each_instruction(write_shard: Any) -> None:
    shard = write_shard(ricosca(), ricosca(), name="one_shot_rico_subtoken_3.tfrecord")
    episodes = opened(open_ricosca(shard))
    assert [episode.id.split(":")[1] for episode in episodes] == ["1.1", "1.2", "1.3", "2.1", "2.2", "2.3"]
    tap, enter, swipe = episodes[:3]
    assert tap.id == "one_shot_rico_subtoken_3:1.1" and tap.goal == "tap the sign up button"
    action: Any = tap.steps[0].action
    assert tap.steps[0].observation.size == Size(1440, 2560) and tap.steps[0].instruction == tap.goal
    assert edges(action.target.box) == [180, 1920, 720, 2080] and action.target.text == "sign up"
    assert (action.point.x, action.point.y) == (450, 2000)
    typed: Any = enter.steps[0].action
    assert (typed.text, typed.target.text, edges(typed.target.box)) == ("blue", "e mail", [0, 640, 1440, 960])
    assert swipe.steps[0].action is None and [len(episode.problems) for episode in episodes] == [0] * 6


def test_the_vocabulary_tells_where_words_end(write_shard: Any, vocabulary: Path) -> None:
    """Numbers from 100 on do not end a run: "bluetooth" in two, "into" in one, "e-mail" in four parts."""
    features = ricosca(
        instruction_str=[b"enter bluetooth into e-mail"],
        instruction_word_id_seq=[5, 101, 6, 7, 8, 9, 102, 10],
        verb_id_seq=[3],
        ui_target_id_seq=[1],
        input_str_position_seq=[1, 3],
        obj_desc_position_seq=[4, 8],
    )
    (known,) = opened(open_ricosca(write_shard(features)))
    assert isinstance(known.steps[0].action, Type) and known.steps[0].action.text == "bluetooth"
    vocabulary.unlink()
    (unknown,) = opened(open_ricosca(write_shard(features)))
    assert unknown.steps[0].action is None and VOCABULARY in unknown.problems[0].message


@pytest.mark.parametrize(
    ("text", "ids", "span", "covered"),
    [
        ("tap the ok button", [2, 3, 4, 5], (2, 3), "ok"),
        ('click "settings" app.', [2, 3, 4, 5, 6, 7, 0, 0], (2, 3), "settings"),
        ('click "settings" app.', [2, 3, 4, 5, 6, 7, 1], (2, 5), 'settings" app'),
        ("tap  twice", [2, 3, 4], (2, 3), "twice"),
        ("tap ok ", [2, 3, 4], (1, 2), "ok"),
        ("tap über", [2, 3], (1, 2), "über"),
        ("tap ok", [2, 3, 4], (1, 2), None),
        ("tap ok", [2, 3], (1, 9), None),
        ("tap ok", [2, 3], (3, 3), ""),
        ("", [], (0, 1), None),
    ],
)
def test_spans_count_runs_where_each_is_one_subtoken(
    text: str, ids: list[int], span: tuple[int, int], covered: str | None
) -> None:
    assert words_of(text, ids, None).covered(span) == covered


def test_a_vocabulary_that_does_not_fit_is_not_believed(vocabulary: Path) -> None:
    ends = vocabulary_near(vocabulary.parent)
    assert ends is not None and (ends[5], ends[100]) == (1, 0)
    assert words_of("tap ok", [5, 100], ends).covered((0, 1)) is None
    assert words_of("tap ok", [5, 5, 5], ends).covered((0, 1)) is None
    assert words_of("tap ok", [5, 999], ends).covered((0, 1)) is None
    assert words_of("tap ok", [5, 100, 6], ends).covered((1, 2)) == "ok"


def test_examples_without_or_with_endless_actions_are_refused(write_shard: Any) -> None:
    features = [pixelhelp(verb_id_seq=[]), pixelhelp(verb_id_seq=[2] * 5000), pixelhelp()]
    found = list(open_pixelhelp(write_shard(*reversed(features))).scan())
    assert [type(row) for row in found] == [EpisodeSummary, Problem, Problem]
    assert {problem.field for problem in found[1:] if isinstance(problem, Problem)} == {"verb_id_seq"}


def test_the_two_are_told_apart_by_their_features(write_shard: Any, tmp_path: Path) -> None:
    task = write_shard(pixelhelp(), name="pixel_help_0.tfrecord")
    screen = write_shard(ricosca(), name="rico.tfrecord")
    for path, known in ((task, (True, False)), (screen, (False, True)), (tmp_path, (True, True))):
        assert (PIXELHELP.sniff(FolderScan(path)), RICOSCA.sniff(FolderScan(path))) == known
    assert [row.id for row in open_pixelhelp(tmp_path).scan() if isinstance(row, EpisodeSummary)] == [
        "http://a-task/17"
    ]
    howto = write_shard({"instruction_str": [b"x"], "verb_id_seq": [2]}, name="android_howto.tfrecord")
    assert not PIXELHELP.sniff(FolderScan(howto)) and not RICOSCA.sniff(FolderScan(howto))


VALUES = st.one_of(
    st.none(),
    st.lists(st.integers(-(2**63), 2**63 - 1), max_size=9),
    st.lists(st.integers(-2, 12), max_size=9),
    st.lists(st.floats(width=32), max_size=9),
    st.lists(st.binary(max_size=6), max_size=9),
)


def survives(shard: Path) -> None:
    for opener in (open_pixelhelp, open_ricosca):
        source = opener(shard)
        with suppress(SourceError):
            for row in source.scan():
                assert isinstance(row, EpisodeSummary | Problem)
                if isinstance(row, EpisodeSummary):
                    assert isinstance(source.read(row.id, row.place), Episode)


@given(st.sampled_from([pixelhelp, ricosca]), st.data())
def test_no_change_of_an_example_leads_astray(
    tmp_path: Path,
    encode: Callable[..., bytes],
    frame: Callable[[bytes], bytes],
    make: Callable[..., dict[str, Any]],
    data: st.DataObject,
) -> None:
    changes = data.draw(st.dictionaries(st.sampled_from(sorted(make())), VALUES, min_size=1, max_size=4))
    features = {name: value for name, value in make(**changes).items() if value is not None}
    shard = tmp_path / "seq2act.tfrecord"
    shard.write_bytes(frame(encode(features)))
    survives(shard)


@given(st.binary(max_size=60), st.integers(0, 1500), st.sampled_from([pixelhelp, ricosca]))
def test_no_bytes_lead_astray(
    tmp_path: Path,
    encode: Callable[..., bytes],
    frame: Callable[[bytes], bytes],
    data: bytes,
    place: int,
    make: Callable[..., dict[str, Any]],
) -> None:
    whole = encode(make())
    shard = tmp_path / "seq2act_bytes.tfrecord"
    shard.write_bytes(frame(whole[:place] + data + whole[place + len(data) :]))
    survives(shard)
