"""Icons, templates and the sample data that this project made itself."""
