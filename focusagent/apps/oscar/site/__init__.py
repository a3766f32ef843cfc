"""Runs in the environment of the application: settings and seeding."""
