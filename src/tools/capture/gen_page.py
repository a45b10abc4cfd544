# SPDX-License-Identifier: MIT
"""Generates two C strings from cap_page.html: the parts before and after the data."""

import sys


def c_string(name, text):
    lines = ''.join('   "' + line.replace('\\', '\\\\').replace('"', '\\"') + '\\n"\n'
                    for line in text.splitlines())
    return f'const char {name}[] =\n{lines};\n'


def main():
    with open(sys.argv[1], encoding='utf-8') as f:
        head, tail = f.read().split('//DATA//\n')
    with open(sys.argv[2], 'w', encoding='utf-8') as f:
        f.write('/* Generated from cap_page.html. */\n#include "cap_page.h"\n\n')
        f.write(c_string('cap_page_head', head) + '\n' + c_string('cap_page_tail', tail))


main()
