"""Data that goes while a command reads it: the command says so and does not end as if all had been read."""

from __future__ import annotations

import itertools
import shutil
from pathlib import Path
from typing import Any

import pytest

from stepscope.core.sources import recording

COMMANDS = {
    "inspect": (["inspect", "DATA"], 8),
    "inspect --quick": (["inspect", "DATA", "--quick"], 4),
    "inspect --as procedures": (["inspect", "DATA", "--as", "procedures"], 8),
    "asks": (["asks", "DATA", "-o", "OUT"], 6),
    "export": (["recordings", "export", "DATA", "OUT"], 6),
    "export --format motif": (["recordings", "export", "DATA", "OUT", "--format", "motif"], 6),
    "evaluate": (["evaluate", "automation", "DATA", "--model", "noisy-copy", "--protocol", "aitw"], 5),
}
"""Commands, and how often each of them reads a recording's file of two recordings at the least."""


@pytest.mark.parametrize(
    ("name", "at"), [(name, at) for name, (_, reads) in COMMANDS.items() for at in range(1, reads + 1)]
)
def test_it_is_told_whenever_the_data_goes(
    cli: Any, store: Path, recordings: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str, at: int
) -> None:
    """Data that is not there at all is bad usage (2), of a part of it something failed (1)."""
    reads, read = itertools.count(1), recording.recording_form

    def form(folder: Path) -> Any:
        if next(reads) == at:
            shutil.rmtree(recordings)
        return read(folder)

    monkeypatch.setattr(recording, "recording_form", form)
    words = [{"DATA": recordings, "OUT": tmp_path / "out"}.get(word, word) for word in COMMANDS[name][0]]
    ended = cli(*words)
    assert not recordings.exists(), "else it reads less often than this test thinks"
    assert ended.status in (1, 2), ended
    assert any(said in ended.err for said in ("not there any more", "is not there", "no episodes to export"))
