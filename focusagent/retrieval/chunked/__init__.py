"""The papers' baselines: a page cut into chunks, the best of them kept (BM25, embeddings)."""
