"""One module a template."""
