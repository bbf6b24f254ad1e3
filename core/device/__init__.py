"""Live devices: what the workbench asks of one, and the ways to have one. No Qt; places are pixels of the screen."""
