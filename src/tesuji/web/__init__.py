"""The lab: a server on this machine, and the page it serves, to play any game against any player.

Start with `server`, which speaks with the page over one WebSocket, then `tables`: a table is one
game in progress. `workers` are the processes that search, `boards` turns what a viewer may see into
JSON to draw, `menu` says what can be played, `store` keeps the games. The page is `static/`: plain
modules, nothing to build.

What holds throughout:

- The server owns the rules and the clocks. A message that is not understood or not legal is
  answered with one sentence and changes nothing.
- A page sees a table through a *seat*, a secret word in its address. A seat looks through one
  side's eyes (0 or 1) or sees everything (None); what a side may not know is never sent to it.
- No text from a page becomes the name of a file or of a program.
"""
