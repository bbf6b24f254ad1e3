"""The matching rules that the rule box offers: protocols with their options fixed."""

from __future__ import annotations

from app.gui.selection import MatchingRule

RULES: tuple[MatchingRule, ...] = (
    MatchingRule("aitw", "AitW, radius 0.14 or box × 2.4", "aitw"),
    MatchingRule("aitw-exact", "AitW, text and direction exact", "aitw", {"text": "exact", "direction": "exact"}),
    MatchingRule("motif-object", "MoTIF, element within 1", "motif", {"grounding": "object"}),
    MatchingRule("motif-point", "MoTIF, point in the box", "motif", {"grounding": "point"}),
    MatchingRule("motif-box", "MoTIF, boxes overlap by half", "motif", {"grounding": "box"}),
)


def rule_by_id(rule_id: str) -> MatchingRule:
    """The rule of that id, the first one when there is none (a session may name a rule of another version)."""
    return next((rule for rule in RULES if rule.id == rule_id), RULES[0])
