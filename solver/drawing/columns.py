"""Name columns: a to z, then aa, ab, ..."""


def column_name(column: int) -> str:
    """Return the letters of a column counted from 0.

    >>> column_name(0), column_name(25), column_name(26)
    ('a', 'z', 'aa')
    """
    name = ""
    column += 1
    while column:
        column, letter = divmod(column - 1, 26)
        name = chr(ord("a") + letter) + name
    return name


def column_number(name: str) -> int:
    """Return the number of a column, counted from 0, given its lower-case letters: the inverse of `column_name`."""
    number = 0
    for letter in name:
        number = 26 * number + ord(letter) - ord("a") + 1
    return number - 1
