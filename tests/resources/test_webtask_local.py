"""The libraries that crowd-work pages call for: which address gets which file, and that all may be passed on."""

from __future__ import annotations

import json
import shutil
import subprocess

import pytest
from hypothesis import given
from hypothesis import strategies as st

from stepscope.resources.webtask.local.library import FOLDER, answer

INDEX = json.loads((FOLDER / "index.json").read_text(encoding="utf-8"))
OURS = {"crowd.js", "platform.js"}
MOST_BYTES = 1_600_000


@pytest.mark.parametrize(
    ("url", "file"),
    [
        ("https://code.jquery.com/jquery-1.11.2.min.js", "jquery-1.12.4-migrate-1.4.1.min.js"),
        ("http://code.jquery.com/jquery.min.js", "jquery-1.12.4-migrate-1.4.1.min.js"),  # frozen at 1.11 there
        ("https://ajax.googleapis.com/ajax/libs/jquery/1/jquery.min.js", "jquery-1.12.4-migrate-1.4.1.min.js"),
        ("https://ajax.googleapis.com/ajax/libs/jquery/2.2.4/jquery.js", "jquery-1.12.4-migrate-1.4.1.min.js"),
        ("https://code.jquery.com/jquery-3.2.1.slim.min.js", "jquery-3.8.0.min.js"),
        ("//cdn.jsdelivr.net/npm/jquery@3.6.0/dist/jquery.min.js", "jquery-3.8.0.min.js"),
        ("https://ajax.googleapis.com/ajax/libs/jqueryui/1.12.1/jquery-ui.min.js", "jquery-ui-1.14.2.min.js"),
        ("https://code.jquery.com/ui/1.12.1/themes/base/jquery-ui.css", "jquery-ui-1.14.2.min.css"),
        ("https://s3.amazonaws.com/mturk-public/bs30/css/bootstrap.min.css", "bootstrap-3.4.1.min.css"),
        ("https://maxcdn.bootstrapcdn.com/bootstrap/3.3.7/js/bootstrap.min.js?v=2", "bootstrap-3.4.1.min.js"),
        ("https://maxcdn.bootstrapcdn.com/bootstrap/4.0.0/css/bootstrap.min.css", "bootstrap-4.6.2.min.css"),
        ("https://maxcdn.bootstrapcdn.com/bootstrap/4.0.0/js/bootstrap.min.js", "bootstrap-4.3.1.bundle.min.js"),
        ("https://cdn.jsdelivr.net/npm/bootstrap@5.0.2/dist/css/bootstrap.min.css", "bootstrap-5.3.9.min.css"),
        ("https://cdn.jsdelivr.net/npm/bootstrap@5.0.2/dist/js/bootstrap.min.js", "bootstrap-5.3.9.bundle.min.js"),
        ("https://cdnjs.cloudflare.com/ajax/libs/popper.js/1.12.9/umd/popper.min.js", "popper-1.16.1.min.js"),
        ("https://unpkg.com/@popperjs/core@2", "popper-2.11.8.min.js"),
        ("https://unpkg.com/tachyons@4.10.0/css/tachyons.min.css", "tachyons-4.12.0.min.css"),
        (
            "https://cdnjs.cloudflare.com/ajax/libs/bootstrap-slider/10.6.1/bootstrap-slider.js",
            "bootstrap-slider-11.0.2.min.js",
        ),
        ("https://assets.crowd.aws/crowd-html-elements.js", "crowd.js"),
        ("https://s3.amazonaws.com/mturk-public/externalHIT_v1.js", "platform.js"),
    ],
)
def test_an_address_gets_the_library_of_its_major_version(url: str, file: str) -> None:
    assert answer(url) == FOLDER / file


@pytest.mark.parametrize(
    "url",
    [
        "https://fonts.googleapis.com/css?family=Open+Sans",
        "https://ajax.aspnetcdn.com/ajax/jquery.validate/1.11.1/jquery.validate.min.js",
        "https://example.org/my-jquery-1.2.js.html",
        "https://example.org/?x=/jquery-3.2.1.min.js",
        "file:///jquery-3.2.1.min.js",
        "data:text/javascript,/jquery.js",
        "https://[broken/jquery.js",
        "https://example.org/" + "a" * 3000 + "/jquery.js",
    ],
)
def test_other_addresses_get_nothing(url: str) -> None:
    assert answer(url) is None


@given(st.text(alphabet="htps:/.@?#[]%jqueryboat-135 ", max_size=80))
def test_any_address_is_answered_or_not(url: str) -> None:
    assert answer(url) is None or answer(url).is_file()  # type: ignore[union-attr]


def test_every_file_is_there_with_its_licence_and_none_is_left_over() -> None:
    listed = {row["file"] for row in INDEX}
    for row in INDEX:
        assert (FOLDER / row["file"]).stat().st_size > 0
        assert row["licences"] or row["file"] in OURS
        for licence in row["licences"]:
            assert "Permission is hereby granted, free of charge" in " ".join(
                (FOLDER / licence).read_text("utf-8").split()
            )
    kept = {path.name for path in FOLDER.iterdir() if path.suffix in (".js", ".css", ".png", ".woff2")}
    assert kept == listed | {"crowd.css"}
    told = {licence for row in INDEX for licence in row["licences"]}
    assert told == {f"licences/{path.name}" for path in (FOLDER / "licences").iterdir()}
    assert sum((FOLDER / name).stat().st_size for name in kept) < MOST_BYTES


@pytest.mark.parametrize("name", sorted(OURS))
def test_our_own_scripts_can_be_read_and_stand_within_a_page(name: str) -> None:
    assert "</script" not in (FOLDER / name).read_text("utf-8").lower()
    if node := shutil.which("node"):
        subprocess.run([node, "--check", FOLDER / name], check=True, timeout=30)
