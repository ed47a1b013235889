"""The random streams: published values, the same compiled and plain, uniform, and splittable."""

import numpy as np
import pytest

from tesuji import rng
from tesuji.kernels import kernel


@kernel
def draws(stream, count, words, small, fractions, n):  # type: ignore[no-untyped-def]
    for i in range(count):
        words[i] = rng.next_u64(stream)
        small[i] = rng.below(stream, n)
        fractions[i] = rng.uniform(stream)


def test_published_values() -> None:
    """The first outputs of SplitMix64 from seed 1234567, as its reference code prints them."""
    stream = rng.seeded(1234567)
    expected = [
        6457827717110365317,
        3203168211198807973,
        9817491932198370423,
        4593380528125082431,
        16408922859458223821,
    ]
    assert [int(rng.next_u64(stream)) for _ in expected] == expected


def test_compiled_and_plain_agree_with_the_top_bit_set() -> None:
    one, other = rng.seeded(2**64 - 1), rng.seeded(2**64 - 1)
    words, small = np.empty(500, np.uint64), np.empty(500, np.int64)
    fractions = np.empty(500)
    draws(one, 500, words, small, fractions, 1000)
    for i in range(500):
        assert int(rng.next_u64(other)) == int(words[i])
        assert int(rng.below(other, 1000)) == int(small[i])
        assert float(rng.uniform(other)) == float(fractions[i])
    assert (words >> np.uint64(63)).any()


@pytest.mark.parametrize("n", [1, 2, 7, 82, 2**31])
def test_below_is_in_range_and_even(n: int) -> None:
    stream = rng.seeded(3)
    values = [int(rng.below(stream, n)) for _ in range(3000)]
    assert min(values) >= 0
    assert max(values) < n
    assert abs(np.mean(values) - (n - 1) / 2) <= 4 * n / np.sqrt(12 * 3000)


def test_uniform_is_in_range_and_even() -> None:
    stream = rng.seeded(4)
    values = [float(rng.uniform(stream)) for _ in range(3000)]
    assert min(values) >= 0
    assert max(values) < 1
    assert abs(np.mean(values) - 0.5) < 4 / np.sqrt(12 * 3000)


def test_keys_make_unrelated_streams() -> None:
    firsts = {
        int(rng.next_u64(rng.seeded(*keys)))
        for keys in [(1,), (2,), (1, 2), (2, 1), (12,), (1, "2"), ("12",), (1, 2, 0)]
    }
    assert len(firsts) == 8
    assert int(rng.seeded("a", 1)[1]) % 2 == 1


def test_split_streams_differ_and_are_reproducible() -> None:
    parent, again = rng.seeded(9), rng.seeded(9)
    child, child_again = rng.split(parent), rng.split(again)
    assert child.tolist() == child_again.tolist()
    assert int(child[1]) % 2 == 1
    first = [int(rng.next_u64(parent)) for _ in range(100)]
    second = [int(rng.next_u64(child)) for _ in range(100)]
    assert not set(first) & set(second)


def test_table_is_fixed() -> None:
    """Position hashes must not change with a version of NumPy."""
    assert rng.table(1, 2, 2).tolist() == [
        [10451216379200822465, 13757245211066428519],
        [17911839290282890590, 8196980753821780235],
    ]
