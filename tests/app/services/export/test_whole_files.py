"""Files that are written lie where the person said, and nothing beside them is touched on the way."""

import os
from pathlib import Path

import pytest

from stepscope.app.services.export.whole_files import whole_file
from stepscope.core.errors import UserError


def write(path, data=b"new"):
    with whole_file(path) as stream:
        stream.write(data)


def test_a_file_takes_the_place_of_the_old_one_and_nothing_else_is_left(tmp_path):
    path = tmp_path / "out.csv"
    path.write_bytes(b"old")
    write(path)
    assert path.read_bytes() == b"new" and [one.name for one in tmp_path.iterdir()] == ["out.csv"]


def test_what_raises_leaves_what_was_there(tmp_path):
    path = tmp_path / "out.csv"
    path.write_bytes(b"old")
    with pytest.raises(KeyError), whole_file(path) as stream:
        stream.write(b"half")
        raise KeyError
    assert path.read_bytes() == b"old" and [one.name for one in tmp_path.iterdir()] == ["out.csv"]


def test_files_beside_it_stay_whatever_they_are_called(tmp_path):
    """A link called like a draft would lead what is written elsewhere; a file so called is somebody's."""
    (tmp_path / "secret").write_bytes(b"mine")
    (tmp_path / "out.csv.part").symlink_to(tmp_path / "secret")
    (tmp_path / "a.csv.part").write_bytes(b"mine")
    write(tmp_path / "out.csv")
    write(tmp_path / "a.csv")
    assert (tmp_path / "secret").read_bytes() == (tmp_path / "a.csv.part").read_bytes() == b"mine"
    assert (tmp_path / "out.csv.part").is_symlink()


def test_a_link_stays_one_and_its_file_is_written(tmp_path):
    (tmp_path / "real.csv").write_bytes(b"old")
    (tmp_path / "link.csv").symlink_to(tmp_path / "real.csv")
    write(tmp_path / "link.csv")
    assert (tmp_path / "link.csv").is_symlink() and (tmp_path / "real.csv").read_bytes() == b"new"


@pytest.mark.parametrize("kind", ["folder", "pipe", "device", "no folder"])
def test_what_is_no_file_is_not_replaced(tmp_path, kind):
    path = {"device": tmp_path / "link", "no folder": tmp_path / "none" / "out"}.get(kind, tmp_path / "out")
    if kind == "folder":
        path.mkdir()
    if kind == "pipe":
        os.mkfifo(path)
    if kind == "device":
        path.symlink_to(os.devnull)
    with pytest.raises(UserError, match="cannot be written"):
        write(path)
    assert not Path(os.devnull).is_file() and len(list(tmp_path.iterdir())) == (kind != "no folder")


def test_a_new_file_has_the_permissions_of_any_new_file(tmp_path):
    (tmp_path / "plain").touch()
    write(tmp_path / "out")
    assert (tmp_path / "out").stat().st_mode == (tmp_path / "plain").stat().st_mode
