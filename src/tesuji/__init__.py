"""tesuji: a laboratory for game-playing search and learning.

A game is one Python file, a search is one Python file, and Numba compiles the pair.
Start with `tesuji.rules`, the contract between the two; then open `tesuji.games.go` and
`tesuji.search.uct`.
"""

__version__ = "0.1.0"
