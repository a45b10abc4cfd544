# SPDX-License-Identifier: MIT
"""Random GLSL programs that index arrays of every storage, with their expected results.

generate(seed) returns the text of a file for arrays_run: the sources of a compute shader or
of a pipeline, and the expected results of each invocation.  The expected results do not come from
another compiler: each statement is executed here, for all invocations, when it is written.
Every index has a value in range, which is computed from constants of any size, uniforms, the
number of the invocation, elements of other arrays, and floats.  Values are small integers, so
that moves, comparisons, sums and products are exact."""
import random

import glsl_values as gv
from arrays_stage import ROOM, STAGES, WORDS, Stage, Variable


class Program:
    def __init__(self, seed):
        self.r = random.Random(seed)
        self.names = 0
        self.wholes, self.struct_types = [], []
        self.bindings, self.owned = [], []
        self.blocks, self.buffers = 0, 1

    def scalar_base(self, bases):
        return self.r.choice([b for b in 'ffffiiuubdk' if b in bases])

    def element_type(self, nested, bases, room):
        """Returns a type of at most `room` scalars."""
        r = self.r
        choice = r.random()
        base = self.scalar_base(bases)
        t = ('s', base)
        if nested and choice < 0.25 and room >= 6:
            fields = []
            for _ in range(r.choice((1, 2, 3))):
                f = self.element_type(r.random() < 0.3, bases, room // 3)
                if r.random() < 0.4 and gv.count(f) * 3 <= room // 3:
                    f = ('a', f, r.choice((2, 3)))
                fields.append(('f%d' % len(fields), f))
            self.names += 1
            t = ('S', 'T%d' % self.names, tuple(fields))
            self.struct_types.append(t)
        elif choice < 0.4 and base in 'fd' and room >= 4:
            t = ('m', base, r.choice((2, 3, 4)), r.choice((2, 3, 4)))
        elif choice < 0.55 and nested and room >= 8:
            t = ('a', self.element_type(r.random() < 0.3, bases, room // 4), r.choice((2, 3, 4)))
        elif choice < 0.85:
            t = ('v', base, r.choice((2, 3, 4)))
        if gv.count(t) > room:
            t = ('s', base)
        return t

    def note(self, t):
        if t[0] != 's' and t not in self.wholes:
            self.wholes.append(t)
        for p in gv.parts(t):
            self.note(p)

    def array_type(self, large=False, bases='fiubdk', room=40):
        e = self.element_type(True, bases, room // 2)
        n = self.r.choice((2, 3, 4, 5, 8))
        if large:
            n = self.r.choice((3, 5, 17, 60, 130, 200))
            room *= 16
        n = max(min(n, room // gv.count(e)), 1)
        t = ('a', e, n)
        self.note(e)
        return t

    def binding(self, storage, count):
        first, limit = (self.buffers, 8) if storage else (self.blocks, 12)
        if first + count > limit:
            return None
        if storage:
            self.buffers += count
        else:
            self.blocks += count
        return first

    def buffer_words(self, storage, binding, count):
        seed = gv.name_seed('%s%d' % ('s' if storage else 'u', binding))
        return [gv.bits('f', gv.pattern('f', seed, i)) for i in range(count)]

    # Interfaces between stages.

    def interface(self, patch=False, pixels=False):
        """Returns variables between two stages: a list of (name, type, block or None,
        qualifier)."""
        found, room = [], 20 if not patch else 8
        for _ in range(self.r.choice((1, 2, 3)) if not patch else 1):
            t = self.array_type(bases='ffiudk', room=24)
            if gv.slots(t) > room:
                continue
            room -= gv.slots(t)
            self.names += 1
            block = 'Blk%d' % self.names if self.r.random() < 0.3 and not patch else None
            smooth = pixels and gv.bases(t) == {'f'}
            found.append(('v%d' % self.names, t, block, '' if patch else self.r.choice(
                ('', 'centroid ', 'sample ', 'noperspective ')) if smooth else 'flat '))
        if pixels and self.r.random() < 0.3:
            found.append(('gl_ClipDistance', ('a', ('s', 'f'), 8), None, ''))
        return found

    def outputs(self, stage, interface, patch=False):
        """Declares the outputs, fills them, and returns the stage's variables in order."""
        control = stage.name == 'tesc' and not patch
        made = []
        for name, t, block, flat in interface:
            size = '[]' if control else ''
            if block:
                stage.decls.append('out %s { %s%s; } o%s%s;' % (block, flat, gv.declare(t, name),
                                                               name, size))
            else:
                stage.decls.append('%s%sout %s;' % ('patch ' if patch else '', flat,
                                                    gv.declare(t, name, size)))
            at = '[gl_InvocationID]' if control else ''
            text = 'o%s%s.%s' % (name, at, name) if block else name + at
            value = gv.filled(t, self.r.getrandbits(32))
            stage.line('%s = %s;' % (text, gv.literal(t, value)))
            v = Variable(text, t, [gv.duplicate(value) for _ in range(stage.n)], True, False)
            made.append(v)
            stage.vars.append(v)
        return made

    def dimension(self, stage, vertices):
        """Returns the text of the per-vertex dimension.  Inputs of tessellation shaders need
        none, since their size is a constant of GLSL."""
        return '' if not vertices else '[]' if stage in ('tesc', 'tese') else '[%d]' % vertices

    def inputs(self, stage, interface, made, vertices, first, patch=False):
        """Declares the inputs. first(i): the invocation of the previous stage that makes the
        first vertex of invocation i."""
        for (name, t, block, flat), v in zip(interface, made):
            size = self.dimension(stage.name, vertices)
            if block:
                stage.decls.append('in %s { %s%s; } i%s%s;' % (block, flat, gv.declare(t, name),
                                                              name, size))
            else:
                stage.decls.append('%s%sin %s;' % ('patch ' if patch else '', flat,
                                                   gv.declare(t, name, size)))
            if not vertices:
                text = 'i%s.%s' % (name, name) if block else name
                values = [v.values[first(i)] for i in range(stage.n)]
                v = Variable(text, t, values, uniform=False)
                v.smooth = stage.name == 'frag' and flat != 'flat ' and text[:3] != 'gl_'
                stage.vars.append(v)
                continue
            text, at = ('i' + name, ('S', '', ((name, t),))) if block else (name, t)
            each = [[v.values[first(i) + k] for k in range(vertices)] for i in range(stage.n)]
            if block:
                each = [[[x] for x in e] for e in each]
            new = Variable(text, ('a', at, vertices), each, uniform=False)
            new.parts = True
            stage.vars.append(new)

    def attributes(self, stage):
        room = 12
        for _ in range(self.r.choice((1, 2))):
            base = self.scalar_base('fiu')
            e = self.r.choice((('s', base), ('v', base, 4), ('v', base, 3), ('m', 'f', 3, 4),
                               ('m', 'f', 4, 2)))
            t = ('a', e, self.r.choice((2, 3, 4)))
            if gv.slots(t) > room:
                continue
            room -= gv.slots(t)
            self.names += 1
            name = 'A%d' % self.names
            stage.decls.append('in %s;' % gv.declare(t, name))
            self.note(t)
            seed = gv.name_seed(name)

            def value(at, i, n=0):
                if at[0] == 's':
                    return gv.pattern(at[1], seed, i * 64 + n)
                out = []
                for p in gv.parts(at):
                    out.append(value(p, i, n))
                    n += gv.slots(p) * 4 if at[0] in 'am' else 1
                return out
            stage.vars.append(Variable(name, t, [value(t, i) for i in range(stage.n)],
                                       uniform=False))


def compute(p):
    n = p.r.choice((4, 8, 8, 40))
    s = Stage(p, 'comp', n, 'id')
    s.line('id = int(gl_LocalInvocationIndex);')
    s.storages()
    shared = [s.shared_array()] if p.r.random() < 0.5 else []
    if p.r.random() < 0.5:
        s.owned_storage()
    s.statements(p.r.randrange(6, 25))
    if shared:
        s.line('barrier();')
        for v in shared:
            v.own = v.writable = False
        s.statements(6)
    head = 'layout(local_size_x = %d) in;\nint id;' % n
    return [(s, s.text(head))], 0, None


POSITION = '   gl_Position = vec4((float(id) + 0.5) / 4.0 - 1.0, 0.0, 0.0, 1.0);'


def pipeline(p):
    r = p.r
    n = r.choice((2, 4, 8))
    tess, geom = r.random() < 0.5, r.random() < 0.5
    many = tess or geom
    stages, sources = [], []
    names = ['vert'] + (['tesc', 'tese'] if tess else []) + (['geom'] if geom else []) + ['frag']
    made = links = patch_links = patch_made = None
    for k, name in enumerate(names):
        before = names[k - 1] if k else None
        count = 3 * n if name == 'tesc' or (name == 'vert' and many) else n
        s = Stage(p, name, count, 'id')
        head, extra = ['int id;'], []
        vertices = {'vert': 0, 'tesc': 3, 'tese': 3, 'geom': 1 if tess else 3, 'frag': 0}[name]
        if name == 'vert':
            s.line('id = gl_VertexID;')
            p.attributes(s)
        else:
            head.append('flat in int link%s%s;' % (before, p.dimension(name, vertices)))
            s.line('id = link%s%s;' % (before, {'vert': '', 'tesc': '[gl_InvocationID]',
                                                'tese': '[0] / 3', 'frag': '',
                                                'geom': '[0]' if tess else '[0] / 3'}[name]))
            first = (lambda i: i // 3 * 3) if name == 'tesc' else \
                    (lambda i, v=vertices: i * max(v, 1))
            p.inputs(s, links, made, vertices, first)
            if name == 'tese':
                p.inputs(s, patch_links, patch_made, 0, lambda i: 3 * i, True)
        s.storages()
        if name != 'frag':
            links = p.interface(pixels=names[k + 1] == 'frag')
            size = '[]' if name == 'tesc' else ''
            head.append('flat out int link%s%s;' % (name, size))
            s.line('link%s%s = id;' % (name, '[gl_InvocationID]' if size else ''))
            made = p.outputs(s, links)
        if name == 'frag':
            target = ('a', ('v', 'u', 4), 4)
            s.decls.append('layout(location = 0) out uvec4 FO[4];')
            value = gv.filled(target, r.getrandbits(32))
            s.line('FO = %s;' % gv.literal(target, value))
            out = Variable('FO', target, [gv.duplicate(value) for _ in range(n)], True, False)
            s.vars.append(out)
        s.statements(r.randrange(4, 14))
        if name == 'tesc':
            control(p, s, links, made, n)
            head.append('layout(vertices = 3) out;')
            extra.append('   gl_TessLevelOuter[0] = gl_TessLevelOuter[1] = gl_TessLevelOuter[2] = '
                         'gl_TessLevelInner[0] = 1.0;')
            patch_links, patch_made = s.patch_links, s.patch_made
        if name == 'tese':
            head.append('layout(triangles, point_mode) in;')
        if name == 'geom':
            head.append('layout(%s) in;\nlayout(points, max_vertices = 1) out;' % (
                'points' if tess else 'triangles'))
        if name != 'frag' and names[k + 1] == 'frag':
            extra.append(POSITION)
        if name == 'geom':
            extra.append('   EmitVertex();')
        stages.append(s)
        sources.append((s, s.text('\n'.join(head), '\n'.join(extra))))
    mode = 'patches' if tess else 'triangles' if geom else 'points'
    return sources, 3 * n if many else n, (mode, out)


def control(p, s, links, made, n):
    """Adds patch outputs, which the first invocation writes, and reads outputs of other
    invocations."""
    s.patch_links = p.interface(True)
    outs = s.vars
    s.vars = [v for v in s.vars if v not in made]
    s.patch_made = []
    if s.patch_links:
        s.active = [i for i in range(s.n) if i % 3 == 0]
        s.line('if (gl_InvocationID == 0) {')
        s.indent += 1
        s.patch_made = p.outputs(s, s.patch_links, True)
        s.statements(5)
        for v in s.patch_made:
            for _ in range(3):
                s.store(v)
        s.indent -= 1
        s.line('}')
        s.vars = [v for v in s.vars if v not in s.patch_made]
        s.active = list(range(s.n))
    s.line('barrier();')
    for (name, t, block, _), v in zip(links, made):
        text, at = ('o' + name, ('S', '', ((name, t),))) if block else (name, t)
        values = [[v.values[i // 3 * 3 + k] for k in range(3)] for i in range(s.n)]
        if block:
            values = [[[x] for x in e] for e in values]
        new = Variable(text, ('a', at, 3), values, uniform=False)
        new.parts = True
        s.vars.append(new)
    s.statements(5)
    s.vars = outs


def generate(seed, kind=None):
    """Returns the text of the file. kind: 'comp', 'pipeline', or None for a random one."""
    p = Program(seed)
    kind = kind or p.r.choice(('comp', 'pipeline'))
    sources, vertices, draw = (compute if kind == 'comp' else pipeline)(p)
    lines = []
    for s, text in sources:
        lines += ['@stage ' + s.name, text.rstrip('\n')]
    if draw:
        lines.append('@draw %s %d' % (draw[0], vertices))
    for storage, first, count, words in p.bindings:
        for binding in range(first, first + count):
            lines.append('@%s %d %d' % ('storage' if storage else 'uniform', binding, words))
    hexes = lambda words: ' '.join('%x' % w for w in words)
    for s, _ in sources:
        for i, res in enumerate(s.res):
            at = (ROOM * STAGES.index(s.name) + i) * WORDS
            lines.append('@expect results %d %s' % (at, hexes(res)))
    for binding, layout, t, words, v in p.owned:
        words = list(words)
        layout.store(t, words, 0, [v.values[0]])
        lines.append('@expect %d 0 %s' % (binding, hexes(words)))
    if draw:
        for k in range(4):
            lines.append('@expect target%d 0 %s' % (k, ' '.join(
                hexes(v[k]) for v in draw[1].values)))
    return '\n'.join(lines) + '\n'
