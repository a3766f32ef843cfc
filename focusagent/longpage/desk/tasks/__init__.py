"""The desk's task templates, one module each."""
