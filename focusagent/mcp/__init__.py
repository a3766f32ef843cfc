"""A proxy before an MCP server that drives a browser: page snapshots in its answers are focused, all else passes."""
