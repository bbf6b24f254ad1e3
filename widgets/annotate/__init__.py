"""What people say about steps and episodes.

NotesPage: the inspector's page; TitleMarks: buttons of the title row; DefectMenu: reasons to choose from;
PlaceNotes, LabelNotes, Statement, Choices: frozen values. Each is imported from its own module.
"""
