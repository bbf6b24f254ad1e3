"""The LaTeX table: escaped, with the numbers of the report."""

from dataclasses import replace

import pytest

from stepscope.core.evaluation.latex import escaped, latex_table
from stepscope.core.evaluation.runs import EvaluationRun


@pytest.mark.parametrize(
    ("text", "printed"),
    [
        ("a_b & 100 % #1 $x$", r"a\_b \& 100 \% \#1 \$x\$"),
        (r"\input{/etc/passwd}", r"\textbackslash{}input\{/etc/passwd\}"),
        ("~^", r"\textasciitilde{}\textasciicircum{}"),
        ("two\nlines\x00", "two lines"),
    ],
)
def test_nothing_of_a_strangers_text_is_a_command(text, printed):
    assert escaped(text) == printed


def test_the_table_has_the_metrics_and_names_the_run(database, fakes):
    spec = replace(fakes.SPEC, scorer_version="7", code_version="1.2")
    predictor = fakes.FakePredictor(name="evil_\n\\end{table}")
    source = fakes.FakeSource.of(a=3, b=1)
    run = EvaluationRun.start(database, spec, source, ["a", "b"], predictor, fakes.FakeScorer())
    list(run.updates())
    lines = latex_table(database, run.run_id, scorer=fakes.FakeScorer()).splitlines()
    assert lines[0] == f"% run {run.run_id}, side (limit=0.5), version 7, all items"
    assert lines[1] == "% 4 scored, 2 unscored, 0 malformed, 0 without an answer, 0 errors, stepscope 1.2"
    assert r"  \caption{evil\_ \textbackslash{}end\{table\} under side (limit=0.5).}" in lines
    assert [line for line in lines if "Accuracy" in line] == [r"    Accuracy & $0.750$ & $[0.667, 1.000]$ & 4 \\"]
    assert [line.strip() for line in lines if line.strip() in (r"\toprule", r"\midrule", r"\bottomrule")] == [
        r"\toprule", r"\midrule", r"\bottomrule"
    ]  # fmt: skip
    assert lines[2] == r"\begin{table}" and lines[-1] == r"\end{table}"
