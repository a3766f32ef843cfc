"""The forum's task templates, one module each."""
