"""`stepscope webtask`: pages of crowd work that models and people fill in."""

from __future__ import annotations

import typer

from app.cli import webtask_answers

group = typer.Typer(help="Web tasks: pages that models and people fill in.", rich_markup_mode=None)
group.add_typer(webtask_answers.group, name="answers")


def register(application: typer.Typer) -> None:
    """Adds the group `webtask`."""
    application.add_typer(group, name="webtask")
