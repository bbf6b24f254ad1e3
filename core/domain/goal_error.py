"""How a predicted goal misses, in the words that a person sorts misses by.

The kinds are those that Berkovitch et al. 2024 tell of in section 6 and appendix D; that they are five, and their
borders, are ours.
"""

from __future__ import annotations

from enum import StrEnum


class GoalErrorClass(StrEnum):
    """What is wrong with a goal that does not match. The values are those of files and of the store."""

    TOO_SPECIFIC = "too specific"
    """it asks for more than was wanted: an article's name, all details of a product"""
    TOO_GENERAL = "too general"
    """a broad description without details that matter"""
    WRONG_DETAIL = "wrong detail"
    """right in the main, with another date, number, place or state"""
    INVENTED = "invented"
    """it has what no screen and no action shows"""
    NAVIGATIONAL = "navigational"
    """it tells the way ("Navigate to …"), not what was wanted"""


GOAL_ERRORS = tuple(GoalErrorClass)
