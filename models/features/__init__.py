"""What the project's own models see: vectors of texts and of pictures, each computed once and kept by content."""
