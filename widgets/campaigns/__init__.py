"""Campaigns: lists of apps and goals, pairing, who demonstrates what, and how far people agree."""

from stepscope.widgets.campaigns.campaign_views import (
    AgreementView,
    AnnotatorRow,
    CampaignListRow,
    CampaignView,
    ClusterRow,
    GoalDot,
    PairingChoice,
    PairingView,
    PairProgressRow,
    ShareRow,
)
from stepscope.widgets.campaigns.settings import CampaignForm
from stepscope.widgets.campaigns.view import CampaignsView

__all__ = [
    "AgreementView",
    "AnnotatorRow",
    "CampaignForm",
    "CampaignListRow",
    "CampaignView",
    "CampaignsView",
    "ClusterRow",
    "GoalDot",
    "PairProgressRow",
    "PairingChoice",
    "PairingView",
    "ShareRow",
]
