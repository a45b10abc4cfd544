#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
#
# Generates sgc_builder.h, the instruction emission helpers, from the opcode
# table.
#
# Usage: gen_builder.py ISA_DIR TEMPLATE OUTPUT

import sys

from mako.template import Template


def main():
    isa_dir, template, output = sys.argv[1:]
    sys.path.insert(0, isa_dir)
    from sgpu_opcodes import OPCODES
    ops = sorted(OPCODES.values(), key=lambda o: o.code)
    with open(template, encoding='utf-8') as f:
        text = Template(f.read(), strict_undefined=True).render(ops=ops)
    with open(output, 'w', encoding='utf-8') as f:
        f.write(text)


if __name__ == '__main__':
    main()
