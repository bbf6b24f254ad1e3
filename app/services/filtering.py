"""What a filter asks about besides the data, for both faces: the shown runs, rules, prices, causes of errors, and by
which scores runs are right or wrong.

Only what the filter names is looked up, and nothing is imported for the rest.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from stepscope.core.domain.filter import Query, terms
from stepscope.core.lazy import lazy_module
from stepscope.core.store.filter_search import FilterInputs

if TYPE_CHECKING:
    from sqlalchemy.orm import Session

    from stepscope.app.services import error_causes, prices
    from stepscope.core.evaluation import rules
    from stepscope.core.scoring.named_rules import MatchingRule
    from stepscope.core.store import codec
else:
    error_causes = lazy_module("stepscope.app.services.error_causes")
    prices = lazy_module("stepscope.app.services.prices")
    rules = lazy_module("stepscope.core.evaluation.rules")
    codec = lazy_module("stepscope.core.store.codec")


def filter_inputs(db: Session, query: Query, runs: Mapping[str, str], rule: MatchingRule | None = None) -> FilterInputs:
    """What `filter_search.find` needs for this filter. `runs` are ids by letter. Under a `rule`, runs of actions are
    right or wrong by it, and those without scores under it are neither; without one each is judged by its own. Raises
    UserError for prices that cannot be read."""
    asked = {term.field for term in terms(query)}
    return FilterInputs(
        runs=runs,
        rules=_rules() if "flips" in asked else {},
        prices=prices.load_prices() if "cost" in asked else {},
        causes=error_causes.causes_of(db, runs.values(), rule) if "cause" in asked else {},
        under=_scores_read(db, runs, rule) if rule is not None and runs else None,
    )


def _rules() -> dict[str, tuple[str, str]]:
    """Protocol and options, as stored, by the rule's short name."""
    named = rules.named_scorings()
    return {rule: (one.protocol, codec.options_to_text(one.options)) for rule, one in named.items()}


def _scores_read(db: Session, runs: Mapping[str, str], rule: MatchingRule) -> dict[str, int | None]:
    return rules.scores_under(db, runs.values(), rules.scoring_of(rule.protocol, rule.options))
