"""Steps from one schema of the store to the next; run by `core.store.schema`, never from a configuration file."""
