"""The base-3 hash: a whole number that identifies a position.

The hash is the sum of digit * 3**s over the squares s, where the digit is 0 for an empty square,
1 for X and 2 for O. Square 0 is the least significant digit:

      X O .      square  0  1  2  3  4  5  6  7  8
      . X .      digit   1  2  0  0  1  0  0  0  0
      . . .      hash    1 + 2*3 + 1*81 = 88

>>> encode(0b000010001, 0b000000010)
88
>>> decode(88) == (0b000010001, 0b000000010)
True

All arithmetic is in whole numbers, because floating point is inexact above about 3**33.
"""

HASHED_SQUARES = 39  # the number of squares of the largest board whose hashes fit in int64

# _SPREAD[mask] = sum of 3**s over the squares s of a mask of up to _WIDTH squares.
_WIDTH = 12
_SPREAD = [0]
for _square in range(_WIDTH):
    _SPREAD += [entry + 3**_square for entry in _SPREAD]
_LOW, _HIGH = (1 << _WIDTH) - 1, 3**_WIDTH


def spread(mask: int) -> int:
    """Return the hash of the position with X on the squares of `mask`: the mask's binary digits read in base 3."""
    total = _SPREAD[mask & _LOW]
    weight = _HIGH
    while mask := mask >> _WIDTH:
        total += _SPREAD[mask & _LOW] * weight
        weight *= _HIGH
    return total


def encode(x: int, o: int) -> int:
    """Return the hash of the position with X on the squares of `x` and O on those of `o`."""
    if (x | o) <= _LOW:
        return _SPREAD[x] + 2 * _SPREAD[o]
    return spread(x) + 2 * spread(o)


def decode(number: int) -> tuple[int, int]:
    """Return the bitboards (x, o) of a hash: the inverse of `encode`."""
    x = o = 0
    bit = 1
    while number:
        number, digit = divmod(number, 3)
        if digit == 1:
            x |= bit
        elif digit == 2:
            o |= bit
        bit <<= 1
    return x, o
