"""What people say about steps and episodes.

NotesPage: the inspector's page; TitleMarks: buttons of the title row; DefectMenu: reasons to choose from;
PlaceNotes, LabelNotes, Said, Choices: frozen values.
"""

from stepscope.widgets.annotate.annotation_notes import (
    CHECKED,
    DEFECT,
    NOTE,
    STAR,
    Choices,
    LabelNotes,
    PlaceNotes,
    Statement,
)
from stepscope.widgets.annotate.defect_menu import DefectMenu
from stepscope.widgets.annotate.title_marks import TitleMarks
from stepscope.widgets.annotate.view import NotesPage

__all__ = [
    "CHECKED",
    "DEFECT",
    "NOTE",
    "STAR",
    "Choices",
    "DefectMenu",
    "LabelNotes",
    "NotesPage",
    "PlaceNotes",
    "Statement",
    "TitleMarks",
]
