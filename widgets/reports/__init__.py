"""Pages of tables that are searched and copied: what ran, what was called defective, how far people agree."""

from stepscope.widgets.reports.report_page import ReportPage, ReportRow, ReportSection

__all__ = ["ReportPage", "ReportRow", "ReportSection"]
