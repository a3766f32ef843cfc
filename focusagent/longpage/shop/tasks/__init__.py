"""The shop's task templates, one module each."""
