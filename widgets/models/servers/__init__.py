"""The chat servers that a person has added.

ServersView: a list and a form; ServerRow: a server; ServerEdit: what the form says.
"""

from stepscope.widgets.models.servers.server_row import ServerEdit, ServerRow
from stepscope.widgets.models.servers.view import ServersView

__all__ = ["ServerEdit", "ServerRow", "ServersView"]
