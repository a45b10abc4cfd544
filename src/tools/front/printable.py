# SPDX-License-Identifier: MIT
"""Printing of untrusted text to a terminal, like src/isa/packets/sgpu_printable.h in C."""

# Characters for text direction, line breaks and tags.  Don't use str.isprintable(), whose result
# for these characters depends on the Unicode version.
CONTROLS = {0x61c, 0x200e, 0x200f, *range(0x2028, 0x202f), *range(0x2066, 0x206a),
            *range(0xe0000, 0xe0080)}


def printable(text):
    """Makes untrusted text (names in traces, results and reports) safe to print to a terminal.
    Escapes control characters except for line breaks as \\xNN, as in sgpu_printable.h."""
    def one(char):
        code = ord(char)
        if char == '\n' or (0x20 <= code < 0x7f) or (
                code >= 0xa0 and code not in CONTROLS and not 0xd800 <= code < 0xe000):
            return char
        return ''.join(f'\\x{byte:02x}' for byte in char.encode(errors='surrogateescape'
                       if 0xdc80 <= code <= 0xdcff else 'surrogatepass'))
    return ''.join(map(one, text))
