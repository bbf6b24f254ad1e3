"""Views of the window as a whole: command palette, shortcut page, protocols, preferences."""
