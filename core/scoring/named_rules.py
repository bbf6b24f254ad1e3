"""Rules with a short name: protocols with their options fixed, as the window, filters (`flips:radius14`) and links name
them. Light to import: the window's start asks it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import field

from stepscope.core.frozen import dataclass


@dataclass(frozen=True, slots=True)
class MatchingRule:
    """A protocol with fixed options; those that are not named have their defaults."""

    id: str
    title: str
    protocol: str
    options: Mapping[str, str] = field(default_factory=dict)


RULES: tuple[MatchingRule, ...] = (
    MatchingRule("aitw", "AitW, radius 0.14 or box × 2.4", "aitw"),
    MatchingRule("aitw-exact", "AitW, text and direction exact", "aitw", {"text": "exact", "direction": "exact"}),
    MatchingRule("motif-object", "MoTIF, element within 1", "motif", {"grounding": "object"}),
    MatchingRule("motif-point", "MoTIF, point in the box", "motif", {"grounding": "point"}),
    MatchingRule("motif-box", "MoTIF, boxes overlap by half", "motif", {"grounding": "box"}),
    MatchingRule("aitz", "AitZ, box × 1.2 or radius 0.14", "aitz"),
    MatchingRule("smallest_box", "AndroidControl, smallest box", "android_control", {"rule": "smallest_box"}),
    MatchingRule("enlarged_box", "AndroidControl, candidate × 1.2", "android_control", {"rule": "enlarged_box"}),
    MatchingRule("nearest5", "AndroidControl, five nearest boxes", "android_control", {"rule": "nearest5"}),
    MatchingRule("radius14", "AndroidControl, radius 0.14", "android_control", {"rule": "radius14"}),
    MatchingRule("os_atlas", "AndroidControl, OS-Atlas's scorer", "android_control", {"rule": "os_atlas"}),
    MatchingRule("qwen_vl", "AndroidControl, Qwen2.5-VL's scorer", "android_control", {"rule": "qwen_vl"}),
    MatchingRule("infigui_r1", "AndroidControl, InfiGUI-R1's scorer", "android_control", {"rule": "infigui_r1"}),
    MatchingRule("ui_s1", "AndroidControl, UI-S1's scorer", "android_control", {"rule": "ui_s1"}),
    MatchingRule("agentcpm", "AndroidControl, AgentCPM-GUI's scorer", "android_control", {"rule": "agentcpm"}),
    MatchingRule("gui_r1", "AndroidControl, GUI-R1's scorer", "android_control", {"rule": "gui_r1"}),
    MatchingRule("os_genesis", "AndroidControl, OS-Genesis's scorer", "android_control", {"rule": "os_genesis"}),
    MatchingRule("gui_odyssey", "GUI-Odyssey, box or radius 0.14", "gui_odyssey"),
    MatchingRule("mind2web", "Mind2Web, element and operation", "mind2web"),
)
"""Those that judge single steps."""
PAGE_RULES: tuple[MatchingRule, ...] = (
    MatchingRule("fields-official", "TurkingBench, as released", "fields", {"rules": "official"}),
    MatchingRule("fields-paper", "TurkingBench, as described", "fields", {"rules": "paper"}),
    MatchingRule("grounding", "Point in the box, edges included", "grounding", {"edges": "inclusive"}),
    MatchingRule("grounding-strict", "Point in the box, edges excluded", "grounding", {"edges": "strict"}),
)
"""Those that judge web pages and expressions: stored runs are put under them, the steps of other tasks never."""
NAMED_RULES = (*RULES, *PAGE_RULES)


def rule_by_id(rule_id: str) -> MatchingRule:
    """The rule of steps of that id, the first one when there is none (a session may name one of another version)."""
    return next((rule for rule in RULES if rule.id == rule_id), RULES[0])
