# SPDX-License-Identifier: MIT
"""Python objects that lie, raise, or change what holds them while it is read."""

import gc


class Hostile:
    """Raises, or lies, whatever it is asked."""

    def __float__(self):
        raise ZeroDivisionError

    def __index__(self):
        return "no"

    def __len__(self):
        return -1

    def __fspath__(self):
        return 3

    def __array__(self, *_):
        raise MemoryError("not really")

    def __iter__(self):
        raise KeyboardInterrupt.__base__("not really")


class Changing:
    """Empties the container it is in while that is read."""

    def __init__(self, container):
        self.container = container

    @property
    def dtype(self):
        self.container.clear()
        gc.collect()
        return float

    def tolist(self):
        return [1.0]


def changing_dict():
    fields = {}
    fields.update(a=Changing(fields), b=[object()] * 50, c="x" * 500)
    return fields


def changing_list():
    items = []
    items.extend([Changing(items), [object()] * 50, "x" * 500])
    return items
