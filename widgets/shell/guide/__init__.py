"""The documentation, read in the window.

GuideView: contents that can be searched, and the page; GuideSection: one heading with what stands below it;
sections_of: those of a document.
"""

from stepscope.widgets.shell.guide.document_page import DocumentPage
from stepscope.widgets.shell.guide.sections import GuideSection, sections_of
from stepscope.widgets.shell.guide.view import GuideView

__all__ = ["DocumentPage", "GuideSection", "GuideView", "sections_of"]
