"""Web tasks for both faces: pages that are shown, filled in by people, solved by models, and what comes of it."""
