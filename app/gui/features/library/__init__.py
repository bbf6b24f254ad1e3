"""The library: opening data, the list of episodes, filters."""
