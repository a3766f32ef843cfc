"""FocusAgent: a web agent that sees only the part of a page that matters."""
