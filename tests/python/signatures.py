# SPDX-License-Identifier: MIT
"""Reading the signatures that pybind11 writes into docstrings."""


def split_words(text):
    """At the commas outside of brackets."""
    words, depth, word = [], 0, ""
    for letter in text:
        depth += (letter in "[(") - (letter in "])")
        if letter == "," and depth == 0:
            words.append(word)
            word = ""
        else:
            word += letter
    return [w.strip() for w in [*words, word] if w.strip()]
