"""Runs in the environments of the applications, which find its modules by name."""
