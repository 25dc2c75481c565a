"""Numbers and bytes in a token: whole numbers in groups of seven bits, the lowest first, as in LEB128."""

from typing import Final

_MORE: Final = 0x80
"""The bit of a byte that says that another one follows."""
LONGEST: Final = 8
"""Bytes of a number at most: 56 bits."""


class Unreadable(ValueError):
    """The bytes end too early, or say something in another way than there is."""


def number_bytes(number: int) -> bytes:
    """A number of 0 or more; every byte but the last has its high bit set.

    >>> number_bytes(5).hex(), number_bytes(300).hex()
    ('05', 'ac02')
    """
    out = bytearray()
    while number >= _MORE:
        out.append(number % _MORE | _MORE)
        number >>= 7
    out.append(number)
    return bytes(out)


def text_bytes(text: bytes) -> bytes:
    """Bytes with their length before them."""
    return number_bytes(len(text)) + text


class Reader:
    """Reads what a payload is made of, from its beginning."""

    __slots__ = ("_data", "_place")

    def __init__(self, data: bytes) -> None:
        """Begin at the first byte."""
        self._data = data
        self._place = 0

    @property
    def is_done(self) -> bool:
        """Whether everything was read."""
        return self._place == len(self._data)

    def take(self, count: int) -> bytes:
        """So many bytes.

        Raises:
            Unreadable: there are not so many.
        """
        taken = self._data[self._place : self._place + count]
        if len(taken) < count:
            raise Unreadable("it ends too early")
        self._place += count
        return taken

    def number(self, most: int) -> int:
        """A number, of this size at most.

        Raises:
            Unreadable: it is larger, or not written in the shortest way.
        """
        number = 0
        for place in range(LONGEST):
            byte = self.take(1)[0]
            number |= (byte % _MORE) << 7 * place
            if byte < _MORE:
                if place and not byte:
                    raise Unreadable("a number is not written in the shortest way")
                break
        else:
            raise Unreadable("a number is too long")
        if number > most:
            raise Unreadable(f"a number is larger than {most}")
        return number

    def text(self, longest: int) -> bytes:
        """Bytes with their length before them.

        Raises:
            Unreadable: they are longer than that, or not all there.
        """
        return self.take(self.number(longest))
