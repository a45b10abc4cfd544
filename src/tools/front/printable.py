# SPDX-License-Identifier: MIT
"""Printing of untrusted text to a terminal, as src/isa/packets/sgpu_printable.h does in C."""

# Characters for text direction, line ends and tags.  str.isprintable() is not used, because its
# result for these depends on the version of Unicode.
CONTROLS = {0x61c, 0x200e, 0x200f, *range(0x2028, 0x202f), *range(0x2066, 0x206a),
            *range(0xe0000, 0xe0080)}


def printable(text):
    """Returns untrusted text (names in traces, results, reports) in a form that is safe to print
    to a terminal.  Control characters except line ends become \\xNN, as in sgpu_printable.h."""
    def one(char):
        code = ord(char)
        if char == '\n' or (0x20 <= code < 0x7f) or (
                code >= 0xa0 and code not in CONTROLS and not 0xd800 <= code < 0xe000):
            return char
        return ''.join(f'\\x{byte:02x}' for byte in char.encode(errors='surrogateescape'
                       if 0xdc80 <= code <= 0xdcff else 'surrogatepass'))
    return ''.join(map(one, text))
