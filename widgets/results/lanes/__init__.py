"""An asking agent's two streams side by side: tasks, lanes, the four settings, the cost of asking, the talk."""
