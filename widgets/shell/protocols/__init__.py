"""The scoring protocols as pages of rules, each with who it is from.

ProtocolsView: the list and the page; ProtocolPage, RuleLine, OptionLine: what a page says.
"""

from stepscope.widgets.shell.protocols.view import OptionLine, ProtocolPage, ProtocolsView, RuleLine

__all__ = ["OptionLine", "ProtocolPage", "ProtocolsView", "RuleLine"]
