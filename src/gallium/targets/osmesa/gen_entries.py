#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Writes the header for Mesa's entry.c with the entry points that the library exports: all functions
that Mesa knows.  Mesa's own header has those alone that an old ABI of libGL lists, up to OpenGL 1.4
and some extensions.

usage: gen_entries.py MAPI OUTPUT      (MAPI: Mesa's folder src/mapi)"""

import contextlib
import os
import sys


def main(mapi, output):
    sys.dont_write_bytecode = True
    sys.path.insert(0, mapi)
    import mapi_abi

    class Printer(mapi_abi.GLAPIPrinter):
        def _override_for_api(self, ent):
            ent.hidden = False
            ent.handcode = False
            # As GL/glext.h declares the parameter.
            if ent.name.startswith('MultiDraw'):
                ent.params = [('const void *' if name == 'indirect' else kind, name, array)
                              for kind, name, array in ent.params]

    entries = mapi_abi.abi_parse_xml(os.path.join(mapi, 'glapi', 'gen', 'gl_and_es_API.xml'))
    mapi_abi.abi_sanity_check(entries)
    with open(output, 'w', encoding='ascii') as file, contextlib.redirect_stdout(file):
        Printer(entries).output_for_lib()


if __name__ == '__main__':
    main(*sys.argv[1:])
