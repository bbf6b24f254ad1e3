"""Vision-language models out of local folders."""
