"""The code host's task templates, one module each."""
