"""Models behind servers that speak as OpenAI's does: which servers, their keys, what is asked, what came back."""
