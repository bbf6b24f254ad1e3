"""Pages that call for libraries from elsewhere get them from here, and they work together."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from stepscope.core.domain.webtask import WebTask
from stepscope.core.webtask.actions import Click
from stepscope.core.webtask.browser import OpenPage
from stepscope.core.webtask.rendering import render

LINK = '<link rel="stylesheet" href="{}" integrity="sha384-0000" crossorigin="anonymous">'
SCRIPT = '<script src="{}" integrity="sha384-0000" crossorigin="anonymous"></script>'
TELL = (
    "<script>addEventListener('load', () => { document.title = [{}].join(' '); });</script>"
    "<b class='glyphicon glyphicon-ok d-none hidden-when-there'></b>"
)
JQUERY = "https://code.jquery.com/jquery-"
CDN = "https://maxcdn.bootstrapcdn.com/bootstrap/"


@pytest.mark.parametrize(
    ("styles", "scripts", "asked", "told"),
    [
        (
            [f"{CDN}3.3.6/css/bootstrap.min.css", "https://code.jquery.com/ui/1.12.1/themes/base/jquery-ui.css"],
            [
                f"{JQUERY}1.8.3.min.js",
                f"{CDN}3.3.6/js/bootstrap.min.js",
                "https://code.jquery.com/ui/1.12.1/jquery-ui.js",
            ],
            "$.fn.jquery, $.fn.modal.Constructor.VERSION, $.ui.version, typeof $.fn.live",
            "1.12.4 3.4.1 1.14.2 function",
        ),
        (
            [f"{CDN}4.0.0/css/bootstrap.min.css"],
            [
                f"{JQUERY}3.2.1.slim.min.js",
                "https://cdnjs.cloudflare.com/ajax/libs/popper.js/1.12.9/umd/popper.min.js",
                f"{CDN}4.0.0/js/bootstrap.min.js",
                "https://cdnjs.cloudflare.com/ajax/libs/bootstrap-slider/10.6.1/bootstrap-slider.js",
            ],
            "$.fn.jquery, $.fn.modal.Constructor.VERSION, typeof Popper, typeof Slider,"
            " getComputedStyle(document.querySelector('b')).display",
            "3.8.0 4.3.1 function function none",
        ),
        (
            ["https://cdn.jsdelivr.net/npm/bootstrap@5.0.2/dist/css/bootstrap.min.css"],
            ["https://cdn.jsdelivr.net/npm/bootstrap@5.0.2/dist/js/bootstrap.bundle.min.js"],
            "bootstrap.Modal.VERSION, getComputedStyle(document.querySelector('b')).display",
            "5.3.9 none",
        ),
    ],
)
def test_libraries_work_without_a_network(
    opened: Callable[..., OpenPage], styles: list[str], scripts: list[str], asked: str, told: str
) -> None:
    head = "".join([*map(LINK.format, styles), *map(SCRIPT.format, scripts)])
    template = head + TELL.replace("{}", asked)
    page = opened(render(WebTask("t", "t", "", template, (), ()), {}).html)
    assert page.look([]).title == told and page.blocked == ()


def test_a_button_of_bootstrap_is_chosen_by_its_label(opened: Callable[..., OpenPage]) -> None:
    """Real pages name nothing in `for`, and rely on the library's script to choose the button inside the label."""
    head = SCRIPT.format(f"{JQUERY}3.2.1.slim.min.js") + SCRIPT.format(f"{CDN}4.0.0/js/bootstrap.min.js")
    buttons = "".join(
        f'<label class="btn" for="none" style="padding: 20px"><input type="radio" name="r" value="{value}"></label>'
        for value in ("no", "yes")
    )
    template = f'{head}<div class="btn-group-toggle" data-toggle="buttons">{buttons}</div>'
    page = opened(render(WebTask("t", "t", "", template, (), ()), {}).html)
    for value in (1, 0):
        box = page.look().fields[0].options[value].box
        assert box is not None
        page.do(Click(box.left - 15, box.top - 10))
        assert page.look().values == {"r": ("no", "yes")[value]}
