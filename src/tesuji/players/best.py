"""The player of each game that tesuji puts forward, by what has been measured so far.

Skirmish: the tables of Kato's page. TUBSTAP: there, too, at 0.01 s only. Amazons: table *strongest*
of Ota's page. Geister: 60 games each against two opponents, at 1,500 playouts a move.
"""

from tesuji import rules
from tesuji.players import Player, build, canonical, player

STRONGEST = {
    "amazons": "uct:c=0.1,cut=0,judge=ota-b,prior=ota-b,widening=0.5",
    "geister": "aoki:method=A,frame=mover,belief=policy,worlds=0,proof=7",
    "skirmish": "uct:c=0.15,threshold=30,cut=4,judge=destroyed,haste=0.02,reuse=true",
    "tubstap": "uct:c=0.15,threshold=30,pruning=pruned,policy=pruned",
}


@player
def best(game: rules.Game, seconds: float = 1.0) -> Player:
    """The strongest player that tesuji has for the game; plain UCT where none has been found.

    seconds  how long it thinks about a move
    """
    chosen = STRONGEST.get(game.name, "uct")
    text = canonical(f"{chosen}{',' if ':' in chosen else ':'}seconds={seconds}")
    made = build(text, game)
    made.identity = f"{text} {made.identity}".strip()
    return made
