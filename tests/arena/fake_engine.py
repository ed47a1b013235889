"""A small GTP engine that passes, or misbehaves in the way its argument names."""

import sys
import time


def main(fault: str) -> None:
    moves = 0
    for line in sys.stdin:
        words = line.split()
        if not words:
            continue
        if words[0] == "quit" and fault == "stays":
            time.sleep(600)
        answer = "= "
        if words[0] == "known_command":
            answer = "= false"
        if words[0] == "genmove":
            moves += 1
            answer = {
                "illegal": "= A1",
                "nonsense": "= over there",
                "resigns": "= resign",
                "error": "? no idea",
                "babbles": "hello",
            }.get(fault, "= PASS")
            if fault == "dies" and moves == 2:
                sys.exit(3)
            if fault == "hangs":
                time.sleep(600)
        if fault == "refuses" and words[0] == "boardsize":
            answer = "? unacceptable size"
        print(f"{answer}\n", flush=True)
        if words[0] == "quit":
            return


if __name__ == "__main__":
    main(sys.argv[1])
