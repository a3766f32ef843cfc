"""The scripted backbone: an instrument that acts by policies and knows only its prompt. Benchmarks bring policies."""
