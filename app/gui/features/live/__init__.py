"""Live devices: mirror, recorder, overlay, agent."""
