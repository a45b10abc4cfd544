# SPDX-License-Identifier: MIT
"""Text of others for a terminal, as src/isa/packets/sgpu_printable.h has it for C."""

# Directions of text, line ends and tags, which str.isprintable() lets through or not by
# the version of Unicode.
CONTROLS = {0x61c, 0x200e, 0x200f, *range(0x2028, 0x202f), *range(0x2066, 0x206a),
            *range(0xe0000, 0xe0080)}


def printable(text):
    """Text of others (names in traces, results, reports) for a terminal: what controls it
    becomes \\xNN, as in sgpu_printable.h, and lines stay."""
    def one(char):
        code = ord(char)
        if char == '\n' or (0x20 <= code < 0x7f) or (
                code >= 0xa0 and code not in CONTROLS and not 0xd800 <= code < 0xe000):
            return char
        return ''.join(f'\\x{byte:02x}' for byte in char.encode(errors='surrogateescape'
                       if 0xdc80 <= code <= 0xdcff else 'surrogatepass'))
    return ''.join(map(one, text))
