"""A campaign as its pages show it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence

from stepscope.app.services.campaigns.assigning import progress, short_of
from stepscope.app.services.campaigns.pairing import AppGroup, Clustering, isolated
from stepscope.app.services.campaigns.pairing_work import PairingRequest, PairingResult
from stepscope.app.services.campaigns.verdicts import CampaignAgreement, PairVerdict, agreement, labels_of, verdict
from stepscope.core.domain.campaign import AssignmentState, CampaignContents, Pair, PairOrigin, WholeCampaign, titles
from stepscope.widgets.campaigns import (
    AgreementView,
    AnnotatorRow,
    CampaignListRow,
    CampaignView,
    ClusterRow,
    GoalDot,
    PairingView,
    PairProgressRow,
    ShareRow,
)
from stepscope.widgets.format import confidence, counted, share

TOLD = 4
"""Apps that are named in a sentence."""


def campaign_row(whole: WholeCampaign) -> CampaignListRow:
    done = sum(min(one.done, whole.campaign.k) for one in progress(whole.contents))
    return CampaignListRow(whole.campaign.name, done, whole.campaign.k * len(whole.contents.pairs))


def campaign_view(whole: WholeCampaign, person: str) -> CampaignView:
    """`person` is who sits here: their open task is told."""
    campaign, contents = whole.campaign, whole.contents
    said, named = labels_of(contents), titles(contents.apps)
    pairs = tuple(
        _pair_row(one.pair, named.get(one.pair.app, one.pair.app), one.done, one.open, one.skipped,
                  verdict(said[one.pair.key]))
        for one in progress(contents)
    )  # fmt: skip
    return CampaignView(
        campaign.name,
        campaign.instructions,
        campaign.k,
        contents.apps,
        contents.goals,
        pairs,
        _people(contents),
        _agreement_view(agreement(contents), whole),
        _task_words(contents, named, person),
    )


def _pair_row(pair: Pair, app: str, done: int, open_: int, skipped: int, told: PairVerdict) -> PairProgressRow:
    majority = "tie" if told.tied else str(told.label or "")
    parts = [f"{pair.goal.text} in {app}", f"{done} done, {open_} open, {skipped} skipped"]
    if told.labels:
        why = f", most often {told.reason}" if told.reason else ""
        parts.append(f"{told.feasible} feasible, {told.infeasible} infeasible{why}")
    if pair.cluster is not None:
        parts.append(f"cluster {pair.cluster}")
    if pair.app != pair.goal.app:
        parts.append(f"written for {pair.goal.app}")
    return PairProgressRow(pair, app, done, open_, skipped, majority, told.share, "\n".join(parts))


def _people(contents: CampaignContents) -> tuple[AnnotatorRow, ...]:
    counts = Counter((one.annotator, one.state) for one in contents.assignments)
    done, open_, skipped = AssignmentState.DONE, AssignmentState.OPEN, AssignmentState.SKIPPED
    return tuple(
        AnnotatorRow(name, counts[name, done], counts[name, open_], counts[name, skipped])
        for name in contents.annotators
    )


def _agreement_view(found: CampaignAgreement, whole: WholeCampaign) -> AgreementView:
    words = []
    if found.kappa is not None:
        pairs = counted(found.annotator_pairs, "pair")
        words.append(
            f"Kappa {confidence(found.kappa)} over {pairs} of annotators, equal labels {share(found.observed)}."
        )
    if found.few:
        words.append(f"{counted(found.few, 'pair')} with fewer than two labels left out.")
    missing = short_of(whole.contents, whole.campaign.k) if whole.contents.annotators else {}
    if missing:
        most = counted(max(missing.values()), "more person", "more people")
        words.append(f"{counted(len(missing), 'pair')} cannot be completed without {most}.")
    bars = tuple(ShareRow(bar.share, bar.pairs, bar.tied) for bar in found.bars)
    return AgreementView(bars, " ".join(words))


def _task_words(contents: CampaignContents, named: Mapping[str, str], person: str) -> str:
    for one in contents.assignments:
        if one.annotator == person and one.state is AssignmentState.OPEN:
            return f"Now: “{one.pair.goal.text}” in {named.get(one.pair.app, one.pair.app)}"
    return ""


# Pairing --------------------------------------------------------------------------------------------------------------


def pairing_view(
    request: PairingRequest,
    found: PairingResult,
    named: Mapping[str, str],
    groups: Sequence[AppGroup],
    accepted: Sequence[AppGroup],
    pairs: Sequence[Pair],
) -> PairingView:
    """The clusters in words; `groups` are suggested, `accepted` those that count."""
    clustering = found.clustering
    number = clustering.cluster_of()
    chosen = {cluster.representative for cluster in clustering.clusters}
    dots = tuple(
        GoalDot(x, y, goal.key, named.get(goal.app, goal.app), number[goal], goal in chosen)
        for goal, (x, y) in zip(request.goals, found.places, strict=bool(found.places))
    )
    clusters = tuple(
        ClusterRow(
            cluster.number,
            len(cluster.goals),
            cluster.representative.text,
            _named(cluster.apps, named),
        )
        for cluster in clustering.clusters
    )
    close = "; ".join(f"{_named(group.apps, named)} ({share(group.share)})" for group in groups)
    return PairingView(
        clustering.category,
        dots,
        clusters,
        _summary(clustering, found, accepted, pairs, named),
        f"Closely clustered: {close}." if close else "",
        len(pairs),
    )


def _summary(
    clustering: Clustering,
    found: PairingResult,
    accepted: Sequence[AppGroup],
    pairs: Sequence[Pair],
    named: Mapping[str, str],
) -> str:
    own = sum(pair.origin is PairOrigin.APP_SPECIFIC for pair in pairs)
    parts = [f"{counted(len(pairs), 'pair')}: {len(pairs) - own} category-clustered, {own} app-specific."]
    alone = isolated(clustering, accepted)
    if alone:
        parts.append(f"Only their own goals: {_named(alone, named)}.")
    if clustering.silhouette is not None:
        parts.append(f"Silhouette {confidence(clustering.silhouette)} with {counted(clustering.k, 'cluster')}.")
    if found.unknown:
        parts.append(f"Of {counted(len(found.unknown), 'goal')} no word is known.")
    return " ".join(parts)


def _named(apps: Sequence[str], named: Mapping[str, str]) -> str:
    words = [named.get(app, app) for app in apps[:TOLD]]
    more = len(apps) - TOLD
    return ", ".join(words) + (f" and {counted(more, 'more', 'more')}" if more > 0 else "")
