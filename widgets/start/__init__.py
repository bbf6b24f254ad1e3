"""The start page and the bubbles of the tour.

StartPage: the sample as two phones, what can be done first, recent data and runs; TourBubble: a step of the tour beside
what it is about; the other names are their frozen values.
"""

from stepscope.widgets.start.page import StartPage
from stepscope.widgets.start.start_values import RecentDataRow, RecentRunRow, SampleAnswer, SampleStep, TourStepRow

__all__ = ["RecentDataRow", "RecentRunRow", "SampleAnswer", "SampleStep", "StartPage", "TourStepRow"]
