# SPDX-License-Identifier: MIT
"""One stage of random_arrays.py: its variables and statements.  Each statement is executed for
all of the stage's invocations when it is written."""
import glsl_values as gv
from glsl_values import M32

WORDS = 8     # result words per invocation
ROOM = 40     # maximum invocations of a stage in the result buffer
STAGES = ('vert', 'tesc', 'tese', 'geom', 'frag', 'comp')
# An index of uniforms loses its upper bits in NIR if its byte offset is not below 2^32.
CONSTANTS = (0, 0, 0, 1, 2, 3, 7, 8, 9, 15, 16, 31, 32, 63, 64, 100, 127, 128, 255, 256, 510, 511,
             512, 513, 600, 1000, 4095, 70000)


class Variable:
    """values: the value for each invocation, or one value for all if uniform."""

    def __init__(self, name, t, values, writable=False, uniform=True, own=False):
        self.name, self.t, self.values = name, t, values
        self.writable, self.uniform = writable, uniform
        self.own = own          # each invocation only uses the first element that belongs to it
        self.parts = own        # only parts may be read or written, not the whole
        self.smooth = False     # an input that can be interpolated at other positions
        self.same = False       # the first index is the same in all invocations

    def value(self, i):
        return self.values[0] if self.uniform else self.values[i]


class Stage:
    def __init__(self, program, name, invocations, ident, patch=1):
        self.p, self.r, self.name = program, program.r, name
        self.n, self.ident = invocations, ident
        self.patch = patch      # number of consecutive invocations that share patch outputs
        self.vars, self.decls, self.body = [], [], []
        self.ints, self.floats = [], []
        self.res = [[0] * WORDS for _ in range(invocations)]
        self.at = 0
        self.active = list(range(invocations))
        self.loop = None
        self.indent = 1
        self.functions = []

    def line(self, text):
        self.body.append('   ' * self.indent + text)

    def new_name(self, letter):
        self.p.names += 1
        return '%s%d' % (letter, self.p.names)

    # The following functions return an index as text, and some its value for each invocation.

    def uniform_int(self, value):
        self.ints.append(value & M32)
        n = len(self.ints) - 1
        return 'K%s[%d].%s' % (self.name, n // 4, 'xyzw'[n % 4])

    def uniform_float(self, value):
        self.floats.append(value)
        n = len(self.floats) - 1
        return 'F%s[%d].%s' % (self.name, n // 4, 'xyzw'[n % 4])

    def same_index(self, value, depth=2):
        """Returns an int expression that has this value in all invocations."""
        r = self.r
        c = r.choice(CONSTANTS) * r.choice((1, -1))
        form = r.random()
        plus = lambda x: '' if x == 0 else ' - %d' % -x if x < 0 else ' + %d' % x
        if form < 0.35:
            return '(%s%s)' % (self.uniform_int(value - c), plus(c))
        if form < 0.42:
            return '(%d - %s)' % (c, self.uniform_int(c - value))
        if form < 0.5:
            s, k = r.choice((2, 3, 4, 16)), r.randrange(4)
            return '(%s * %d%s)' % (self.uniform_int(k), s, plus(value - k * s))
        if form < 0.58:
            return 'int(uint(%s) + %du)' % (self.uniform_int(value - c), c & M32)
        if form < 0.66:
            f = r.choice((0.0, 0.25, 0.75))
            c = max(min(c, 4096), -4096)
            text = self.uniform_float(value - c + f)
            return r.choice(('int(floor(%s + %d.0))' % (text, c),
                             '(int(floor(%s))%s)' % (text, plus(c))))
        if form < 0.74:
            a, b = self.uniform_int(value), self.uniform_int(value + 77)
            return r.choice(('min(%s, %s)' % (a, b), '(%s == %d ? %s : %d)' % (
                a, value, a, r.randrange(99))))
        if form < 0.92 and depth:
            found = self.int_element(depth)
            if found:
                text, inner = found
                return '(%s + %s%s)' % (text, self.uniform_int(value - inner - c), plus(c))
        return '%d' % value

    def int_element(self, depth):
        """Returns an integer element of an array, the same in all invocations, or None."""
        found = [v for v in self.vars if v.uniform and not v.writable and not v.parts and
                 v.t[0] == 'a' and (v.t[1][0] == 's' or v.t[1][0] == 'v') and v.t[1][1] in 'iu']
        if not found:
            return None
        v = self.r.choice(found)
        at = self.r.randrange(v.t[2])
        text, value = '%s[%s]' % (v.name, self.same_index(at, depth - 1)), v.values[0][at]
        if v.t[1][0] == 'v':
            c = self.r.randrange(v.t[1][2])
            text, value = '%s.%s' % (text, 'xyzw'[c]), value[c]
        return ('int(%s & 0x7ffu)' % text, value & 0x7ff) if v.t[1][1] == 'u' else (text, value)

    def index(self, n):
        """Returns the text of an index below n, and its values by invocation."""
        r = self.r
        same = r.random()
        if self.loop and n >= self.loop[1] and r.random() < 0.7:
            # The loop variable has a different value in each iteration, which the caller fills in.
            first = r.randrange(n - self.loop[1] + 1)
            return '(%s + %s)' % (self.loop[0], self.same_index(first)), ('loop', first)
        if same < 0.15:
            return str(r.randrange(n)), None
        if same < 0.6 or n < 2:
            at = r.randrange(n)
            return self.same_index(at), [at] * self.n
        m = r.randrange(2, n + 1)
        first = r.randrange(n - m + 1)
        values = [i % m for i in range(self.n)]
        text = '(%s %% %d)' % (self.ident, m)
        if m & (m - 1) == 0 and r.random() < 0.5:
            text = '(%s & %d)' % (self.ident, m - 1)
        if r.random() < 0.3:
            return ('(%s - %s)' % (self.same_index(first + m - 1), text),
                    [first + m - 1 - v for v in values])
        if first or r.random() < 0.8:
            text = '(%s + %s)' % (text, self.same_index(first))
        return text, [first + v for v in values]

    def path(self, v, stop=None, write=False):
        """Returns a random part of v: its text, its type and, for each invocation, the list of
        indices.  The last index may be a tuple that describes a swizzle.  Stops at the first
        scalar, vector or matrix, or at a part of it."""
        r, text, t = self.r, v.name, v.t
        steps = []
        while True:
            if stop and t in stop and not (v.parts and not steps) and (
                    len(stop) == 1 or r.random() < 0.5):
                break
            if not stop and t[0] in 'svm' and r.random() < (1.0 if t[0] == 's' else 0.4):
                break
            if t[0] == 's':
                break
            if t[0] == 'S':
                k = r.randrange(len(t[2]))
                text += '.' + t[2][k][0]
                steps.append(k)
                t = t[2][k][1]
                continue
            if t[0] == 'v' and r.random() < 0.6:
                n = r.choice((1, 1, 2, 3)) if not stop else 1
                comps = [r.randrange(t[2]) for _ in range(n)]
                if write:
                    comps = r.sample(range(t[2]), min(n, t[2]))
                text += '.' + ''.join('xyzw'[c] for c in comps)
                steps.append(comps[0] if len(comps) == 1 else tuple(comps))
                t = ('s', t[1]) if len(comps) == 1 else ('v', t[1], len(comps))
                break
            if v.own and not steps:
                text += '[%s]' % self.ident
                steps.append(list(range(self.n)))
            elif v.same and not steps:
                at = r.randrange(t[2])
                text += '[%s]' % self.same_index(at)
                steps.append(at)
            else:
                index, values = self.index(t[2])
                text += '[%s]' % index
                if values is None:
                    values = int(index)
                steps.append(values)
            t = gv.parts(t)[0]
        return text, t, steps

    def at_step(self, step, i, q):
        if isinstance(step, list):
            return step[i]
        if isinstance(step, tuple) and step[0] == 'loop':
            return step[1] + q
        return step

    def read(self, v, steps, i, q=0):
        value = v.value(i)
        for step in steps:
            step = self.at_step(step, i, q)
            value = [value[c] for c in step] if isinstance(step, tuple) else value[step]
        return value

    def write(self, v, steps, i, new, q=0):
        if not steps:
            if v.uniform:
                v.values[0] = gv.duplicate(new)
            else:
                v.values[i] = gv.duplicate(new)
            return
        value = v.value(i)
        for step in steps[:-1]:
            value = value[self.at_step(step, i, q)]
        last = self.at_step(steps[-1], i, q)
        if isinstance(last, tuple):
            for c, x in zip(last, new):
                value[c] = x
        else:
            value[last] = gv.duplicate(new)

    # Statements.

    def add_result(self, text, values):
        self.line('res[%d] = res[%d] * 31u + %s;' % (self.at, self.at, text))
        for i in self.active:
            self.res[i][self.at] = self.res[i][self.at] * 31 + values(i) & M32

    def read_part(self):
        v = self.r.choice(self.vars)
        text, t, steps = self.path(v, [gv.parts(e)[0] for e in [v.t, *gv.parts(v.t)] if gv.parts(e)
                                       ] if v.smooth and self.r.random() < 0.5 else None)
        if v.smooth and t[0] in 'sv' and not isinstance(steps[-1], tuple) and text[-1] == ']':
            text = self.r.choice(('interpolateAtCentroid(%s)', 'interpolateAtSample(%s, 0)',
                                  'interpolateAtOffset(%s, vec2(0.25, -0.25))')) % text
        if t[0] not in 'svm':
            return
        self.add_result('h(%s)' % text, lambda i: gv.hashes(t, self.read(v, steps, i)))

    def operand(self, t):
        """Returns a scalar or vector of the type: its text, and a function from the invocation
        to the value.  Zeros get no sign, since sums may lose it."""
        text, f = self.plain_operand(t)
        if t[1] in 'fd' and self.r.random() < 0.3:
            zero = any(x == 0 for i in self.active for x in (f(i) if t[0] == 'v' else [f(i)]))
            form, sign = self.r.choice((('abs(%s)', abs),) if zero else (
                ('abs(%s)', abs), ('-(%s)', lambda x: -x), ('-abs(%s)', lambda x: -abs(x))))
            return form % text, lambda i: [sign(x) for x in f(i)] if t[0] == 'v' else sign(f(i))
        return text, f

    def plain_operand(self, t):
        found = [v for v in self.vars if t[1] in gv.bases(v.t)]
        self.r.shuffle(found)
        for v in found[:4]:
            for _ in range(4):
                text, at, steps = self.path(v)
                if at == t:
                    return text, lambda i, v=v, s=steps: self.read(v, s, i)
                if at[0] == 'v' and at[1] == t[1] and t[0] == 's':
                    c = self.r.randrange(at[2])
                    return ('%s.%s' % (text, 'xyzw'[c]),
                            lambda i, v=v, s=steps, c=c: self.read(v, s, i)[c])
        value = gv.filled(t, self.r.getrandbits(32))
        return gv.literal(t, value), lambda i: value

    def arithmetic(self):
        base = self.r.choice('fffiudk')
        t = ('s', base) if base in 'dk' or self.r.random() < 0.5 else \
            ('v', base, self.r.choice((2, 3, 4)))
        (a, x), (b, y), (c, z) = (self.operand(t) for _ in range(3))
        each = lambda f: (lambda i: f(x(i), y(i), z(i)) if t[0] == 's' else
                          [f(*v) for v in zip(x(i), y(i), z(i))])
        if base in 'dk':
            # Words of a buffer, read as 64-bit numbers, have more bits than a sum keeps.
            text, value = a, x
        elif base == 'f':
            form, f = self.r.choice((
                ('%s * %s + %s', lambda a, b, c: a * b + c),
                ('%s + (%s - %s)', lambda a, b, c: a + (b - c)),
                ('%s - %s * %s', lambda a, b, c: a - b * c),
                ('max(%s, min(%s, %s))', lambda a, b, c: max(a, min(b, c)))))
            text, value = form % (a, b, c), each(f)
        else:
            form, f = self.r.choice((
                ('%s * %s + %s', lambda a, b, c: a * b + c & M32),
                ('%s - %s * %s', lambda a, b, c: a - b * c & M32),
                ('(%s ^ %s) + %s', lambda a, b, c: (a ^ b) + c & M32)))
            text, value = form % (a, b, c), each(f)
        self.add_result('h(%s)' % text, lambda i: gv.hashes(t, value(i)))

    def compare(self):
        """Compares whole arrays, structs, matrices and vectors."""
        v = self.r.choice(self.vars)
        text, t, steps = self.path(v, stop=self.p.wholes)
        if v.parts and not steps:
            return
        if self.r.random() < 0.5:
            i = self.r.choice(self.active)
            other = gv.duplicate(self.read(v, steps, i))
            name, f = gv.literal(t, other), lambda i: other
        else:
            same = [x for x in self.vars if x.t == v.t and x.parts == v.parts]
            o = self.r.choice(same)
            for _ in range(20):
                name, at, s2 = self.path(o, stop=self.p.wholes)
                if at == t:
                    break
            else:
                return
            f = lambda i: self.read(o, s2, i)
        self.add_result('h(%s == %s)' % (text, name),
                        lambda i: int(self.read(v, steps, i) == f(i)))

    def written(self, v, steps, t):
        """Returns the new value of a part: text, and function from invocation to value."""
        # Clip distances must stay positive.
        plain = v.name.startswith('gl_')
        if t[0] in 'sv' and not plain and self.r.random() < 0.4:
            text, f = self.operand(t)
            return text, f
        same = [x for x in self.vars if x.t == v.t and not x.parts]
        if same and not plain and self.r.random() < 0.4:
            o = self.r.choice(same)
            for _ in range(10):
                text, at, s2 = self.path(o, stop=[t])
                if at == t:
                    return text, lambda i: self.read(o, s2, i)
        value = gv.filled(t, self.r.getrandbits(32))
        return gv.literal(t, value), lambda i: value

    def store(self, v=None):
        found = [x for x in self.vars if x.writable]
        if not v and not found:
            return
        v = v or self.r.choice(found)
        whole = [t for t in self.p.wholes if t[0] in 'aSm'] if self.r.random() < 0.3 else None
        text, t, steps = self.path(v, stop=whole, write=True)
        form = self.r.random()
        if t[0] == 's' and t[1] in 'iu' and form < 0.3:
            self.line('%s += %s;' % (text, gv.literal(t, 5)))
            for i in self.active:
                self.write(v, steps, i, self.read(v, steps, i) + 5 & M32)
            return
        if t[0] == 's' and t[1] in 'iu' and form < 0.4:
            self.line('%s--;' % text)
            for i in self.active:
                self.write(v, steps, i, self.read(v, steps, i) - 1 & M32)
            return
        new, f = self.written(v, steps, t)
        values = {i: gv.duplicate(f(i)) for i in self.active}
        self.line('%s = %s;' % (text, new))
        for i in self.active:
            self.write(v, steps, i, values[i])

    def call(self):
        """Writes a function with an array parameter that it indexes, and a call."""
        found = [v for v in self.vars if v.t[0] == 'a' and not v.parts and not v.own and
                 v.t[1][0] in 'svm' and v.name.isalnum()]
        if not found:
            return
        v = self.r.choice(found)
        name, e = self.new_name('fn'), v.t[1]
        text, values = self.index(v.t[2])
        at = lambda i: int(text) if values is None else self.at_step(values, i, 0)
        if v.writable and self.r.random() < 0.5:
            value = gv.filled(e, self.r.getrandbits(32))
            self.functions.append('void %s(inout %s, int i, %s) { a[i] = v; }' % (
                name, gv.declare(v.t, 'a'), gv.declare(e, 'v')))
            self.line('%s(%s, %s, %s);' % (name, v.name, text, gv.literal(e, value)))
            for i in self.active:
                self.write(v, [at(i)], i, value)
            return
        self.functions.append('%s %s(%s, int i) { return a[i]; }' % (
            gv.type_name(e), name, gv.declare(v.t, 'a')))
        self.add_result('h(%s(%s, %s))' % (name, v.name, text),
                        lambda i: gv.hashes(e, v.value(i)[at(i)]))

    def looped(self):
        if self.loop:
            return
        n = self.r.choice((2, 2, 3, 4, 5))
        q = self.new_name('q')
        bound = str(n) if self.r.random() < 0.4 else self.uniform_int(n)
        self.line('for (int %s = 0; %s < %s; %s++) {' % (q, q, bound, q))
        self.indent += 1
        self.loop = (q, n)
        store = self.r.random() < 0.4
        found = [v for v in self.vars if v.writable or not store]
        if found:
            v = self.r.choice(found)
            text, t, steps = self.path(v, write=store)
            if store:
                value = gv.filled(t, self.r.getrandbits(32))
                self.line('%s = %s;' % (text, gv.literal(t, value)))
                for k in range(n):
                    for i in self.active:
                        self.write(v, steps, i, value, k)
            else:
                self.line('res[%d] = res[%d] * 31u + h(%s);' % (self.at, self.at, text))
                for k in range(n):
                    for i in self.active:
                        self.res[i][self.at] = (self.res[i][self.at] * 31 + gv.hashes(
                            t, self.read(v, steps, i, k))) & M32
        self.loop = None
        self.indent -= 1
        self.line('}')

    def branch(self):
        if len(self.active) < self.n or self.n < 2:
            return
        k = self.r.choice((2, 3))
        self.line('if (%s %% %d == %s) {' % (self.ident, k, self.same_index(0)))
        self.indent += 1
        self.active = [i for i in range(self.n) if i % k == 0]
        for _ in range(self.r.randrange(1, 4)):
            self.statement(False)
        self.active = list(range(self.n))
        self.indent -= 1
        self.line('}')

    def statement(self, nested=True):
        if self.r.random() < 0.15:
            self.at = (self.at + 1) % WORDS
        choice = self.r.random()
        if choice < 0.35:
            self.read_part()
        elif choice < 0.5:
            self.arithmetic()
        elif choice < 0.57:
            self.compare()
        elif choice < 0.82:
            self.store()
        elif choice < 0.87:
            self.call()
        elif choice < 0.95 or not nested:
            self.looped()
        else:
            self.branch()

    # Storage.

    def constant_array(self):
        t = self.p.array_type()
        name, value = self.new_name('C'), gv.filled(t, self.r.getrandbits(32))
        self.decls.append('const %s = %s;' % (gv.declare(t, name), gv.literal(t, value)))
        self.vars.append(Variable(name, t, [value]))

    def uniform_array(self):
        t = self.p.array_type(large=True, bases='fiubd')
        name = self.new_name('U')
        self.decls.append('uniform %s;' % gv.declare(t, name))
        self.vars.append(Variable(name, t, [gv.uniform_value(t, name)]))

    def block(self):
        """Declares a uniform block, or a storage buffer that is only read."""
        p, r = self.p, self.r
        storage = r.random() < 0.5
        layout = gv.Layout(not storage or r.random() < 0.3, r.random() < 0.3)
        members = tuple((self.new_name('m'), self.p.array_type(large=True))
                        for _ in range(r.choice((1, 2, 3))))
        count = r.choice((1, 1, 3))
        binding = p.binding(storage, count)
        if binding is None:
            return
        t = ('S', '', members)
        size = layout.size(t)
        if size > (1 << 16 if storage else 1 << 14):
            return
        p.bindings.append((storage, binding, count, (size + 15) // 16 * 4))
        name, block = self.new_name('b'), self.new_name('B')
        self.decls.append('layout(%s, %s, binding = %d) %s %s {\n%s} %s%s;' % (
            'std140' if layout.std140 else 'std430', 'row_major' if layout.row_major else
            'column_major', binding, 'readonly buffer' if storage else 'uniform', block,
            ''.join('   %s;\n' % gv.declare(f, m) for m, f in members), name,
            '[%d]' % count if count > 1 else ''))
        values = [layout.load(t, p.buffer_words(storage, binding + k, (size + 15) // 16 * 4), 0)
                  for k in range(count)]
        if count > 1:
            v = Variable(name, ('a', t, count), [values])
        else:
            v = Variable(name, t, values)
        v.parts, v.same = True, count > 1
        self.vars.append(v)

    def owned_storage(self):
        """Declares a storage buffer in which each invocation writes one element."""
        p = self.p
        layout = gv.Layout(self.r.random() < 0.3, self.r.random() < 0.3)
        member = self.new_name('m')
        e = p.element_type(False, 'fiudk', 12)
        t = ('S', '', ((member, ('a', e, self.n)),))
        binding = p.binding(True, 1)
        if binding is None:
            return
        words = p.buffer_words(True, binding, (layout.size(t) + 15) // 16 * 4)
        p.bindings.append((True, binding, 1, len(words)))
        name, block = self.new_name('b'), self.new_name('B')
        self.decls.append('layout(%s, %s, binding = %d) buffer %s { %s; } %s;' % (
            'std140' if layout.std140 else 'std430', 'row_major' if layout.row_major else
            'column_major', binding, block, gv.declare(('a', e, self.n), member), name))
        value = layout.load(t, words, 0)
        v = Variable('%s.%s' % (name, member), ('a', e, self.n), [value[0]], True, own=True)
        self.vars.append(v)
        p.owned.append((binding, layout, t, words, v))

    def local_array(self):
        t = self.p.array_type(large=self.r.random() < 0.3)
        name, value = self.new_name('L'), gv.filled(t, self.r.getrandbits(32))
        where = self.decls if self.r.random() < 0.3 else None
        if where is not None:
            self.decls.append('%s;' % gv.declare(t, name))
            self.line('%s = %s;' % (name, gv.literal(t, value)))
        else:
            self.line('%s = %s;' % (gv.declare(t, name), gv.literal(t, value)))
        self.vars.append(Variable(name, t, [gv.duplicate(value) for _ in range(self.n)], True,
                                  False))

    def shared_array(self):
        e = self.p.element_type(True, 'fiub', 8)
        t = ('a', e, self.n)
        name = self.new_name('S')
        self.decls.append('shared %s;' % gv.declare(t, name))
        v = Variable(name, t, [[None] * self.n], True, own=True)
        value = gv.filled(e, self.r.getrandbits(32))
        self.line('%s[%s] = %s;' % (name, self.ident, gv.literal(e, value)))
        for i in range(self.n):
            v.values[0][i] = gv.duplicate(value)
        self.vars.append(v)
        return v

    def storages(self):
        kinds = [self.constant_array, self.uniform_array, self.uniform_array, self.block,
                 self.block, self.local_array, self.local_array]
        for _ in range(self.r.randrange(2, 6)):
            self.r.choice(kinds)()

    def statements(self, n):
        for _ in range(n):
            self.statement()

    def text(self, head, extra=''):
        ints = self.ints + [0] * (-len(self.ints) % 4) or [0] * 4
        floats = self.floats + [0.0] * (-len(self.floats) % 4) or [0.0] * 4
        vectors = lambda kind, v: ', '.join(
            '%s(%s)' % (kind, ', '.join(x for x in v[i:i + 4])) for i in range(0, len(v), 4))
        lit = [gv.literal(('s', 'i'), v) for v in ints]
        flit = [repr(float(v)) for v in floats]
        found = []
        for t in self.p.struct_types:
            gv.structs(t, found)
        return '\n'.join([
            '#version 450',
            '#extension GL_ARB_gpu_shader_int64 : require',
            'layout(std430, binding = 0) buffer Results { uint results[]; };',
            gv.prelude(),
            ''.join('struct %s {\n%s};\n' % (t[1], ''.join('   %s;\n' % gv.declare(f, m)
                                                           for m, f in t[2])) for t in found),
            'uniform ivec4 K%s[%d] = ivec4[](%s);' % (self.name, len(ints) // 4,
                                                      vectors('ivec4', lit)),
            'uniform vec4 F%s[%d] = vec4[](%s);' % (self.name, len(floats) // 4,
                                                    vectors('vec4', flit)),
            head] + self.decls + self.functions + [
            'void main() {', '   uint res[%d];' % WORDS,
            '   for (int i = 0; i < %d; i++) res[i] = 0u;' % WORDS] + self.body + [
            '   for (int i = 0; i < %d; i++) results[(%d + %s) * %d + i] = res[i];' % (
                WORDS, ROOM * STAGES.index(self.name), self.ident, WORDS), extra, '}', ''])
