"""The metrics of a run as a small LaTeX table (package booktabs)."""

from __future__ import annotations

from stepscope.core.domain.score import Metrics
from stepscope.core.evaluation.report_numbers import MINUS, Interval, MetricLine, ReportNumbers, numbers_of
from stepscope.core.scoring.rule import AggregatingScorer
from stepscope.core.store.engine import Database

_SPECIAL = {
    "\\": r"\textbackslash{}", "&": r"\&", "%": r"\%", "$": r"\$", "#": r"\#", "_": r"\_", "{": r"\{", "}": r"\}",
    "~": r"\textasciitilde{}", "^": r"\textasciicircum{}",
}  # fmt: skip

_SIGNS = {"–": "--", "×": r"$\times$", MINUS: "$-$", "↓": r"$\downarrow$", "·": r"$\cdot$", "±": r"$\pm$"}


def latex_table(
    database: Database,
    run_id: str,
    *,
    scoring_id: int | None = None,
    version: str = "",
    scorer: AggregatingScorer | None = None,
) -> str:
    """A table environment with value, 95 % interval and n of each metric, and the same without defective items where
    there are any. Comments above it name run, rule, counts and `version`. Raises UsageError for an unknown run."""
    numbers = numbers_of(database, run_id, scorer, scoring_id=scoring_id)
    clean = numbers.beside.defective > 0
    heading = r"Metric & Value & 95\,\% interval & $n$" + (r" & Value\textsuperscript{a} & $n$" if clean else "")
    body = [rf"    {_row(line, clean)} \\" for line in numbers.lines]
    items = f"{numbers.beside.defective} defective item" + "s" * (numbers.beside.defective != 1)
    note = rf"; \textsuperscript{{a}}\,without {items}" if clean else ""
    rule = escaped(f"{numbers.run.spec.model} under {numbers.scoring.words}")
    return "\n".join(
        [
            *(f"% {_one_line(remark)}" for remark in _remarks(numbers, version)),
            r"\begin{table}",
            r"  \centering",
            rf"  \caption{{{rule}{note}.}}",
            rf"  \begin{{tabular}}{{{'lrcr' + 'rr' * clean}}}",
            r"    \toprule",
            rf"    {heading} \\",
            r"    \midrule",
            *body,
            r"    \bottomrule",
            r"  \end{tabular}",
            r"\end{table}",
            "",
        ]
    )


def escaped(text: str) -> str:
    """The text as LaTeX prints it, on one line."""
    return "".join(_SPECIAL.get(sign, sign) for sign in _one_line(text))


def latex_words(text: str) -> str:
    """The text with typographic signs as LaTeX writes them, else `escaped`."""
    return "".join(_SIGNS.get(sign, sign) for sign in escaped(text))


def _row(line: MetricLine, clean: bool) -> str:
    title = escaped(line.title) + (r" $\downarrow$" if line.lower_is_better else "")
    cells = [title, _number(line.value), _interval(line.interval), _count(line.n)]
    return " & ".join(cells + ([_number(line.clean), _count(line.clean_n)] if clean else []))


def _remarks(numbers: ReportNumbers, version: str) -> list[str]:
    spec, metrics = numbers.run.spec, numbers.metrics
    rule = f"{numbers.scoring.words}, version {numbers.version}"
    made = f"stepscope {version or spec.code_version}"
    return [f"run {numbers.run.id}, {rule}, all items", f"{_counts(metrics)}, {made}"]


def _counts(metrics: Metrics) -> str:
    return (
        f"{metrics.n} scored, {metrics.unscored} unscored, {metrics.malformed - metrics.null} malformed, "
        f"{metrics.null} without an answer, {metrics.errors} errors"
    )


def _number(value: float | None) -> str:
    return "--" if value is None else f"${value:.3f}$"


def _interval(bounds: Interval | None) -> str:
    return "--" if bounds is None else f"$[{bounds[0]:.3f}, {bounds[1]:.3f}]$"


def _count(value: int) -> str:
    return f"{value:,}".replace(",", r"\,")


def _one_line(text: str) -> str:
    return " ".join("".join(sign if sign.isprintable() else " " for sign in text).split())
