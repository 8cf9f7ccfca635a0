# SPDX-License-Identifier: MIT
"""Finds where a C++ source can be given a fault, and what the fault would be.

It reads tokens, not C++: it relies on clang-format (an operator between two operands has blanks
around it, a template's brackets have none), and what does not compile after all is no fault. Left
alone are comments, texts, includes, asserts, and what by its nature changes nothing but the time it
takes or the last digits: `reserve`, sizes of parallel parts (kSomethingGrain), the 1 of a -1 that
stands for "none", and numbers that only tell zero from not zero or stand for infinity.
"""

import dataclasses
import re

KINDS = {
    "term": "a term or factor left out",
    "sign": "+ for -, * for /, or the other way round",
    "bound": "< for <=, min for max, a number changed",
    "swap": "two arguments swapped",
    "guard": "an early exit removed",
    "statement": "a call or an assignment left out",
    "condition": "a condition negated, && for ||",
}
TINY, HUGE = 1e-6, 1e9  # Numbers beyond these are tolerances and stand-ins for infinity.
MANY = 10  # Counts beyond are doubled or halved: one more of many is no fault.

TOKEN = re.compile(r"""
    (?P<skip>//[^\n]*|/\*.*?\*/|^[ \t]*\#(?:\\\n|[^\n])*)
  | (?P<text>(?:u8|[uUL])?R"(?P<mark>[^(\s]*)\(.*?\)(?P=mark)"|(?:u8|[uUL])?"(?:\\.|[^"\\\n])*"
            |(?<![0-9a-fA-F])'(?:\\.|[^'\\\n])+')
  | (?P<number>(?:0[xX][0-9a-fA-F']+|(?:\d[\d']*\.?\d*|\.\d+)(?:[eE][+-]?\d+)?)[uUlLfF]*)
  | (?P<word>[A-Za-z_]\w*)
  | (?P<op>->|\+\+|--|<=>|<<=|<=|>=|==|!=|&&|\|\||[-+*/%&|^]=|::|\S)
""", re.VERBOSE | re.DOTALL | re.MULTILINE)
BRACKETS = {"(": ")", "[": "]", "{": "}"}
SIGNS = {"+": "-", "-": "+", "*": "/", "/": "*", "+=": "-=", "-=": "+="}
BOUNDS = {"<": "<=", "<=": "<", ">": ">=", ">=": ">"}
CONDITIONS = {"==": "!=", "!=": "==", "&&": "||", "||": "&&"}
EXITS = {"return", "continue", "break"}
ASSIGNMENTS = {"=", "+=", "-=", "*=", "/=", "%=", "|=", "&="}
# An operand ends before these: what binds its operator's neighbours less than the operator does.
ENDS_ANY = {",", ";", "?", ":", "&&", "||", "=", "<<", "+=", "-=", "*=", "/="}
ENDS_SUM = ENDS_ANY | {"+", "-", "<", ">", "<=", ">=", "==", "!=", "<=>"}
ENDS = {"+": ENDS_SUM, "-": ENDS_SUM, "*": ENDS_SUM | {"*", "/", "%"},
        "/": ENDS_SUM | {"*", "/", "%"}, "&&": ENDS_ANY, "||": ENDS_ANY - {"&&"}}
NO_CALLS = {"if", "for", "while", "switch", "return", "catch", "sizeof", "alignas", "decltype",
            "case", "else", "do", "using", "namespace", "struct", "class", "enum", "const",
            "constexpr", "static", "auto", "template", "default", "goto", "throw", "delete",
            "co_return", "break", "continue", "static_assert", "public", "private", "reserve",
            "shrink_to_fit"}
ANY_ORDER = {"min", "max", "minmax", "hypot", "swap"}  # Of their arguments.
PARAMETER = re.compile(r"(?:const\s+)?[\w:]+(?:<.*>)?(?:\s*[&*]+)?\s+[&*]*\w+(?:\s*=.*)?",
                       re.DOTALL)


@dataclasses.dataclass(frozen=True)
class Fault:
    """A place in a source, from `start` to `end`, and the text that takes its place."""

    path: str  # Below src/ductile.
    line: int
    kind: str
    number: int  # Among those of its kind on its line.
    start: int
    end: int
    text: str

    def name(self):
        return f"{self.path}:{self.line}:{self.kind}:{self.number}"

    def planted_in(self, source):
        """The source with the fault; every other line keeps its number."""
        lost = source.count("\n", self.start, self.end) - self.text.count("\n")
        return source[:self.start] + self.text + "\n" * lost + source[self.end:]

    def change(self, source):
        """The lines it touches, before and after, each as one line."""
        begin = source.rfind("\n", 0, self.start) + 1
        stop = source.find("\n", self.end)
        stop = len(source) if stop < 0 else stop
        new = source[begin:self.start] + self.text + source[self.end:stop]
        return one_line(source[begin:stop]), one_line(new)


def one_line(text):
    return " ".join(text.split())


@dataclasses.dataclass
class Token:
    kind: str
    text: str
    start: int
    end: int
    other: int = -1  # Index of the bracket that belongs to this one.


class Reader:
    """The tokens of a source and what can be read off them."""

    def __init__(self, source):
        self.source = source
        self.tokens = [Token(m.lastgroup if m.lastgroup != "mark" else "text", m[0], *m.span())
                       for m in TOKEN.finditer(source) if m.lastgroup != "skip"]
        self.left_alone = set()
        self.match_brackets()
        self.find_left_alone()

    def match_brackets(self):
        open_ones = []
        for i, token in enumerate(self.tokens):
            if token.kind != "op":
                continue
            if token.text in BRACKETS:
                open_ones.append(i)
            elif token.text in BRACKETS.values() and open_ones:
                token.other = open_ones.pop()
                self.tokens[token.other].other = i

    def find_left_alone(self):
        """Asserts, and lines that only name types."""
        for i, token in enumerate(self.tokens):
            is_macro = token.kind == "word" and re.fullmatch(r"[A-Z][A-Z0-9_]{3,}", token.text)
            if (is_macro or token.text == "static_assert") and self.text(i + 1) == "(":
                self.left_alone.update(range(i, self.tokens[i + 1].other + 1))
            if token.text in ("using", "namespace") and self.is_statement_start(i):
                self.left_alone.update(range(i, self.statement_end(i) + 1)
                                       if token.text == "using" else [])

    def text(self, i):
        return self.tokens[i].text if 0 <= i < len(self.tokens) else ""

    def is_spaced(self, i):
        """Blank on both sides: an operator between two operands."""
        token = self.tokens[i]
        return (self.source[token.start - 1:token.start].isspace()
                and self.source[token.end:token.end + 1].isspace())

    def is_operand_end(self, i):
        token = self.tokens[i] if i >= 0 else None
        return token and (token.kind in ("number", "text") or token.text in (")", "]", "}")
                          or (token.kind == "word" and token.text not in EXITS | {"case"}))

    def is_binary(self, i):
        return self.is_spaced(i) and self.is_operand_end(i - 1)

    def skip_bracket(self, i):
        """The token after this one, or after its whole bracket."""
        other = self.tokens[i].other
        return other + 1 if self.tokens[i].text in BRACKETS and other > i else i + 1

    def operand_end(self, i, ends):
        """The index after the operand that begins at i."""
        while i < len(self.tokens):
            token = self.tokens[i]
            if token.text in BRACKETS.values():
                return i
            if token.text in ends and (token.text in ",;?:" or self.is_spaced(i)):
                return i
            i = self.skip_bracket(i)
        return i

    def statement_end(self, i):
        """The index of the semicolon that ends the statement at i; -1 without one."""
        while i < len(self.tokens) and self.text(i) not in BRACKETS.values():
            if self.text(i) == ";":
                return i
            i = self.skip_bracket(i)
        return -1

    def is_statement_start(self, i):
        before = self.text(i - 1)
        if before in (";", "{", "}", "else", ""):
            return True
        opened = self.tokens[i - 1].other if before == ")" else -1
        return opened > 0 and self.text(opened - 1) in ("if", "for", "while")

    def arguments(self, i):
        """(start, end) of what stands between the commas of the bracket at i."""
        close, depth, begin, found = self.tokens[i].other, 0, i + 1, []
        j = i + 1
        while 0 <= j < close:
            text = self.text(j)
            if text in "<>" and not self.is_spaced(j):
                depth += 1 if text == "<" else -1
            if text == "," and depth <= 0:
                found.append((begin, j))
                begin = j + 1
            j = self.skip_bracket(j)
        return [(self.tokens[a].start, self.tokens[b - 1].end)
                for a, b in found + [(begin, close)] if b > a]


class Planter:
    """Gathers the faults of one source."""

    def __init__(self, path, source):
        self.path = path
        self.source = source
        self.reader = Reader(source)
        self.found = []  # (kind, start, end, text)

    def faults(self):
        reader = self.reader
        for i, token in enumerate(reader.tokens):
            if i in reader.left_alone:
                continue
            if token.kind == "number" and not self.is_free_number(i):
                self.change_number(token)
            elif token.kind == "op":
                self.change_operator(i, token)
                if token.text in ("(", "{"):
                    self.swap_arguments(i)
            if token.kind == "word" and token.text in ("min", "max") and reader.text(i + 1) == "(":
                self.add("bound", token.start, token.end, "max" if token.text == "min" else "min")
            if token.text in ("if", "while") and reader.text(i + 1) == "(":
                self.negate(i + 1)
            if token.text == "if":
                self.remove_guard(i)
            if reader.is_statement_start(i):
                self.remove_statement(i)
        return self.numbered()

    def add(self, kind, start, end, text):
        self.found.append((kind, start, end, text))

    def numbered(self):
        counts, faults = {}, []
        for kind, start, end, text in sorted(self.found, key=lambda each: each[1]):
            line = self.source.count("\n", 0, start) + 1
            number = counts[line, kind] = counts.get((line, kind), -1) + 1
            faults.append(Fault(self.path, line, kind, number, start, end, text))
        return faults

    def is_free_number(self, i):
        """Whether any other would do as well: sizes of parallel parts, and -1 for "none"."""
        reader = self.reader
        is_none = (reader.text(i) == "1" and reader.text(i - 1) == "-"
                   and not reader.is_spaced(i - 1))
        return is_none or reader.text(i - 2).endswith("Grain")

    def change_number(self, token):
        digits = token.text.rstrip("uUlLfF") if not token.text.startswith("0x") else token.text
        suffix = token.text[len(digits):]
        plain = digits.replace("'", "")
        if plain.isdigit() and int(plain) > MANY:
            others = [2 * int(plain), int(plain) // 2]
        elif plain.isdigit():
            others = [int(plain) + 1] + ([int(plain) - 1] if int(plain) > 0 else [])
        elif re.fullmatch(r"[\d.eE+-]+", plain):
            value = float(plain)
            if value != 0 and not TINY <= value <= HUGE:
                return
            others = [1.0] if value == 0 else [2 * value, 0.5 * value]
        else:
            return
        for other in others:
            self.add("bound", token.start, token.end, f"{other!r}{suffix}")

    def change_operator(self, i, token):
        reader, text = self.reader, token.text
        if text == "-" and not reader.is_spaced(i) and not reader.is_operand_end(i - 1):
            self.add("sign", token.start, token.end, "")
        if not reader.is_binary(i):
            return
        if text in SIGNS:
            self.add("sign", token.start, token.end, SIGNS[text])
        if text in BOUNDS:
            self.add("bound", token.start, token.end, BOUNDS[text])
        if text in CONDITIONS:
            self.add("condition", token.start, token.end, CONDITIONS[text])
        if text in ENDS:
            last = reader.operand_end(i + 1, ENDS[text]) - 1
            if last > i:
                self.add("term", reader.tokens[i - 1].end, reader.tokens[last].end, "")

    def swap_arguments(self, i):
        """Two neighbours in a call or a list of values; parameters of a definition stay."""
        before = self.reader.tokens[i - 1] if i else None
        if not before or before.kind != "word" or before.text in ANY_ORDER | NO_CALLS - {"return"}:
            return
        if before.text == "return" and self.reader.text(i) == "(":
            return
        arguments = self.reader.arguments(i)
        texts = [self.source[start:end] for start, end in arguments]
        is_text = ['"' in text[:1] for text in texts]
        if any(";" in text for text in texts) or all(PARAMETER.fullmatch(text) for text in texts):
            return
        for k, (a, b) in enumerate(zip(arguments, arguments[1:])):
            if texts[k] != texts[k + 1] and is_text[k] == is_text[k + 1]:
                between = self.source[a[1]:b[0]]
                self.add("swap", a[0], b[1], texts[k + 1] + between + texts[k])

    def negate(self, i):
        """The condition in the bracket at i, unless it declares something."""
        close = self.reader.tokens[i].other
        if close < 0:
            return
        start, end = self.reader.tokens[i].end, self.reader.tokens[close].start
        condition = self.source[start:end]
        if ";" not in condition and not re.match(r"[^(]*[^=!<>]=[^=]", condition):
            self.add("condition", start, end, f"!({condition})")

    def remove_guard(self, i):
        reader = self.reader
        if reader.text(i + 1) != "(" or reader.text(i - 1) == "else":
            return
        body = reader.tokens[i + 1].other + 1
        if reader.text(body) == "{":
            end = reader.tokens[body].other
            is_exit = self.ends_in_exit(body, end)
        else:
            end = reader.statement_end(body)
            is_exit = reader.text(body) in EXITS
        if is_exit and end > body and reader.text(end + 1) != "else":
            self.add("guard", reader.tokens[i].start, reader.tokens[end].end, "{}")

    def ends_in_exit(self, opened, closed):
        """Whether the last statement of a block leaves it."""
        i = start = last = opened + 1
        while 0 < i < closed:
            is_block = self.reader.text(i) == "{"
            is_end = self.reader.text(i) == ";"
            i = self.reader.skip_bracket(i)
            if is_end or (is_block and self.reader.tokens[i].kind == "word"):
                last, start = start, i
        return self.reader.text(last) in EXITS

    def remove_statement(self, i):
        reader = self.reader
        first = reader.tokens[i]
        if first.text in NO_CALLS or not (first.kind == "word" or first.text in ("*", "++", "--")):
            return
        end = reader.statement_end(i)
        if end < 0 or not self.is_expression(i, end):
            return
        self.add("statement", first.start, reader.tokens[end].end, ";")

    def is_expression(self, i, end):
        """A call or an assignment: no blank before what is assigned, or before the last bracket;
        a declaration has one between type and name."""
        reader, is_call = self.reader, False
        counts = bool({reader.text(i), reader.text(end - 1)} & {"++", "--"})
        while i < end:
            token = reader.tokens[i]
            if token.text in ASSIGNMENTS and reader.is_spaced(i):
                return True
            if token.text in NO_CALLS or token.text == "{":
                return False
            is_call = is_call or token.text == "("
            i = reader.skip_bracket(i)
            blank = self.source[reader.tokens[i - 1].end:reader.tokens[i].start]
            if i < end and reader.text(i) not in ASSIGNMENTS and blank.isspace():
                return False
        return is_call or counts


def find_faults(path, source):
    """All faults of a source, by place."""
    return Planter(path, source).faults()
