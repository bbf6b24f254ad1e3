"""The domain, the readers, the rules and the store. No Qt, no torch: runs on a server without a display."""
