"""What was sent to a model for the steps of an episode, and what came back: one scroll, searched, beside the screen."""
