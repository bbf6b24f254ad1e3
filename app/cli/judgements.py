"""`stepscope judgements`: what people and models say of pairs of texts about one trajectory, kept in the store."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from stepscope.app.cli.arguments import DataPath, JsonFlag, StoreOption
from stepscope.app.cli.command_row import CommandRow
from stepscope.app.cli.evaluate import read_index
from stepscope.app.cli.judged_errors import error_form, error_item_forms, name_of_judge, show_error_items, show_errors
from stepscope.app.cli.judged_requirements import requirement_forms, show_requirements, told_judgements
from stepscope.app.cli.judged_runs import judge_run, origins_of, rate_form, source_of
from stepscope.app.cli.output import check_output, json_lines, number_of, print_json, say, table, tell, write_file
from stepscope.app.cli.runs_rules import RunId
from stepscope.app.cli.statuses import DONE, SOME_FAILED
from stepscope.app.cli.stores import find_run, opened
from stepscope.core.domain.largest_number import LARGEST_NUMBER
from stepscope.core.domain.prediction import Task
from stepscope.core.errors import UsageError
from stepscope.core.lazy import lazy_module
from stepscope.core.progress import CancelToken
from stepscope.core.scoring.intent_match import RELATIONS

if TYPE_CHECKING:
    from stepscope.app.services import goal_error_proposals, judged_requirements, judging
    from stepscope.app.services.goal_judging import JudgingCount
    from stepscope.app.services.judging import JudgingResult, Origins
    from stepscope.app.services.library import IndexProgress
    from stepscope.core.evaluation.judging import JudgedRates
    from stepscope.core.scoring.judged_pairs import JudgeAgreement
    from stepscope.core.store.engine import Database
else:
    goal_error_proposals = lazy_module("stepscope.app.services.goal_error_proposals")
    judged_requirements = lazy_module("stepscope.app.services.judged_requirements")
    judging = lazy_module("stepscope.app.services.judging")

COMMANDS = {
    "show": CommandRow("How often people and models say that a run's texts are fulfilled and match.", lambda: show),
    "ask": CommandRow(
        "Let a judge, rules or a model, go through a run's texts; stopped, the command goes on.", lambda: ask
    ),
    "export": CommandRow("Write judgements, written texts and assignments as JSON Lines.", lambda: export),
    "import": CommandRow(
        "Take over judgements, a model's too, written texts and assignments from JSON Lines.", lambda: take
    ),
    "share": CommandRow(
        "Share the pairs of a run out among people; what was shared out before is dropped.", lambda: share
    ),
}

Against = Annotated[
    str,
    typer.Option("--against", metavar="TEXT", help="The other text: reference, person:NAME, or another run."),
]
_PROBLEMS_SHOWN = 20
_NO_ERRORS = "Leave --errors out."
_KAPPA_COLUMNS = ("judges", "pairs", "fulfilled", "satisfies", "verdict")


def show(
    id: RunId,
    against: Against = "reference",
    by: Annotated[
        str | None, typer.Option("--by", metavar="app|kind", help="Apart by app, or by what the goal is after.")
    ] = None,
    requirements: Annotated[
        bool,
        typer.Option("--requirements", help="Also what judges required, and the steps that support or contradict it."),
    ] = False,
    errors: Annotated[
        bool, typer.Option("--errors", help="Also each pair that does not match, with what the rule says is wrong.")
    ] = False,
    store: StoreOption = None,
    json: JsonFlag = False,
) -> int:
    """Gives 0."""
    if by is not None and by not in judging.GROUPINGS:
        raise UsageError(f"judgements are not told apart by {by!r}.", hint=f"Give {' or '.join(judging.GROUPINGS)}.")
    with opened(store) as database:
        origins, found, indexed = _judged(database, id, against)
        if errors and found.listed.task is not Task.GOAL:
            raise UsageError("what is wrong is told of goals, and this run's answers are questions.", hint=_NO_ERRORS)
        told, hidden = told_judgements(database, found, origins) if requirements or errors else ([], 0)
        linked = judged_requirements.requirements_of_pairs(indexed.source, told) if requirements else []
        missed = goal_error_proposals.missed_goals(indexed.source, told) if errors else []
    groups = {} if by is None else judging.rates_by(found.judgements, found.listed, by)
    if json:
        apart: dict[str, Any] = {}
        if by:
            apart = {f"by_{by}": {name: _rates_form(rates) for name, rates in groups.items()}}
            apart |= {"kinds_from": "rule"} if by == "kind" else {}
        listed: dict[str, Any] = {"requirements": requirement_forms(linked)} if requirements else {}
        listed |= {"error_items": error_item_forms(missed)} if errors else {}
        in_hand = {"in_hand": hidden} if listed else {}
        print_json(_form(origins, found) | apart | listed | in_hand)
        return DONE
    without = f", {found.listed.without} items have only one of the texts" if found.listed.without else ""
    say(f"{origins[0].code} and {origins[1].code}: {number_of(len(found.listed.pairs), 'pairs')}{without}")
    if found.outdated:
        say(f"{number_of(found.outdated, 'judgements')} about words that have changed since: not counted")
    if not found.rates:
        say("Nobody judged them yet: the workspace Judge asks for it, and stepscope judgements ask asks a model.")
        return DONE
    _show(found)
    if by == "kind":
        say("", "Kinds by our rule, from the act that the first text names: the data has no field for it.")
    for name, rates in groups.items():
        if rates:
            say("", f"{name or 'no app'}:")
            _show_rates(rates)
    if requirements:
        show_requirements(linked, hidden)
    if errors:
        show_error_items(missed)
    if hidden:
        say("", f"{number_of(hidden, 'pairs')} left out: a person has them in hand.")
    return DONE


def _show(found: JudgingResult) -> None:
    say("")
    _show_rates(found.rates)
    if found.early:
        say("", "How early the goal is right, where every guess was judged (a match is right):")
        columns = ("judge", "trajectories", "earliness", "convergence")
        rows = [
            [name_of_judge(one.judge), one.n, f"{one.earliness:.3f}", f"{one.convergence:.3f}"] for one in found.early
        ]
        table(columns, rows, numbers=columns[1:])
    if found.agreement:
        say("", "Cohen's kappa:")
        table(_KAPPA_COLUMNS, [_agreement_row(one) for one in found.agreement], numbers=_KAPPA_COLUMNS[1:])
    for one in found.agreement:
        if one.verdicts:
            first, second = map(name_of_judge, one.judges)
            say("", f"Verdicts of {first} (down) and {second} (across):")
            rows = [[mine, *(one.verdicts.get((mine, theirs), 0) for theirs in RELATIONS)] for mine in RELATIONS]
            table(["", *RELATIONS], rows, numbers=RELATIONS)
    show_errors(found)


def _show_rates(rates: Sequence[JudgedRates]) -> None:
    columns = ("judge", "pairs", "rejected", "open", "first fulfilled", "second fulfilled", "match", "partial", "non")
    table(columns, [_rates_row(one) for one in rates], numbers=columns[1:])


def ask(
    id: RunId,
    judge: Annotated[
        str, typer.Option("--judge", metavar="NAME", help="rules, served:SERVER/MODEL or local:CHECKPOINT.")
    ],
    against: Against = "reference",
    limit: Annotated[
        int | None, typer.Option("--limit", metavar="N", min=1, max=LARGEST_NUMBER, help="Only the first N pairs.")
    ] = None,
    again: Annotated[bool, typer.Option("--again", help="Judge anew what it has judged already.")] = False,
    device: Annotated[str, typer.Option(metavar="auto|cpu|cuda[:i]", help="Where a checkpoint runs.")] = "auto",
    store: StoreOption = None,
    json: JsonFlag = False,
) -> int:
    """Gives 0, 1 where a pair could not be judged or an answer had no verdict."""
    from stepscope.app.cli.interrupts import cancelled_by_signals
    from stepscope.models.goal.judges.named import judge_named

    named = judge_named(judge, device=device)
    with opened(store) as database, cancelled_by_signals() as token:
        asked = judge_run(database, id, named, token, read_index, against=against, again=again, limit=limit)
    if json:
        print_json(_form(asked.origins, asked.found) | {"asked": asked.form(named)})
    else:
        _show_count(asked.count)
        _show(asked.found)
    return asked.status


def export(
    path: DataPath,
    output: Annotated[Path, typer.Option("--output", "-o", metavar="FILE", help="The file to write.")],
    run: Annotated[str | None, typer.Option("--run", metavar="RUN", help="Only of this run.")] = None,
    against: Against = "reference",
    store: StoreOption = None,
    json: JsonFlag = False,
) -> int:
    check_output(output)
    with opened(store) as database:
        origins = None if run is None else origins_of(database, run, against)
        found = judging.exported(database, str(path.resolve()), origins)
    if not found and not path.exists():
        raise UsageError("There is nothing at this place.", place=path, hint="Check the spelling, or choose another.")
    write_file(output, json_lines(found))
    if json:
        print_json({"file": str(output), "written": len(found)})
    else:
        say(str(output))
        tell(f"stepscope: {number_of(len(found), 'lines')}")
    return DONE


def take(
    path: DataPath,
    file: Annotated[Path, typer.Argument(metavar="FILE", help="A JSON Lines file.")],
    store: StoreOption = None,
    json: JsonFlag = False,
) -> int:
    """Gives 0, or 1 where lines are kept out."""
    with opened(store) as database:
        found = judging.import_judging(database, str(path.resolve()), file)
    for problem in found.problems[:_PROBLEMS_SHOWN]:
        tell(f"stepscope: warning: {file}:{problem.line}: {problem.message}")
    if len(found.problems) > _PROBLEMS_SHOWN:
        tell(f"stepscope: warning: … and {len(found.problems) - _PROBLEMS_SHOWN} more lines were kept out.")
    taken, replaced = len(found.change.after), len(found.change.before)
    if json:
        bad = [{"line": problem.line, "message": problem.message} for problem in found.problems]
        counts = {"imported": taken, "replaced": replaced, "malformed": found.malformed}
        print_json({"source": str(path.resolve()), **counts, "bad_lines": bad})
    else:
        kept_out = f", {number_of(len(found.problems), 'lines')} kept out" if found.problems else ""
        said = f"{number_of(found.malformed, 'answers')} of models without a verdict" if found.malformed else ""
        say(
            f"{number_of(taken, 'lines')} taken over, {replaced} of them in place of others{kept_out}.",
            *filter(None, [said]),
        )
    return SOME_FAILED if found.problems else DONE


def share(
    id: RunId,
    people: Annotated[str, typer.Option("--people", metavar="A,B,…", help="Who judges, with commas between them.")],
    overlap: Annotated[
        int,
        typer.Option(
            "--overlap", metavar="N", min=0, max=LARGEST_NUMBER, help="Pairs that everybody judges, for agreement."
        ),
    ] = 0,
    seed: Annotated[int, typer.Option("--seed", metavar="N", min=0, max=LARGEST_NUMBER)] = 0,
    against: Against = "reference",
    store: StoreOption = None,
    json: JsonFlag = False,
) -> int:
    with opened(store) as database:
        origins, found, _indexed = _judged(database, id, against)
        given = judging.share_out([one.pair for one in found.listed.pairs], people.split(","), overlap, seed)
        judging.assign(database, source_of(database, id), origins, given)
    names = list(dict.fromkeys(one.annotator for one in given))
    counts = {name: sum(one.annotator == name for one in given) for name in names}
    if json:
        print_json(
            {"pairs": len(found.listed.pairs), "overlap": min(overlap, len(found.listed.pairs)), "given": counts}
        )
    else:
        table(("annotator", "pairs"), list(counts.items()), numbers=("pairs",))
    return DONE


# Inside --------------------------------------------------------------------------------------------------------------


def _judged(database: Database, id: str, against: str) -> tuple[Origins, JudgingResult, IndexProgress]:
    origins = origins_of(database, id, against)
    source = source_of(database, id)
    indexed = read_index(database, Path(source), find_run(database, id).spec.format, CancelToken())
    assert indexed is not None  # nobody cancels
    return origins, judging.judged(database, indexed.source_id, indexed.source, source, origins), indexed


def _form(origins: Origins, found: JudgingResult) -> dict[str, Any]:
    return {
        "first": origins[0].code,
        "second": origins[1].code,
        "pairs": len(found.listed.pairs),
        "without": found.listed.without,
        "outdated": found.outdated,
        "judged": _rates_form(found.rates),
        "agreement": [
            {
                "judges": [{"name": judge.name, "by_model": judge.by_model} for judge in one.judges],
                "pairs": one.pairs,
                "kappa": {
                    name: {"kappa": value.kappa, "observed": value.observed, "n": value.n}
                    for name, value in one.kappas.items()
                },
                "verdicts": {
                    mine: {theirs: one.verdicts.get((mine, theirs), 0) for theirs in RELATIONS} for mine in RELATIONS
                },
            }
            for one in found.agreement
        ],
        "errors": error_form(found),
        "early": [
            {
                "judge": None if one.judge is None else one.judge.name,
                "by_model": bool(one.judge and one.judge.by_model),
                "n": one.n,
                "earliness": one.earliness,
                "convergence": one.convergence,
            }
            for one in found.early
        ],
    }


def _show_count(count: JudgingCount) -> None:
    known = f", {count.known} known from before" if count.known else ""
    failed = f", {len(count.failed)} failed" if count.failed else ""
    malformed = f", {number_of(count.malformed, 'answers')} without a verdict" if count.malformed else ""
    say(f"{number_of(count.judged, 'pairs')} judged{known}{failed}{malformed}.")
    if count.swapped:
        share = count.same / count.swapped
        say(f"With the texts named the other way round {share:.0%} of {count.swapped} verdicts stayed the same.")


def _rates_form(rates: Sequence[JudgedRates]) -> list[dict[str, Any]]:
    return [
        {
            "judge": None if one.judge is None else one.judge.name,
            "by_model": bool(one.judge and one.judge.by_model),
            "pairs": one.pairs,
            "rejected": one.rejected,
            "unscored": one.unscored,
            "rates": {name: rate_form(rate) for name, rate in one.rates.items()},
        }
        for one in rates
    ]


def _rates_row(one: JudgedRates) -> Sequence[object]:
    from stepscope.core.evaluation.judging import RATES

    rates = [one.rates[name] for name in RATES]
    told = [
        "" if rate.value is None else f"{rate.value:.3f} ({rate.low:.3f} – {rate.high:.3f}, n {rate.n})"
        for rate in rates
    ]
    return [name_of_judge(one.judge), one.pairs, one.rejected, one.unscored, *told]


def _agreement_row(one: JudgeAgreement) -> Sequence[object]:
    kappas = [one.kappas[name] for name in ("fulfilled", "satisfies", "verdict")]
    told = ["" if value.kappa is None else f"{value.kappa:.3f} (n {value.n})" for value in kappas]
    return [" and ".join(map(name_of_judge, one.judges)), one.pairs, *told]
