"""What every feature stands on: the window, its commands, threads, messages, selection, words that features share."""
