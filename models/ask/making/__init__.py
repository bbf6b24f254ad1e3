"""Making ambiguous tasks out of episodes: by rules and by models that are asked."""
