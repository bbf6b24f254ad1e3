"""The two faces of Stepscope: command line and window."""
