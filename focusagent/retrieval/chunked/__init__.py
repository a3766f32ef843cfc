"""The papers' baselines: a page cut into chunks, the best of them kept (BM25, embeddings)."""

CHUNK_SIZES = (50, 100, 200, 400, 500)  # tokens a chunk: the sizes of the paper's two versions
