"""Campaigns: lists of apps and goals, pairing, who demonstrates what, and how far people agree."""

from stepscope.widgets.campaigns.settings import CampaignForm
from stepscope.widgets.campaigns.values import (
    AgreementView,
    CampaignRow,
    CampaignView,
    ClusterRow,
    Dot,
    PairingChoice,
    PairingView,
    PairRow,
    PersonRow,
    ShareRow,
)
from stepscope.widgets.campaigns.view import CampaignsView

__all__ = [
    "AgreementView",
    "CampaignForm",
    "CampaignRow",
    "CampaignView",
    "CampaignsView",
    "ClusterRow",
    "Dot",
    "PairRow",
    "PairingChoice",
    "PairingView",
    "PersonRow",
    "ShareRow",
]
