# SPDX-License-Identifier: MIT
"""Random GLSL whose results the specification defines bit by bit.

generate(seed, ...) returns the text of a shader that defines "void run(uint id, out uint
res[8])".  The text depends only on the seed and the other parameters.

Integers wrap, shift counts and divisors are masked, indices are in range, and loops are bounded.
Floats and doubles are k / 2^f with |k| smaller than the range of the type.  Each expression has
known bounds, and is folded into a small range before it would be rounded, so that a compiler
cannot change a result by reordering sums.  Zeros are written without a sign."""
import random

from glsl_operations import (BITS, FLOAT_OPS, OPS, SCALAR_OPS, SCALARS, VECTOR_OPS, prelude,
                             type_name, widest)

UNIFORMS = 8
OWN = 4  # number of words in the storage buffer that each invocation may write


class Program:
    def __init__(self, seed, stage='comp'):
        self.r = random.Random(seed)
        self.stage = stage
        self.wide = self.r.random() < 0.6
        self.scopes, self.functions, self.procedures, self.lines = [], [], [], []
        self.count, self.depth, self.cost, self.breaks = 0, 0, 1, 0
        # Draw these numbers in any case, so that the text for a seed depends on nothing else.
        self.storage, self.shared = self.r.random() < 0.4, self.r.random() < 0.4
        self.bases = [b for b in 'iuiufb' + ('dlk' if self.wide else '')
                      if b in 'iu' or self.r.random() < (0.75 if b in 'fb' else 0.4)]
        if stage != 'comp':
            self.shared = False

    # Names and scopes.  A variable is (name, base, size, writable).
    def name(self, letter='v'):
        self.count += 1
        return letter + str(self.count)

    def pick(self, base, size, writable=False):
        found = [v for s in self.scopes for v in s
                 if v[1:3] == (base, size) and (v[3] or not writable)]
        return self.r.choice(found)[0] if found else None

    def any_type(self):
        return self.r.choice(self.bases), self.r.choice((1, 1, 1, 2, 3, 4))

    def constant(self, base):
        r = self.r
        if base in 'fd':
            m, f, _ = BITS[base]
            value = r.choice((0, 1, -1, 2, r.randrange(-2 ** (m + f), 2 ** (m + f)) / 2 ** f))
            return '%s(%s)' % (SCALARS[base], repr(float(value)) + ('lf' if base == 'd' else ''))
        if base == 'b':
            return r.choice(('true', 'false'))
        bits = 64 if base in 'lk' else 32
        top = 2 ** (bits - 1)
        value = r.choice((0, 1, 2, 3, 5, 31, 255, top - 1, top, 2 * top - 1, r.randrange(2 * top),
                          r.randrange(2 * top), r.randrange(100)))
        text = {'u': '%#xu', 'i': 'int(%#xu)', 'k': '%#xUL', 'l': 'int64_t(%#xUL)'}[base]
        return text % value

    def index(self, size, d=1):
        return '%s %% %du' % (self.expr('u', 1, d), size) if size & (size - 1) else \
               '%s & %du' % (self.expr('u', 1, d), size - 1)

    def leaf(self, base, size):
        """Returns a variable, a part of a variable, a uniform, or a constant."""
        r, choice = self.r, self.r.random()
        name = self.pick(base, size)
        if name and choice < 0.6:
            return name
        wider = self.r.choice((2, 3, 4))
        name = self.pick(base, wider)
        if name and choice < 0.8:
            if size == 1 and r.random() < 0.3:
                return '%s[%s]' % (name, self.index(wider, 0))
            return name + '.' + ''.join(r.choice('xyzw'[:wider]) for _ in range(size))
        if choice < 0.95:
            both = size == 1 and base in 'lk'
            word = 'u[%d].%s' % (r.randrange(UNIFORMS),
                                 ''.join(r.choice('xyzw') for _ in range(2 if both else size)))
            if both:
                return ('packInt2x32(ivec2(%s))' if base == 'l' else 'packUint2x32(%s)') % word
            return (word if base == 'u' else
                    '%s(%s%s)' % (type_name(base, size), word, '' if base in 'ib' else ' & 255u'))
        if size > 1:
            return '%s(%s)' % (type_name(base, size),
                               ', '.join(self.leaf(base, 1) for _ in range(size)))
        return self.constant(base)

    def fill(self, text, base, size, d):
        """Replaces {u}, {U}, {u2} and T in an operation by operands and the type's name."""
        parts, out = text.replace('T(', type_name(base, size) + '(').split('{'), ''
        out = parts[0]
        for part in parts[1:]:
            code, rest = part.split('}', 1)
            n = int(code[1:]) if code[1:] else 1 if code.isupper() else size
            out += (str(self.r.randrange(1, 1000)) if code == 'N' else
                    self.expr(code[0].lower(), n, d - 1)) + rest
        return out

    def expr(self, base, size, d):
        if base in BITS:
            return self.wrapped(base, size, self.real(base, size, d))[0]
        if d <= 0 or self.r.random() < 0.15:
            return self.leaf(base, size)
        special = self.special(base, size, d)
        if special:
            return special
        ops = OPS[base] + (SCALAR_OPS if size == 1 else VECTOR_OPS).get(base, []) * 2
        if not self.wide:
            ops = [o for o in ops if not any(c in o for c in ('{k', '{l', '{d'))]
        return self.fill(self.r.choice(ops), base, size, d)

    def special(self, base, size, d):
        """Returns an element of an array, a member, a call, or a word of the storage buffer."""
        choice = self.r.random()
        if choice < 0.1:
            array = self.pick(base, ('array', size))
            if array:
                return '%s[%s]' % (array, self.index(8, d - 1))
        elif choice < 0.16:
            found = [f for f in self.functions if f[1:3] == (base, size)]
            if found and self.cost < 15:
                f = self.r.choice(found)
                return '%s(%s)' % (f[0], ', '.join(self.expr(b, n, d - 1) for b, n in f[3]))
        elif choice < 0.2 and base == 'u' and size == 1 and self.storage:
            return self.r.choice(('d[512u + (%s)]' % self.index(512, d - 1),
                                  'd[id * %du + (%s)]' % (OWN, self.index(OWN, d - 1))))
        elif choice < 0.24 and base == 'u' and size == 4 and self.storage:
            return 'dv[128u + (%s)]' % self.index(128, d - 1)
        return None

    # Expressions of floats are tuples: (text, (magnitude, fraction bits)).
    def wrapped(self, base, size, e):
        m, f, _ = BITS[base]
        return ('w%s(%s)' % (base, e[0]), (m, f)) if e[1][0] > m or e[1][1] > f else e

    def real(self, base, size, d):
        m, f, most = BITS[base]
        r, name = self.r, type_name(base, size)
        if d <= 0 or r.random() < 0.15:
            return self.leaf(base, size), (m, f)
        special = self.special(base, size, d)
        if special:
            return special, (m, f)
        choice = r.random()
        if choice < 0.12:
            source = r.choice(('i', 'u') + (('l', 'k') if self.wide else ()))
            mask = {'i': '255', 'u': '127u', 'l': 'int64_t(255)', 'k': 'uint64_t(255)'}[source]
            return '%s(%s & %s)' % (name, self.expr(source, size, d - 1), mask), (m, 0)
        if choice < 0.16 and self.wide:
            other = 'd' if base == 'f' else 'f'
            e = self.wrapped(other, size, self.real(other, size, d - 1))
            if sum(e[1]) <= most:
                return '%s(%s)' % (name, e[0]), e[1]
        if choice < 0.2:
            return '%s(%s)' % (name, self.expr('b', size, d - 1)), (0, 0)
        if choice < 0.26 and size == 1:
            n = r.choice((2, 3, 4))
            a, b = (self.wrapped(base, n, self.real(base, n, d - 1)) for _ in '..')
            return 'dot(%s, %s)' % (a[0], b[0]), (a[1][0] + b[1][0] + 2, a[1][1] + b[1][1])
        if choice < 0.34 and base == 'f' and size > 1:
            return self.matrix(size, d)
        if choice < 0.37 and base == 'd':
            e = self.wrapped(base, size, self.real(base, size, 0))
            return 'sqrt(%s * %s)' % (e[0], e[0]), e[1]
        if choice < 0.4 and base == 'f' and size == 2:
            e = self.wrapped(base, size, self.real(base, size, d - 1))
            return 'unpackHalf2x16(packHalf2x16(%s))' % e[0], e[1]
        if choice < 0.45 and size == 1:
            a, b = self.real(base, 1, d - 1), self.real(base, 1, d - 1)
            return '(%s ? %s : %s)' % (self.expr('b', 1, d - 1), a[0], b[0]), widest(a[1], b[1])
        text, rule = r.choice(FLOAT_OPS if base == 'f' else FLOAT_OPS[:-1])
        args = [self.real(base, size, d - 1) for _ in range(text.count('%'))]
        if sum(rule(*(a[1] for a in args))) > most - 2:
            args = [self.wrapped(base, size, a) for a in args]
        for a in args:
            text = text.replace('%', a[0].replace('%', '\0'), 1)
        return self.fill(text, base, size, d).replace('\0', '%'), rule(*(a[1] for a in args))

    def matrix(self, size, d):
        """Returns the product of a vector and a small matrix, or a cross product."""
        m, f, _ = BITS['f']
        v = self.wrapped('f', size, self.real('f', size, d - 1))
        if size == 3 and self.r.random() < 0.3:
            w = self.wrapped('f', 3, self.real('f', 3, d - 1))
            return 'cross(%s, %s)' % (v[0], w[0]), (m * 2 + 1, f * 2)
        columns = ['vec%d(%s & 15)' % (size, self.expr('i', size, d - 2)) for _ in range(size)]
        mat = 'mat%d(%s)' % (size, ', '.join(columns))
        mat = self.r.choice((mat, mat, 'transpose(%s)' % mat))
        text = self.r.choice(('(%s * %s)', '(%s)[%s] + %s'))
        if text[1] == '%' and '*' in text:
            return text % self.r.choice(((mat, v[0]), (v[0], mat))), (m + 4 + 2, f)
        return '(%s)' % (text % (mat, self.index(size, d - 2), v[0])), (m + 1, f)

    # Statements.
    def emit(self, text):
        self.lines.append('   ' * (self.depth + 1) + text)

    def block(self, head, count, cost=1, declare=()):
        self.emit(head + ' {')
        self.depth, self.cost = self.depth + 1, self.cost * cost
        self.scopes.append(list(declare))
        for _ in range(count):
            self.statement()
        self.scopes.pop()
        self.depth, self.cost = self.depth - 1, self.cost // cost

    def declare(self):
        base, size = self.any_type()
        if self.r.random() < 0.15:
            kind = type_name(base, size)
            name = self.name('a')
            if self.r.random() < 0.5:
                values = ', '.join(self.expr(base, size, 1) for _ in range(8))
                self.emit('%s %s[8] = %s[8](%s);' % (kind, name, kind, values))
            else:
                value = self.expr(base, size, 1)
                self.emit('%s %s[8];' % (kind, name))
                self.emit('for (int i = 0; i < 8; i++) %s[i] = %s;' % (name, value))
            self.scopes[-1].append((name, base, ('array', size), True))
            return
        value, name = self.expr(base, size, 3), self.name()
        self.emit('%s %s = %s;' % (type_name(base, size), name, value))
        self.scopes[-1].append((name, base, size, True))

    def assign(self):
        base, size = self.any_type()
        name, array = self.pick(base, size, True), self.pick(base, ('array', size), True)
        choice = self.r.random()
        if array and choice < 0.3:
            self.emit('%s[%s] = %s;' % (array, self.index(8), self.expr(base, size, 3)))
        elif not name:
            self.declare()
        elif size > 1 and choice < 0.5:
            n = self.r.randrange(1, size + 1)
            swizzle = ''.join(self.r.sample('xyzw'[:size], n))
            self.emit('%s.%s = %s;' % (name, swizzle, self.expr(base, n, 3)))
        elif size > 1 and choice < 0.6:
            self.emit('%s[%s] = %s;' % (name, self.index(size), self.expr(base, 1, 3)))
        elif base in 'iulk' and choice < 0.8:
            self.emit('%s %s %s;' % (name, self.r.choice(('+=', '-=', '*=', '^=', '|=', '&=')),
                                     self.expr(base, size, 3)))
        else:
            self.emit('%s = %s;' % (name, self.expr(base, size, 4)))

    def branch(self):
        self.block('if (%s)' % self.expr('b', 1, 2), self.r.randrange(1, 4))
        if self.r.random() < 0.5:
            self.emit('}')
            self.block('else', self.r.randrange(1, 4))
        self.emit('}')

    def loop(self):
        trips, i = self.r.randrange(2, 9), self.name('i')
        bound = self.r.choice((str(trips) + 'u', '(%s) %% %du' % (self.expr('u', 1, 2), trips),
                               '(u[%d].x & 7u)' % self.r.randrange(UNIFORMS)))
        self.breaks += 1
        form = self.r.random()
        if form < 0.6:
            n = self.name('n')
            self.emit('uint %s = %s;' % (n, bound))
            self.block('for (uint %s = 0u; %s < %s; %s++)' % (i, i, n, i), self.r.randrange(1, 5),
                       trips, [(i, 'u', 1, False)])
        else:
            self.emit('uint %s = 0u;' % i)
            self.scopes[-1].append((i, 'u', 1, False))
            self.block('while (%s++ < %du)' % (i, trips) if form < 0.8 else 'do',
                       self.r.randrange(1, 5), trips)
        self.breaks -= 1
        self.emit('} while (++%s < %du);' % (i, trips) if form >= 0.8 else '}')

    def switch(self):
        self.emit('switch (int(%s)) {' % self.index(4, 2))
        for case in self.r.sample(range(5), self.r.randrange(1, 5)):
            kept, self.breaks = self.breaks, 0
            self.block('default:' if case == 4 else 'case %d:' % case, self.r.randrange(1, 3))
            self.emit('}' if self.r.random() < 0.3 else '} break;')
            self.breaks = kept
        self.emit('}')

    def outs(self):
        """Writes a call of a built-in function with out parameters."""
        size, (a, b) = self.r.choice((1, 1, 2, 3, 4)), (self.name(), self.name())
        base, text = self.r.choice((('u', 'umulExtended({0}, {0}, %s, %s);'),
                                    ('i', 'imulExtended({0}, {0}, %s, %s);'),
                                    ('u', '%s = uaddCarry({0}, {0}, %s);'),
                                    ('u', '%s = usubBorrow({0}, {0}, %s);')))
        text = text % (a, b)
        self.emit('%s %s, %s;' % (type_name(base, size), a, b))
        first, second = self.expr(base, size, 2), self.expr(base, size, 2)
        self.emit(text.replace('{0}', first, 1).replace('{0}', second, 1))
        self.scopes[-1] += [(a, base, size, True), (b, base, size, True)]

    def memory(self):
        """Writes to the invocation's words of the storage buffer, or to shared words by
        operations whose order does not affect the result."""
        r = self.r
        own = 'd[id * %du + (%s)]' % (OWN, self.index(OWN))
        if self.stage != 'comp':
            return
        if r.random() < 0.5:
            self.emit('%s = %s;' % (own, self.expr('u', 1, 3)))
        elif r.random() < 0.5:
            name = self.name()
            op = r.choice(('Add', 'Min', 'Max', 'And', 'Or', 'Xor', 'Exchange'))
            self.emit('uint %s = atomic%s(%s, %s);' % (name, op, own, self.expr('u', 1, 2)))
            self.scopes[-1].append((name, 'u', 1, True))
        else:
            cell = r.randrange(4)
            self.emit('atomic%s(d[%d], %s);' % (('Add', 'Xor', 'Max', 'Min')[cell], 256 + cell,
                                                self.expr('u', 1, 2)))

    def exchange(self):
        """Exchanges values through shared memory.  Only used at the top level of run(), which
        all invocations reach."""
        array, name = self.r.choice(('s', 's4')), self.name()
        base, size = 'u', 4 if array == 's4' else 1
        self.emit('barrier(); %s[id & 63u] = %s; barrier();' % (array, self.expr(base, size, 3)))
        self.emit('%s %s = %s[%s];' % (type_name(base, size), name, array, self.index(64, 2)))
        self.scopes[-1].append((name, base, size, True))

    def statement(self):
        r, choice = self.r, self.r.random()
        deep = self.depth >= 3 or len(self.lines) > 120
        if choice < 0.25:
            self.declare()
        elif choice < 0.65 or deep:
            self.assign()
        elif choice < 0.75:
            self.branch()
        elif choice < 0.83 and self.cost < 60:
            self.loop()
        elif choice < 0.87:
            self.switch()
        elif choice < 0.89:
            self.outs()
        elif choice < 0.92 and self.procedures and self.cost < 20:
            name, (base, size), params = r.choice(self.procedures)
            changed = self.pick(base, size, True)
            if changed:
                self.emit('%s(%s);' % (name, ', '.join([changed] + [self.expr(b, n, 2)
                                                                    for b, n in params])))
        elif choice < 0.95 and self.storage and self.scopes[0][0][0] == 'id':
            self.memory()
        elif self.breaks:
            self.emit('if (%s) %s;' % (self.expr('b', 1, 2), r.choice(('break', 'continue'))))
        else:
            self.assign()

    def function(self):
        """Writes a function that returns a result, or that changes its first parameter."""
        base, size = self.any_type()
        params = [self.any_type() for _ in range(self.r.randrange(1, 4))]
        name, names = self.name('f'), [self.name('p') for _ in params]
        changes = self.r.random() < 0.3
        self.lines.append('%s %s(%s%s)' % (
            'void' if changes else type_name(base, size), name, 'inout ' if changes else '',
            ', '.join('%s %s' % (type_name(*p), n) for p, n in zip(params, names))))
        self.lines.append('{')
        storage, self.storage = self.storage, False
        self.scopes = [[(n,) + p + (True,) for p, n in zip(params, names)]]
        for _ in range(self.r.randrange(1, 5)):
            self.statement()
        if changes:
            self.emit('%s = %s;' % (names[0], self.expr(*params[0], 3)))
            self.procedures.append((name, params[0], params[1:]))
        else:
            if self.r.random() < 0.3:
                self.emit('if (%s) return %s;' % (self.expr('b', 1, 2), self.expr(base, size, 2)))
            self.emit('return %s;' % self.expr(base, size, 3))
            self.functions.append((name, base, size, params))
        self.lines.append('}')
        self.storage = storage

    def text(self):
        for _ in range(self.r.randrange(0, 4)):
            self.function()
        self.lines += ['void run(uint id, out uint res[8])', '{']
        self.scopes = [[('id', 'u', 1, False)]]
        for _ in range(self.r.randrange(5, 25)):
            if self.r.random() < 0.12:
                if self.shared:
                    self.exchange()
            else:
                self.statement()
        # Every variable contributes to one of the results.
        self.emit('res = uint[8](0u, 0u, 0u, 0u, 0u, 0u, 0u, 0u);')
        for k, (name, _, size, _) in enumerate(self.scopes[0]):
            elements = [name]
            if isinstance(size, tuple):
                elements, size = ['%s[%d]' % (name, i) for i in range(8)], size[1]
            for part in [e + c for e in elements
                         for c in (['.' + c for c in 'xyzw'[:size]] if size > 1 else [''])]:
                self.emit('res[{0}] = (res[{0}] ^ bits({1})) * 16777619u;'.format(k % 8, part))
        self.lines.append('}')
        return '\n'.join(prelude(self.wide) + self.declarations() + self.lines) + '\n'

    def declarations(self):
        values = ', '.join('uvec4(%s)' % ', '.join(self.constant('u') for _ in range(4))
                           for _ in range(UNIFORMS))
        out = ['uniform uvec4 u[%d] = uvec4[%d](%s);' % (UNIFORMS, UNIFORMS, values)]
        if self.stage == 'comp':
            out.append('layout(local_size_x = 64) in;')
        if self.shared:
            out += ['shared uint s[64];', 'shared uvec4 s4[64];']
        if self.storage:
            access = '' if self.stage == 'comp' else 'readonly '
            out += ['layout(std430, binding = 1) %sbuffer D { uint d[1024]; };' % access,
                    'layout(std430, binding = 1) readonly buffer E { uvec4 dv[256]; };']
        return out


def is_pure(seed):
    """Returns whether the program is the same in all stages: it uses no shared memory and no
    storage."""
    program = Program(seed)
    return not program.storage and not program.shared


def fits(seed, stage):
    return stage == 'comp' or not Program(seed).shared


def generate(seed, stage='comp'):
    return Program(seed, stage).text()


def folded(text, id):
    """Returns the program with constants instead of the uniforms and the id."""
    return text.replace('uniform uvec4', 'uvec4').replace(
        'res[8])\n{', 'res[8])\n{\n   id = %du;' % id)
