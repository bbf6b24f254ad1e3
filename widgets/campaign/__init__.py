"""Campaigns: lists of apps and goals, pairing, who demonstrates what, and how far people agree."""

from stepscope.widgets.campaign.settings import CampaignForm
from stepscope.widgets.campaign.values import (
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
from stepscope.widgets.campaign.view import CampaignsView

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
