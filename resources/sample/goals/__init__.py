"""The sample episodes' scripts, one module per app."""

from __future__ import annotations

from stepscope.resources.sample.script import Script


def all_scripts() -> tuple[Script, ...]:
    """Every script, in the order in which the sample shows them."""
    from stepscope.resources.sample.goals import clock, crossing, infeasible, messages, player, settings, shop, unsure

    modules = (clock, settings, shop, messages, player, crossing, unsure, infeasible)
    return tuple(script for module in modules for script in module.SCRIPTS)
