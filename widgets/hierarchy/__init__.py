"""The UI tree of a screen.

UITreeView: searchable tree linked to the screen's boxes, with what changed since the step before; UITreeItemModel: the
Qt model over the flat tuple; OverlapMenu: elements at one place, to choose from.
"""

from stepscope.widgets.hierarchy.overlap_menu import OverlapMenu
from stepscope.widgets.hierarchy.ui_tree_item_model import UITreeItemModel
from stepscope.widgets.hierarchy.view import UITreeView

__all__ = ["OverlapMenu", "UITreeItemModel", "UITreeView"]
