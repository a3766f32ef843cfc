"""How much of what a step needed survives a retriever, and how much of the page it removes."""
