from PySide6.QtCore import QObject


class ExportTasksController(QObject):
    def __init__(self, context, views, review, library, exports):
        super().__init__(context)

    def open(self): ...
