"""What was sent to models and what came back, beside the screen."""
