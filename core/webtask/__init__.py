"""Web tasks as live pages: the action library, what a page says of itself, and how pages are run and solved."""
