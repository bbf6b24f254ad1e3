from PySide6.QtCore import QObject


class MakeController(QObject):
    def __init__(self, context, views, review, library):
        super().__init__(context)

    def open(self): ...
