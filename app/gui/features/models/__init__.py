"""Models and chat servers that are here."""
