"""Searches: kernels over any game, each beside its settings."""
