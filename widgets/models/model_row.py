"""A model as the list of models shows it."""

from __future__ import annotations

from stepscope.core.frozen import dataclass


@dataclass(frozen=True, slots=True)
class ModelRow:
    """`weights` is "none", "present" or "absent"; `origin` says where it is from, `details` is Markdown with all that
    is known of it. `can_export`: it is a trained one; `removal` says what goes and what stays when it is removed, ""
    where it cannot be; `why_not` says why it cannot be evaluated with, "" when it can. `below_rules` says in a line on
    which real set it is below a rule, "" where it is not. `page` is the name under which it has its page, "" its own:
    what is asked about several tasks has one."""

    name: str
    task: str
    runtime: str
    weights: str
    trained_on: str
    origin: str
    details: str
    can_export: bool = False
    removal: str = ""
    why_not: str = ""
    below_rules: str = ""
    page: str = ""
