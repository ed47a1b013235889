"""Explicit random numbers: an array of two words, seeded, passed in and split, never global.

The generator is SplitMix64 in its splittable form (Steele, Lea and Flood 2014): `rng[0]` is the
state, `rng[1]` an odd increment that differs from stream to stream. Compiled and plain Python give
the same numbers, so a seed and a budget in counts determine a game on any machine.
"""

import hashlib
from typing import Any

import numpy as np
import numpy.typing as npt

from tesuji.kernels import compiled_as, helper

Rng = npt.NDArray[np.uint64]

WORD = (1 << 64) - 1
GOLDEN = 0x9E3779B97F4A7C15
MIX = (0xBF58476D1CE4E5B9, 0x94D049BB133111EB)  # Stafford's variant 13, for output
MIX_GAMMA = (0xFF51AFD7ED558CCD, 0xC4CEB9FE1A85EC53)  # MurmurHash3's, for increments


def seeded(*keys: int | str) -> Rng:
    """A stream determined by its keys: `seeded(7)`, `seeded(7, "match", 12)`.

    A single integer is used as it is, as the published generator would; several keys are hashed, so
    that streams of neighbouring keys have nothing to do with each other.
    """
    if len(keys) == 1 and isinstance(keys[0], int):
        return np.array([keys[0] & WORD, GOLDEN], dtype=np.uint64)
    text = "\0".join(f"{type(key).__name__}:{key}" for key in keys)
    digest = hashlib.sha256(text.encode()).digest()
    state, gamma = (int.from_bytes(digest[at : at + 8], "little") for at in (0, 8))
    return np.array([state, _odd(gamma)], dtype=np.uint64)


def split(rng: Rng) -> Rng:
    """A new stream, independent of what `rng` will give from now on."""
    return np.array([int(next_u64(rng)), _odd(int(next_u64(rng)))], dtype=np.uint64)


def _odd(word: int) -> int:
    """An increment from a random word: odd, and with enough bit changes to mix well."""
    word = (word ^ (word >> 33)) * MIX_GAMMA[0] & WORD
    word = (word ^ (word >> 33)) * MIX_GAMMA[1] & WORD
    word = (word ^ (word >> 33)) | 1
    return word if (word ^ (word >> 1)).bit_count() >= 24 else word ^ 0xAAAAAAAAAAAAAAAA


def mix(word: Any) -> Any:
    """A word so mixed that near words become unrelated ones; for hashing."""
    word = int(word)
    word = (word ^ (word >> 30)) * MIX[0] & WORD
    word = (word ^ (word >> 27)) * MIX[1] & WORD
    return np.uint64(word ^ (word >> 31))


def _mix(word: Any) -> Any:
    first, second = np.uint64(MIX[0]), np.uint64(MIX[1])

    def compiled(word: Any) -> Any:
        word = (word ^ (word >> np.uint64(30))) * first
        word = (word ^ (word >> np.uint64(27))) * second
        return word ^ (word >> np.uint64(31))

    return compiled


compiled_as(mix, _mix)


def next_u64(rng: Any) -> Any:
    """The next 64 random bits."""
    word = (int(rng[0]) + int(rng[1])) & WORD
    rng[0] = word
    return mix(word)


def _next_u64(rng: Any) -> Any:
    def compiled(rng: Any) -> Any:
        rng[0] += rng[1]
        return mix(rng[0])

    return compiled


compiled_as(next_u64, _next_u64)


@helper
def below(rng: Any, n: int) -> Any:
    """A random integer from 0 to n - 1, for n up to 2**31.

    Multiply and shift (Lemire): one value is at most n / 2**32 likelier than another.
    """
    return (np.int64(next_u64(rng) >> np.uint64(32)) * np.int64(n)) >> 32


@helper
def uniform(rng: Any) -> Any:
    """A random number in [0, 1), with 53 random bits."""
    return np.float64(next_u64(rng) >> np.uint64(11)) * 2.0**-53


def table(seed: int, *shape: int) -> npt.NDArray[np.uint64]:
    """A table of random words for hashing positions (Zobrist), the same on every machine."""
    rng = seeded(seed)
    words = [next_u64(rng) for _ in range(int(np.prod(shape)))]
    return np.array(words, dtype=np.uint64).reshape(shape)
