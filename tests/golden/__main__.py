from tests.golden import FOLDER, PLAYTHROUGHS, playthrough
from tesuji import games

for name, spec in PLAYTHROUGHS.items():
    (FOLDER / f"{name}.txt").write_text(playthrough(games.load(spec), 2026))
