"""Small files of the program's own: whatever lies in their place is told in words, at once."""

import os

import pytest

from stepscope.app.gui.shell.preferences import Preferences, load_preferences
from stepscope.app.services.presets import load_presets
from stepscope.core import limits
from stepscope.core.errors import UserError
from stepscope.core.own_files import read_json, read_toml
from stepscope.models.chat import servers
from stepscope.models.encoders.sentences import _config


@pytest.fixture(params=["deep", "pipe", "device", "long", "bytes", "folder"])
def bad(request, tmp_path):
    """A file that is no JSON that anybody would keep. A pipe that nobody writes to would make a reader wait."""
    path = tmp_path / "kept.json"
    match request.param:
        case "deep":
            path.write_text("[" * 100_000)
        case "pipe":
            os.mkfifo(path)
        case "device":
            path.symlink_to("/dev/zero")
        case "long":
            limits.choose({"own-file-bytes": 1000})
            path.write_text('{"a": "' + "b" * 1000 + '"}')
        case "bytes":
            path.write_bytes(b"\xff\xfe{}")
        case "folder":
            path.mkdir()
    yield path
    limits.choose({})


def test_whatever_lies_there_is_told(bad):
    for read in (read_json, read_toml):
        with pytest.raises((ValueError, OSError)):
            read(bad)
    for load in (load_presets, servers.load, _config):
        with pytest.raises(UserError, match="cannot be read") as caught:
            load(bad)
        assert caught.value.place == str(bad)
    assert load_preferences(bad) == Preferences()
