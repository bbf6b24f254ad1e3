"""Use cases of both faces, the window and the command line. Nothing here knows Qt or who asks."""
