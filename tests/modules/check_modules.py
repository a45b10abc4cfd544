#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Checks the includes between modules by the table in docs/architecture.md.

Each quoted include is resolved to the module, or the part of Mesa, that has the file.
A module may include only from the modules that its row names.  The test also forbids
libm in the device and the instruction set, getenv() outside of tools, since setuid
programs load the product, and files of the product over 1000 lines (C: 600).
"""

import os
import re
import sys

# module -> modules that it may include.  'mesa-util' is src/util and the formats.
# 'pipe-formats' are the two headers of Gallium that util's formats use.  'dri' is the
# frontend that loaders call, 'mesa-main' the state of OpenGL, and 'tessellator' the
# tessellator of Gallium.
MODULES = {
    'src/report': set(),
    'src/isa': set(),
    'src/device': {'src/isa', 'src/device/public', 'mesa-util', 'pipe-formats', 'tessellator'},
    'src/capture': {'src/isa', 'src/device/public', 'mesa-util'},
    'src/timing': {'src/isa', 'src/device/public', 'src/timing/inside', 'mesa-util'},
    'src/compiler': {'src/isa', 'mesa-util', 'nir', 'pipe-formats'},
    'src/gallium/winsys': {'src/isa', 'src/device/public', 'src/capture/public',
                           'src/timing/public', 'src/report', 'mesa-util', 'gallium',
                           'pipe-formats'},
    'src/gallium/drivers': {'src/isa', 'src/compiler', 'src/device/public', 'src/capture/public',
                            'src/timing/public', 'src/gallium/winsys', 'mesa-util', 'nir',
                            'gallium', 'pipe-formats'},
    'src/gallium/targets': {'src/gallium/drivers', 'src/gallium/winsys', 'mesa-util', 'nir',
                            'gallium', 'pipe-formats', 'dri', 'mesa-main'},
    'src/tools': {'src/isa', 'src/device/public', 'src/capture/public', 'src/timing/public',
                  'src/timing/inside', 'src/report', 'mesa-util', 'pipe-formats'},
}
# Public headers of the modules that also have private ones.
PUBLIC = {
    'src/device': {'sgpu_device.h', 'sgpu_counters.h', 'sgpu_events.h', 'sgpu_observer.h',
                   'sgpu_paths.h', 'sgpu_shadow.h'},
    'src/capture': {'sgpu_layer.h', 'sgcap_format.h', 'sgcap_reader.h', 'sgcap_writer.h',
                    'sgcap_packets.h', 'sgcap_hash.h'},
    'src/timing': {'sgt_live.h'},
}
# Generated headers, by the module that makes them.
GENERATED = {
    'sgpu_isa.h': 'src/isa', 'sgpu_isa_expr.h': 'src/isa', 'sgpu_scalar.h': 'src/isa',
    'sgpu_packets.h': 'src/isa',
    'sgpu_packets_unpack.h': 'src/isa', 'sgpu_formats.h': 'src/isa',
    'sgpu_formats_pipe.h': 'src/isa', 'sgpu_counters.h': 'src/device/public',
    'sgpu_events.h': 'src/device/public', 'sgpu_paths.h': 'src/device/public',
    'sgc_builder.h': 'src/compiler', 'sgd_handlers.h': 'src/device',
    'sgd_x86_ops.h': 'src/device',
}
LIBM = re.compile(r'(?<![\w.>])(sinf?|cosf?|tanf?|expf?|exp2f?|logf?|log2f?|powf?|fmaf?|floorf?|'
                  r'ceilf?|sqrtf?|roundf?|truncf?|ldexpf?|frexpf?)\s*\(')
GETENV = re.compile(r'\bgetenv\s*\(')
INCLUDE = re.compile(r'^\s*#\s*include\s+"([^"]+)"', re.M)
COMMENT = re.compile(r'/\*.*?\*/|//[^\n]*|"(?:\\.|[^"\\])*"', re.S)


def module_of(path):
    for module in MODULES:
        if path.startswith(module + '/'):
            return module
    return None


def where(name, here, headers):
    """Returns the module, or the part of Mesa, of an included file, or None if unknown."""
    base = os.path.basename(name)
    module = module_of(here + '/')
    candidates = headers.get(base, [])
    if any(module_of(c) == module for c in candidates):
        return module
    if base in GENERATED:
        return GENERATED[base]
    # The version, which src/meson.build makes, belongs to all modules.
    if base == 'sgpu_version.h':
        return module
    if candidates:
        other = module_of(candidates[0])
        if other in PUBLIC:
            return other + '/public' if base in PUBLIC[other] else other + '/inside'
        return other
    # Headers that are generated from the tables of parameters and statistics.
    if base.startswith('sgt_'):
        return 'src/timing/inside'
    if name in ('pipe/p_format.h', 'pipe/p_defines.h'):
        return 'pipe-formats'
    if name.startswith('tessellator/'):
        return 'tessellator'
    if re.match(r'(compiler/|nir|shader_enums|glsl_types)', name):
        return 'nir'
    if re.match(r'(pipe|frontend|sw|state_tracker|target-helpers|cso_cache|tgsi|draw|indices|'
                r'renderonly|pipe-loader|pipebuffer|softpipe|winsys|hud|postprocess)/', name):
        return 'gallium'
    if name.startswith('main/'):
        return 'mesa-main'
    if re.match(r'dri_(screen|drawable|context|util)\.h|glapi/glapi\.h|mapi_tmp\.h|GL/osmesa\.h|'
                r'entry\.c$', name):
        return 'dri'
    if re.match(r'util/u_(inlines|blitter|upload_mgr|threaded_context|framebuffer|helpers|'
                r'transfer|surface|screen|draw|prim|resource|live_shader_cache|gen_mipmap|'
                r'sampler|simple_shaders|viewport|tile|suballoc|vbuf)', name):
        return 'gallium'
    if name.startswith('util/') or name in ('c11/threads.h', 'c11_compat.h', 'no_extern_c.h',
                                            'git_sha1.h', 'drm-uapi/drm_fourcc.h'):
        return 'mesa-util'
    return None


def main():
    top = sys.argv[1]
    problems = []
    headers = {}
    files = []
    for folder, _, names in os.walk(os.path.join(top, 'src')):
        for name in names:
            path = os.path.relpath(os.path.join(folder, name), top)
            if name.endswith('.h'):
                headers.setdefault(name, []).append(path)
            if name.endswith(('.c', '.cpp', '.h', '.py', '.mako')):
                files.append(path)

    for path in sorted(files):
        with open(os.path.join(top, path), encoding='utf-8') as f:
            text = f.read()
        lines = text.count('\n')
        if lines > (600 if path.endswith('.c') else 1000):
            problems.append(f'{path}: {lines} lines: split the file')
        module = module_of(path)
        if not module or not path.endswith(('.c', '.cpp', '.h')):
            continue
        for name in INCLUDE.findall(text):
            target = where(name, os.path.dirname(path), headers)
            if target is None:
                problems.append(f'{path}: "{name}" is in no module that this test knows')
            elif target != module and target not in MODULES[module]:
                problems.append(f'{path}: {module} may not include "{name}" of {target}')
        if module in ('src/device', 'src/isa'):
            for call in LIBM.finditer(COMMENT.sub('', text)):
                problems.append(f'{path}: libm call {call.group(1)}()')
        if module != 'src/tools' and GETENV.search(COMMENT.sub('', text)):
            problems.append(f'{path}: getenv(), where secure_getenv() is meant')

    for p in problems:
        print(p, file=sys.stderr)
    print(f'{len(files)} files, {len(problems)} problems')
    return 1 if problems else 0


if __name__ == '__main__':
    sys.exit(main())
