"""The UI tree of a screen.

UITreeView: searchable tree linked to the screen's boxes; UITreeItemModel: the Qt model over the flat tuple.
"""

from widgets.hierarchy.ui_tree_item_model import UITreeItemModel
from widgets.hierarchy.view import UITreeView

__all__ = ["UITreeItemModel", "UITreeView"]
