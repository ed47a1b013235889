"""`python -m tesuji` is the `tesuji` command."""

from tesuji.cli import main

main()
