"""The scoring protocols as pages of rules, each with who it is from.

ProtocolsView: the list of protocols and the page of the chosen one.
"""

from stepscope.widgets.shell.protocols.view import ProtocolsView

__all__ = ["ProtocolsView"]
