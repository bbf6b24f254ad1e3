"""The sample phone, the episodes recorded on it, and how they are made."""
