"""`stepscope campaign`: goals that several people demonstrate in apps, kept in the store."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from stepscope.app.cli.arguments import JsonFlag, StoreOption
from stepscope.app.cli.command_row import CommandRow
from stepscope.app.cli.interrupts import cancelled_by_signals
from stepscope.app.cli.output import number_of, print_json, say, table, tell
from stepscope.app.cli.progress import bar
from stepscope.app.cli.statuses import DONE, INTERRUPTED, SOME_FAILED
from stepscope.app.cli.stores import opened
from stepscope.core.domain.campaign import MAX_DEMONSTRATIONS
from stepscope.core.domain.largest_number import LARGEST_NUMBER
from stepscope.core.errors import UsageError
from stepscope.core.lazy import lazy_module

if TYPE_CHECKING:
    from stepscope.app.services import annotations as annotation_service
    from stepscope.app.services.campaigns import assigning, campaign_export, campaigns, pairing_work, verdicts
    from stepscope.app.services.campaigns.pairing import AppGroup, Clustering
    from stepscope.app.services.campaigns.pairing_work import PairingRequest, PairingResult
    from stepscope.core.domain import campaign as campaign_values
    from stepscope.core.domain.campaign import CampaignContents, WholeCampaign
    from stepscope.core.progress import CancelToken
    from stepscope.core.store.repositories import campaigns as campaign_rows
else:
    annotation_service = lazy_module("stepscope.app.services.annotations")
    assigning = lazy_module("stepscope.app.services.campaigns.assigning")
    campaign_export = lazy_module("stepscope.app.services.campaigns.campaign_export")
    campaigns = lazy_module("stepscope.app.services.campaigns.campaigns")
    pairing_work = lazy_module("stepscope.app.services.campaigns.pairing_work")
    verdicts = lazy_module("stepscope.app.services.campaigns.verdicts")
    campaign_values = lazy_module("stepscope.core.domain.campaign")
    campaign_rows = lazy_module("stepscope.core.store.repositories.campaigns")

COMMANDS = {
    "list": CommandRow("All campaigns, one line each.", lambda: list_campaigns),
    "new": CommandRow("Make a campaign.", lambda: new),
    "show": CommandRow("Everything in a campaign: pairs, how far they are, and their majority.", lambda: show),
    "import": CommandRow("Take over apps or goals from CSV (app, title, category / app, goal, author).", lambda: take),
    "pair": CommandRow("Cluster the goals of each category and pair them with its apps, as MoTIF did.", lambda: pair),
    "next": CommandRow("What somebody is to demonstrate next; it is theirs from now on.", lambda: next_task),
    "done": CommandRow("Somebody has demonstrated their task: link the recording.", lambda: done),
    "assign": CommandRow("Give every pair its demonstrations, spread over the annotators.", lambda: assign),
    "agreement": CommandRow("How far annotators agree: histogram, majorities, ties, kappa.", lambda: agreement),
    "export": CommandRow("Write recordings and tables into a new folder.", lambda: export),
}

Name = Annotated[str, typer.Argument(metavar="NAME", help="The campaign's name.")]
Annotator = Annotated[str | None, typer.Option("--annotator", metavar="WHO", help="[default: the name in Preferences]")]
_PROBLEMS_SHOWN = 20


def list_campaigns(store: StoreOption = None, json: JsonFlag = False) -> int:
    with opened(store) as database, database.reading() as db:
        counts = campaign_rows.counts(db)
        found = [(campaign_rows.get(db, name), counts[name]) for name in campaign_rows.names(db)]
    columns = ("name", "task", "k", "apps", "goals", "pairs", "demonstrations")
    forms = [dict(zip(columns, (one.name, one.task.value, one.k, *numbers), strict=True)) for one, numbers in found]
    if json:
        print_json({"campaigns": forms})
    elif forms:
        table(columns, [list(form.values()) for form in forms], numbers=columns[2:])
    else:
        say("There are no campaigns yet: 'stepscope campaign new NAME' makes one.")
    return DONE


def new(
    name: Name,
    instructions: Annotated[
        str, typer.Option("--instructions", metavar="TEXT", help="What those who demonstrate are told.")
    ] = "",
    k: Annotated[
        int, typer.Option("--k", metavar="N", min=1, max=MAX_DEMONSTRATIONS, help="Demonstrations of each pair.")
    ] = 5,
    store: StoreOption = None,
    json: JsonFlag = False,
) -> int:
    campaign = campaigns.checked(campaign_values.Campaign(name, instructions, k))
    with opened(store) as database, database.unit_of_work() as db:
        campaign_rows.add(db, campaign)
    if json:
        print_json({"name": campaign.name, "instructions": campaign.instructions, "k": campaign.k})
    else:
        tell(f"stepscope: made the campaign “{campaign.name}”")
    return DONE


def show(name: Name, store: StoreOption = None, json: JsonFlag = False) -> int:
    whole = _read(store, name)
    if json:
        print_json(campaign_export.campaign_form(whole))
        return DONE
    contents = whole.contents
    parts = (("apps", contents.apps), ("goals", contents.goals), ("annotators", contents.annotators))
    say(", ".join(number_of(len(found), what) for what, found in parts) + f", {whole.campaign.k} for each pair")
    if whole.campaign.instructions:
        say(whole.campaign.instructions)
    if contents.pairs:
        _show_pairs(whole)
    else:
        say("There are no pairs yet: 'stepscope campaign pair' makes them.")
    return DONE


def take(
    name: Name,
    file: Annotated[Path, typer.Argument(metavar="FILE", help="A CSV file.")],
    author: Annotated[str, typer.Option("--author", metavar="WHO", help="Who wrote goals without an author.")] = "",
    store: StoreOption = None,
    json: JsonFlag = False,
) -> int:
    """Gives 0, or 1 where lines are kept out."""
    from stepscope.app.services.campaigns.campaign_files import read_file

    with opened(store) as database:
        found = read_file(file, campaigns.read(database, name).contents, author)
        campaigns.make(database, name, campaigns.CampaignChange(after=found.contents))
    for problem in found.problems[:_PROBLEMS_SHOWN]:
        tell(f"stepscope: warning: {file}:{problem.line}: {problem.message}")
    if len(found.problems) > _PROBLEMS_SHOWN:
        tell(f"stepscope: warning: … and {len(found.problems) - _PROBLEMS_SHOWN} more lines were kept out.")
    apps, goals = len(found.contents.apps), len(found.contents.goals)
    if json:
        bad = [{"line": problem.line, "message": problem.message} for problem in found.problems]
        print_json({"campaign": name, "apps": apps, "goals": goals, "bad_lines": bad})
    else:
        say(f"{number_of(apps, 'apps')} and {number_of(goals, 'goals')} taken over.")
    return SOME_FAILED if found.problems else DONE


def pair(
    name: Name,
    category: Annotated[str | None, typer.Option("--category", metavar="C", help="Only this one.")] = None,
    k: Annotated[
        int | None,
        typer.Option("--k", metavar="N", min=1, max=LARGEST_NUMBER, help="Clusters [default: the best silhouette]."),
    ] = None,
    seed: Annotated[int, typer.Option("--seed", metavar="N", min=0, max=LARGEST_NUMBER)] = 0,
    fasttext: Annotated[
        Path | None, typer.Option("--fasttext", metavar="FILE", help="Word vectors (.vec) in place of MiniLM.")
    ] = None,
    grouped: Annotated[bool, typer.Option("--group", help="Count closely clustered apps as one.")] = False,
    originals: Annotated[bool, typer.Option("--originals", help="Every goal in its own app too.")] = False,
    dry_run: Annotated[bool, typer.Option("--dry-run", help="Only say what it would give.")] = False,
    store: StoreOption = None,
    json: JsonFlag = False,
) -> int:
    from stepscope.app.services.campaigns.pairing import close_apps, isolated, pairs_of

    forms: list[Mapping[str, Any]] = []
    with opened(store) as database, cancelled_by_signals() as token:
        for one in _categories(campaigns.read(database, name).contents, category):
            contents = campaigns.read(database, name).contents
            apps = [app.package for app in contents.apps if app.category == one]
            goals = tuple(goal for goal in contents.goals if goal.app in apps)
            found = _paired(pairing_work.PairingRequest(one, goals, k, seed, None, fasttext), token)
            if found is None:
                return INTERRUPTED
            groups = close_apps(found.clustering)
            accepted = groups if grouped else ()
            pairs = pairs_of(found.clustering, apps, accepted, originals=originals)
            alone = isolated(found.clustering, accepted)
            forms.append(_clustering_form(found, groups, alone) | {"pairs": len(pairs)})
            if not dry_run:
                campaigns.make(database, name, campaigns.paired(contents, one, pairs))
    if json:
        print_json({"campaign": name, "categories": forms})
    else:
        _show_clusters(forms)
    return DONE


def next_task(name: Name, annotator: Annotator = None, store: StoreOption = None, json: JsonFlag = False) -> int:
    person = annotation_service.user_name() if annotator is None else annotator
    with opened(store) as database:
        task = campaigns.next_task(database, name, person)
    if json:
        form = task and {"annotator": person, "app": task.package, "title": task.title, "goal": task.goal,
                         "instructions": task.instructions}  # fmt: skip
        print_json({"campaign": name, "task": form})
    elif task is None:
        say(f"There is nothing for {person} to do.")
    else:
        say(f"{task.title} ({task.package}): {task.goal}", *filter(None, [task.instructions]))
    return DONE


def done(
    name: Name,
    recording: Annotated[Path, typer.Argument(metavar="FOLDER", help="The recording's folder.")],
    annotator: Annotator = None,
    store: StoreOption = None,
    json: JsonFlag = False,
) -> int:
    person = annotation_service.user_name() if annotator is None else annotator
    with opened(store) as database:
        given = campaigns.read(database, name).contents.assignments
        mine = [one for one in given if one.annotator == person and one.state is campaign_values.AssignmentState.OPEN]
        if not mine:
            raise UsageError(f"{person} has no task.", hint="'stepscope campaign next' gives one.")
        shown = campaigns.demonstrated(recording, mine[0].key)
        campaigns.done(database, name, shown)
    label = shown.said.label.value if shown.said.label else None
    if json:
        goal = shown.assignment.pair.goal.text
        print_json({"campaign": name, "annotator": person, "goal": goal, "episode": shown.episode, "label": label})
    else:
        say(f"“{shown.assignment.pair.goal.text}” in {shown.assignment.pair.app}: {label or 'no label'}")
    return DONE


def assign(
    name: Name,
    annotator: Annotated[
        list[str] | None, typer.Option("--annotator", metavar="WHO", help="Somebody new; may be repeated.")
    ] = None,
    store: StoreOption = None,
    json: JsonFlag = False,
) -> int:
    with opened(store) as database:
        campaigns.assign(database, name, annotator or (), ())
        whole = campaigns.read(database, name)
        given = assigning.plan(whole.contents, whole.campaign.k)
        campaigns.assign(database, name, (), given)
    missing = assigning.short_of(whole.contents, whole.campaign.k)
    if json:
        print_json({"campaign": name, "assigned": len(given), "short": len(missing)})
    else:
        people = number_of(len(whole.contents.annotators), "annotators")
        say(f"{number_of(len(given), 'assignments')} given to {people}.")
        if missing:
            most = max(missing.values())
            tell(f"stepscope: warning: {number_of(len(missing), 'pairs')} need up to {most} more annotators.")
    return DONE


def agreement(name: Name, store: StoreOption = None, json: JsonFlag = False) -> int:
    found = verdicts.agreement(_read(store, name).contents)
    bars = [{"share": one.share, "pairs": one.pairs, "tied": one.tied} for one in found.bars]
    form = {"campaign": name, "histogram": bars, "few": found.few, "kappa": found.kappa, "observed": found.observed,
            "annotator_pairs": found.annotator_pairs}  # fmt: skip
    if json:
        print_json(form)
        return DONE
    rows = [[f"{100 * one.share:.1f} %{' (tie)' if one.tied else ''}", one.pairs] for one in found.bars]
    table(("agree with the majority", "pairs"), rows, numbers=["pairs"])
    kappa, observed = (f"{value:.3f}" if value is not None else "–" for value in (found.kappa, found.observed))
    say(f"kappa {kappa}, equal labels {observed}, over {number_of(found.annotator_pairs, 'pairs')} of annotators")
    if found.few:
        say(f"{number_of(found.few, 'pairs')} with fewer than two labels are left out.")
    return DONE


def export(
    name: Name,
    output: Annotated[Path, typer.Option("--output", "-o", metavar="FOLDER", help="A new or an empty folder.")],
    layout: Annotated[str, typer.Option("--layout", metavar="recording|motif", help="Ours or MoTIF's.")] = "recording",
    store: StoreOption = None,
    json: JsonFlag = False,
) -> int:
    """Gives 0, or 1 where recordings are missing."""
    if layout not in list(campaign_export.CampaignExportFormat):
        raise UsageError(f"there is no layout {layout!r}.", hint="Give --layout recording or --layout motif.")
    whole, found = _read(store, name), None
    with cancelled_by_signals() as token, bar("Writing") as show_progress:
        for event in campaign_export.export(whole, output, campaign_export.CampaignExportFormat(layout), token):
            if isinstance(event, campaign_export.CampaignExportReport):
                found = event
            else:
                show_progress(event)
    if found is None:
        return INTERRUPTED
    for episode, why in found.missing:
        tell(f"stepscope: warning: {episode}: {why}")
    if json:
        bad = [{"episode": episode, "message": why} for episode, why in found.missing]
        print_json({"folder": str(output), "written": found.written, "cut": found.cut, "missing": bad})
    else:
        say(str(output))
        tell(f"stepscope: {number_of(found.written, 'recordings')}")
    return SOME_FAILED if found.missing else DONE


# Inside ---------------------------------------------------------------------------------------------------------------


def _read(store: str | None, name: str) -> WholeCampaign:
    with opened(store) as database:
        return campaigns.read(database, name)


def _categories(contents: CampaignContents, wanted: str | None) -> list[str]:
    """Those that have goals; the one that is wanted."""
    apps = {app.package: app.category for app in contents.apps}
    there = sorted({apps[goal.app] for goal in contents.goals})
    if wanted is None and there:
        return there
    if wanted not in there:
        hint = f"Categories with goals: {', '.join(f'“{one}”' for one in there) or 'none yet'}."
        raise UsageError(f"There are no goals in “{wanted}”." if wanted else "There are no goals yet.", hint=hint)
    return [wanted]


def _paired(request: PairingRequest, token: CancelToken) -> PairingResult | None:
    with bar(f"Pairing {request.category or 'the goals'}") as show_progress:
        for event in pairing_work.pair_goals(request, token):
            if not isinstance(event, pairing_work.PairingStage):
                return event
            if event.progress is not None:
                show_progress(event.progress)
    return None


def _clustering_form(found: PairingResult, groups: Sequence[AppGroup], alone: Sequence[str]) -> dict[str, Any]:
    clustering: Clustering = found.clustering
    return {
        "category": clustering.category,
        "k": clustering.k,
        "seed": clustering.seed,
        "silhouette": clustering.silhouette,
        "vectors": found.vectors,
        "clusters": [
            {"number": one.number, "goals": len(one.goals), "apps": list(one.apps), "app": one.representative.app,
             "representative": one.representative.text}
            for one in clustering.clusters
        ],
        "isolated": list(alone),
        "close": [{"apps": list(one.apps), "share": one.share} for one in groups],
        "unknown": list(found.unknown),
    }  # fmt: skip


def _show_clusters(forms: Sequence[Mapping[str, Any]]) -> None:
    for form in forms:
        silhouette = "–" if form["silhouette"] is None else f"{form['silhouette']:.3f}"
        clusters = number_of(form["k"], "clusters")
        say(f"{form['category'] or 'Apps without a category'}: {clusters}, silhouette {silhouette}, "
            f"{number_of(form['pairs'], 'pairs')}")  # fmt: skip
        rows = [
            [one["number"], one["goals"], one["representative"], ", ".join(one["apps"])] for one in form["clusters"]
        ]
        table(("cluster", "goals", "representative", "apps"), rows, numbers=["cluster", "goals"])
        if form["isolated"]:
            say(f"only their own goals: {', '.join(form['isolated'])}")
        for one in form["close"]:
            say(f"closely clustered ({100 * one['share']:.0f} %): {', '.join(one['apps'])}")
        if form["unknown"]:
            tell(f"stepscope: warning: of {number_of(len(form['unknown']), 'goals')} no word is in the file.")


def _show_pairs(whole: WholeCampaign) -> None:
    said = verdicts.labels_of(whole.contents)
    rows = []
    for one in assigning.progress(whole.contents):
        told = verdicts.verdict(said[one.pair.key])
        majority = "tie" if told.tied else told.label
        share = None if told.share is None else f"{100 * told.share:.0f} %"
        done = f"{one.done} of {whole.campaign.k}"
        rows.append([one.pair.app, one.pair.goal.text, one.pair.origin.value, done, majority, share])
    table(("app", "goal", "origin", "done", "majority", "agree"), rows, numbers=["done", "agree"])
