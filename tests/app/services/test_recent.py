"""What is known of data that was opened before."""

from __future__ import annotations

import shutil
from pathlib import Path

from hypothesis import given
from hypothesis import strategies as st

from stepscope.app.services.library import whole_index
from stepscope.app.services.provenance import SAMPLE
from stepscope.app.services.recent import recent_data, told_apart
from stepscope.core.progress import CancelToken
from stepscope.core.settings import store_url
from stepscope.core.store.engine import Database

NAMES = st.text("ab", min_size=1, max_size=2)


def test_the_store_tells_of_what_it_has_read(tmp_path: Path) -> None:
    here, gone = tmp_path / "here", tmp_path / "gone"
    for folder in (here, gone):
        shutil.copytree(SAMPLE / "clock-tokyo", folder / "clock-tokyo")
    with Database.open(store_url(tmp_path / "recent.db")) as database:
        for folder in (here, gone):
            whole_index(database, folder, CancelToken())
        shutil.rmtree(gone)
        found = recent_data(database, [str(here), str(gone), str(tmp_path / "never read")])
    assert [one.there for one in found] == [True, False, False]
    assert [one.steps for one in found] == [5, 5, None], "clock-tokyo has five steps"
    assert [one.format_title for one in found] == ["Stepscope recordings", "Stepscope recordings", ""]


def test_folders_above_tell_equal_names_apart() -> None:
    paths = ["/research/android/test", "/archive/android/test", "/archive/other"]
    assert told_apart(paths) == {
        "/research/android/test": "research / android",
        "/archive/android/test": "archive / android",
        "/archive/other": "archive",
    }


@given(st.lists(st.lists(NAMES, min_size=2, max_size=4).map(lambda parts: "/" + "/".join(parts)), unique=True))
def test_no_two_of_one_name_are_told_alike(paths: list[str]) -> None:
    said = [(Path(path).name, words) for path, words in told_apart(paths).items()]
    assert len(set(said)) == len(paths)
