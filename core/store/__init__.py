"""What is kept: sources, index, runs, predictions, scores, sessions, in any database that SQLAlchemy speaks."""
