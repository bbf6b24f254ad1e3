"""RICO, MoTIF, LlamaTouch, AITZ and recordings with damaged files: an episode or a SourceError, nothing else.

Each example takes a valid trace, damages one of its files and reads it whole and in outline. Whatever comes out can be
written as strict JSON: no NaN, no lone surrogate gets through.
"""

from __future__ import annotations

import copy
import json
import pickle
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from stepscope.core.domain.episode import EpisodeSummary, Problem
from stepscope.core.domain.wire import episode_to_json
from stepscope.core.errors import SourceError, UsageError
from stepscope.core.sources.aitz import open_aitz
from stepscope.core.sources.llamatouch import open_llamatouch
from stepscope.core.sources.motif import open_motif
from stepscope.core.sources.recording import open_recording
from stepscope.core.sources.rico import open_rico
from stepscope.core.sources.source import Source

WEIRD = [
    None, True, False, 0, -1, 1, 2**63, 10**400, 0.5, -0.0, 1e308, float("nan"), float("inf"), "", "0", "nan", "x",
    "../../etc/passwd", "/etc/passwd", "C:\\x", "a\0b", "\ud800", "é" * 300, [], {}, [[]], [None], [0, 0], [0, 0, 0, 0],
    [9, 9, 1, 1], [float("nan")] * 4, {"x": 1},
]  # fmt: skip
"""What a field may hold instead of what belongs there."""

TRACE = "c47ad16a-44b2-4303-982a-17859efe40c6"


def places(form: Any, path: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    """The way to every value inside `form`."""
    keys = form.keys() if isinstance(form, dict) else range(len(form)) if isinstance(form, list) else ()
    for key in keys:
        yield (*path, key)
        yield from places(form[key], (*path, key))


@st.composite
def damaged(draw: st.DrawFn, form: Any) -> Any:
    """`form` with up to three values deleted, replaced or swallowed by a list."""
    form = copy.deepcopy(form)
    for _ in range(draw(st.integers(1, 3))):
        found = list(places(form))
        if not found:
            break
        *way, last = draw(st.sampled_from(found))
        owner = form
        for key in way:
            owner = owner[key]
        change = draw(st.sampled_from(["delete", "replace", "replace", "wrap"]))
        if change == "delete":
            del owner[last]
        else:
            owner[last] = copy.deepcopy(draw(st.sampled_from(WEIRD))) if change == "replace" else [owner[last]]
    return form


@st.composite
def torn(draw: st.DrawFn, data: bytes) -> bytes:
    """`data` cut short, with a piece missing, or with foreign bytes in it."""
    start = draw(st.integers(0, len(data)))
    end = draw(st.integers(start, min(len(data), start + 40)))
    return data[:start] + draw(st.binary(max_size=8)) + draw(st.sampled_from([b"", data[end:]]))


def check(source: Source, episode_id: str) -> None:
    """Both ways of reading give what can be written down, or say what is wrong."""
    for row in source.scan():
        assert isinstance(row, EpisodeSummary | Problem)
        if isinstance(row, EpisodeSummary):
            json.dumps([row.id, row.goal, row.app, row.splits, row.actions], ensure_ascii=False).encode()
            read(source, row.id, row.place)
    read(source, episode_id, "")


def read(source: Source, episode_id: str, place: str) -> None:
    try:
        episode = source.read(episode_id, place)
    except (SourceError, UsageError):
        return
    text = json.dumps(episode_to_json(episode), ensure_ascii=False, allow_nan=False)
    assert "/etc/passwd" not in "".join(str(step.observation.screenshot) for step in episode.steps)
    text.encode()


def picture(path: Path, width: int = 9, height: int = 16) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    assert cv2.imwrite(str(path), np.zeros((height, width, 3), np.uint8))


def write(path: Path, form: Any) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps(form), encoding="utf-8")


def node(bounds: Any, *children: Any, **more: Any) -> dict[str, Any]:
    return {
        "bounds": bounds, "class": "android.widget.EditText", "ancestors": ["android.view.View"], "text": "pizza",
        "content-desc": [None], "resource-id": "a:id/b", "clickable": True, "visibility": "visible",
        "visible-to-user": True, "children": list(children), **more,
    }  # fmt: skip


TREE = {
    "activity_name": "com.a/com.a.Main",
    "activity": {"root": node([0, 0, 1440, 2560], node([10, 20, 30, 40]), None, node([0, 0, 700, 90], text="tacos"))},
}
GESTURES = {"1": [[0.1, 0.2]], "2": [[0.5, 0.9], [0.5, 0.2]], "3": []}
INFO = {
    "trace_type": "action", "task_command": "open it", "seconds_spent": 3,
    "feasibility": {"binary": "No", "reason": "unclear", "follow_up": ["which one?"]},
}  # fmt: skip


@pytest.fixture(scope="module")
def rico(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("rico") / "com.a" / "trace_0"
    for view in GESTURES:
        picture(folder / "screenshots" / f"{view}.jpg")
        write(folder / "view_hierarchies" / f"{view}.json", TREE)
    write(folder / "gestures.json", GESTURES)
    return folder


@pytest.fixture(scope="module")
def motif(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("motif") / "raw_data" / "com.a" / TRACE
    for view in GESTURES:
        picture(folder / "screens" / f"{view}.jpg")
        write(folder / "view_hierarchies" / f"{view}.jpg", TREE)
    write(folder / "metadata.json", {"gestures": {f"{view}.jpg": value for view, value in GESTURES.items()}})
    write(folder / "trace_info.json", INFO)
    return folder


@pytest.fixture
def restored(request: pytest.FixtureRequest) -> Iterator[Callable[[Path, bytes], None]]:
    """Writes a file; afterwards every file is as it was before."""
    before: dict[Path, bytes | None] = {}

    def put(path: Path, data: bytes) -> None:
        before.setdefault(path, path.read_bytes() if path.exists() else None)
        path.write_bytes(data)

    yield put
    for path, data in before.items():
        path.unlink() if data is None else path.write_bytes(data)


def encoded(form: Any) -> bytes:
    return json.dumps(form).encode()


def either(form: Any) -> st.SearchStrategy[bytes]:
    """Damage to the values or to the bytes of a JSON file."""
    return st.one_of(damaged(form).map(encoded), torn(encoded(form)), st.binary(max_size=30))


@given(gestures=either(GESTURES), tree=either(TREE))
def test_rico(rico: Path, restored: Any, gestures: bytes, tree: bytes) -> None:
    restored(rico / "gestures.json", gestures)
    restored(rico / "view_hierarchies" / "2.json", tree)
    check(open_rico(rico), "com.a/trace_0")


@given(
    gestures=either({"gestures": {"1.jpg": [[0.1, 0.2]], "2.jpg": [[0.5, 0.9], [0.5, 0.2]], "3.jpg": []}}),
    tree=either(TREE),
    info=either(INFO),
)
def test_motif(motif: Path, restored: Any, gestures: bytes, tree: bytes, info: bytes) -> None:
    restored(motif / "metadata.json", gestures)
    restored(motif / "view_hierarchies" / "2.jpg", tree)
    restored(motif / "trace_info.json", info)
    check(open_motif(motif), TRACE)


@given(task=torn(b"clear search history"), label=torn(b"No\nimpossible\nDo you mean the cache?\n"))
@example(task=b"", label=b",")
@example(task=b"", label=b'"" x')
def test_motifs_older_words(motif: Path, restored: Any, task: bytes, label: bytes) -> None:
    info = (motif / "trace_info.json").read_bytes()
    (motif / "trace_info.json").unlink()
    try:
        restored(motif / "task.txt", task)
        restored(motif / "feasibility.txt", label)
        check(open_motif(motif), TRACE)
    finally:
        (motif / "trace_info.json").write_bytes(info)


@given(
    names=torn(f"{TRACE} open it\n\n0846f1f1-7a56-4ad5-9a8d-5fe913430771 go on\n".encode()),
    split=either({"train": [TRACE], "test": ["0846f1f1-7a56-4ad5-9a8d-5fe913430771"]}),
    lines=torn(f"{TRACE}\n".encode()),
    frames=either({TRACE: ["1080", "2160"]}),
    notes=st.one_of(
        damaged([["app", TRACE, "open it", "Yes", ["1.jpg"]]]).map(pickle.dumps),
        torn(pickle.dumps([["app", TRACE, "open it", "No", ["1.jpg"]]], protocol=2)),
    ),
)
def test_motifs_tables(
    motif: Path, restored: Any, names: bytes, split: bytes, lines: bytes, frames: bytes, notes: bytes
) -> None:
    root = motif.parents[2]
    restored(root / "tasknames.csv", names)
    restored(root / "eccv_motif_app_unseen_task_seen.json", split)
    restored(root / "train_traces.txt", lines)
    restored(root / "widget_exception_dims.json", frames)
    restored(root / "feasibility_annotations.p", notes)
    check(open_motif(root), TRACE)


ID = "13118642174915973036"
VIEWS = [
    {"temp_id": 0, "parent": -1, "children": [1, 2], "bounds": [[0, 0], [9, 16]], "visible": True},
    {"temp_id": 1, "parent": 0, "children": [], "bounds": [[1, 2], [7, 5]], "text": "a", "clickable": True},
    {"temp_id": 2, "parent": 0, "children": [], "bounds": [[1, 6], [7, 9]], "class": "android.widget.EditText"},
]
DUMP = b"""<?xml version='1.0' encoding='UTF-8'?><hierarchy rotation="0"><node bounds="[0,0][9,16]" text="&amp;"><node
 text="Location" resource-id="a:id/title" clickable="true" bounds="[0,4][9,7]"/></node></hierarchy>"""
EVENTS = b"[Home]\n[Click] Screen Resolution (9, 16), Click Position (4, 5)\n[Input] x\n"


@pytest.fixture(scope="module")
def llamatouch(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("llamatouch") / "general" / "trace_7"
    for index in range(3):
        picture(folder / f"{index}.png")
        (folder / f"{index}.xml").write_bytes(DUMP)
        write(folder / f"{index}.vh", VIEWS)
        (folder / f"{index}.activity").write_text("com.maps/.Main\n")
    (folder / "instruction.txt").write_text(f"{ID}\ndelete location history")
    (folder / "eventStructs.txt").write_bytes(EVENTS)
    return folder


@given(
    events=torn(EVENTS),
    words=torn(f"{ID}\ndelete location history".encode()),
    dump=torn(DUMP),
    views=either(VIEWS),
    activity=torn(b"com.maps/.Main\n"),
)
def test_llamatouch(
    llamatouch: Path, restored: Any, events: bytes, words: bytes, dump: bytes, views: bytes, activity: bytes
) -> None:
    restored(llamatouch / "eventStructs.txt", events)
    restored(llamatouch / "instruction.txt", words)
    restored(llamatouch / "1.xml", dump)
    restored(llamatouch / "2.xml", b"")
    restored(llamatouch / "2.vh", views)
    restored(llamatouch / "1.activity", activity)
    check(open_llamatouch(llamatouch), ID)


@given(
    table=torn(
        f"episode\tcategory\tpath\tdescription\tnsteps\tapp\n{ID}\tgeneral\tgeneral/trace_7\tx\t3\tMaps".encode()
    )
)
def test_llamatouchs_table(llamatouch: Path, restored: Any, table: bytes) -> None:
    restored(llamatouch.parent / "llamatouch_task_metadata.tsv", table)
    check(open_llamatouch(llamatouch), ID)


RECORDING = {
    "format": "stepscope-recording", "version": 1, "id": "r", "platform": "android", "goal": "g", "app": "com.a",
    "feasibility": {"label": "infeasible", "reason": "unclear", "follow_up": ["?"]},
    "asks": [{"step": 0, "question": "q", "answer": "a", "kind": "k"}], "splits": ["train"], "original_goal": "o",
    "problems": [{"message": "m", "step": 0, "field": "f", "file": "x"}], "meta": {},
    "steps": [
        {
            "index": 0, "size": [9, 16], "screenshot": "screens/0000.png", "tree": "trees/0000.json", "time": 0.5,
            "activity": "a/b", "instruction": "tap it",
            "action": {"kind": "tap", "point": [1, 2], "target": {"box": [0, 0, 4, 5], "text": "t", "id": "i"}},
        },
        {"index": 1, "size": [9, 16], "action": {"kind": "swipe", "point": [1, 2], "to": [3, 4]}},
    ],
}  # fmt: skip
OWN_TREE = {
    "origin": "dump", "size": [9, 16], "activity": "a/b",
    "elements": [{"box": [0, 0, 9, 16]}, {"box": [1, 2, 3, 4], "parent": 0, "text": "x", "focused": True, "depth": 3}],
}  # fmt: skip


@pytest.fixture(scope="module")
def recording(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("recording") / "one"
    picture(folder / "screens" / "0000.png")
    write(folder / "trees" / "0000.json", OWN_TREE)
    write(folder / "episode.json", RECORDING)
    return folder


@given(form=either(RECORDING), tree=either(OWN_TREE))
def test_recording(recording: Path, restored: Any, form: bytes, tree: bytes) -> None:
    restored(recording / "episode.json", form)
    restored(recording / "trees" / "0000.json", tree)
    check(open_recording(recording), "r")


STEP = {
    "episode_id": "523638528775825151", "episode_length": 1, "step_id": 0, "instruction": "open it",
    "ui_positions": "[[1, 2, 3, 4]]", "ui_text": '["a"]', "ui_types": '["TEXT"]', "result_action_type": 4,
    "result_action_text": "", "result_touch_yx": "[0.5, 0.25]", "result_lift_yx": "[0.5, 0.25]",
    "image_path": "x/0.png", "coat_action_desc": "tap",
}  # fmt: skip


@pytest.fixture(scope="module")
def aitz(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("aitz") / "test" / "general" / "GENERAL-523638528775825151"
    picture(folder / "0.png")
    write(folder / "one.json", [STEP])
    return folder


@given(form=either([STEP, STEP | {"step_id": 1, "result_action_type": 10}]))
@example(form=encoded([STEP | {"image_path": "é" * 300}]))
def test_aitz(aitz: Path, restored: Any, form: bytes) -> None:
    restored(aitz / "one.json", form)
    check(open_aitz(aitz), "523638528775825151")
