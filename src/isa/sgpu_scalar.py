# SPDX-License-Identifier: MIT
#
# Operations that a scalar machine executes for each opcode. This is a column of the
# opcode table for timing models (src/timing/trace/sgt_program.h). The results of programs
# do not depend on it.
#
# The machine is similar to Tesla. It has scalar multiply-add units that also compare,
# convert, shift and move, and special function units for reciprocal, reciprocal square
# root, log2, 2^x, sine and cosine (Lindholm 2008, "SM instructions" and "Special-function
# unit"). Texture and memory operations remain vectors. Modifiers of sources, saturation,
# and products that are 0 if a factor is 0 are free. Operations that G80 lacks are
# replaced with the sequences that its compilers generate. The sources of these sequences
# are:
#
#   nv50    Mesa 22.3.6, src/nouveau/codegen/nv50_ir_lowering_nv50.cpp and
#           nv50_ir_from_tgsi.cpp
#   nir     Mesa 22.3.6, src/compiler/nir/nir_lower_int64.c and nir_opt_algebraic.py
#   guide   NVIDIA, CUDA Programming Guide 1.1 (2007), section 5.1.1.1. An SM takes these
#           cycles for a warp: 4 for add, multiply, multiply-add, compare and convert; 16
#           for 1/x, 1/sqrt(x) and log; 32 for sin, cos, exp and sqrt; 16 for a 32-bit
#           integer multiplication
#   assumed no source
#
# A recipe consists of a way and a list of steps. The way defines how often the steps are
# executed:
#   EACH    once for each component of the destination
#   PAIR    once for each pair of components
#   ONE     once; moves copy the result from the first component to all others
#   WHOLE   once
#   VECTOR  the instruction is one operation with all operands
#   FOLDED  the instruction needs no operation
# A step is "[WHEN:] UNIT DST [< SRC...]".
#   WHEN    components: with WHOLE, execute the step if any of them is written
#           1: with EACH, execute the step only for the first component
#           *: execute the step once for each bit of the cluster's size
#   DST     d: the result of a component (EACH), of the pair (PAIR) or of all (ONE)
#           d.x..d.w: a component of the result (WHOLE)
#           dl, dh: low and high word of the result (PAIR)
#           t0..t11: values between the steps of an instruction
#   SRC     a, b, c: position of a source that belongs to the component; with ONE and
#           WHOLE, the first position
#           ax..cw: a given position; al, ah, bl, ...: positions of the pair
#           dl: low word of the result; t0..t11: values between steps

UNITS = ['ALU', 'SFU', 'INTERP', 'TEXTURE', 'MEMORY', 'SHARED', 'CONST', 'CONTROL']
WAYS = ['FOLDED', 'EACH', 'PAIR', 'ONE', 'WHOLE', 'VECTOR']
INNERS = 12

# Codes of operands: a source at a given position, at the component's position, or in the pair;
# temporaries between steps; results.
AT, OWN, WORD, INNER, RESULT, PLACE, LOW, HIGH, NOTHING = 0, 12, 15, 21, 40, 41, 45, 46, 255


def mul(d, a, b, t):
    """Returns steps for the low half of an integer product, computed from 16-bit halves (nv50
    expandIntegerMUL: MUL, MAD, SHL, MAD; guide: 16 cycles)."""
    return [f'ALU {t} < {a} {b}', f'ALU {t} < {a} {b} {t}', f'ALU {t} < {t}',
            f'ALU {d} < {a} {b} {t}']


def mulh(d, a, b, t, u):
    """Returns steps for the high half of an unsigned product: the partial products, then SHR, ADD,
    a predicated MOV and MAD (nv50)."""
    return mul(u, a, b, t) + [f'ALU {t} < {t} {u}', f'ALU {u} < {t}', f'ALU {t} < {t} {u}',
                              f'ALU {d} < {a} {b} {t}']


def mulw(lo, hi, a, b, t):
    """Returns steps for both halves of an unsigned product, with the operations of mulh()."""
    return [f'ALU {t} < {a} {b}', f'ALU {t} < {a} {b} {t}', f'ALU {lo} < {t}',
            f'ALU {lo} < {a} {b} {lo}', f'ALU {t} < {t} {lo}', f'ALU {hi} < {t}',
            f'ALU {t} < {t} {hi}', f'ALU {hi} < {a} {b} {t}']


def udiv(d, a, b, f='ab'):
    """Returns steps for an unsigned quotient that is computed with floats (nv50 handleDIV): an
    estimate, the quotient of the remainder, and a correction. `f` contains the operands of the
    conversions to float."""
    return [f'ALU t0 < {f[0]}', f'ALU t1 < {f[1]}', 'SFU t1 < t1', 'ALU t1 < t1',
            'ALU t2 < t0 t1', 'ALU t2 < t2', *mul('t3', 't2', b, 't4'),
            f'ALU t3 < {a} t3', 'ALU t3 < t3', 'ALU t3 < t3 t1', 'ALU t3 < t3',
            'ALU t2 < t2 t3', *mul('t3', 't2', b, 't4'), f'ALU t3 < {a} t3',
            f'ALU t3 < t3 {b}', f'ALU {d} < t2 t3']


def idiv(d):
    """Returns steps for a signed quotient: the quotient of the absolute values, then XOR of the
    signs, NEG and MOV (nv50)."""
    return ['ALU t5 < a', 'ALU t6 < b', *udiv('t2', 't5', 't6'), 'ALU t3 < a b',
            'ALU t4 < t2 t3', f'ALU {d} < t2 t3 t4']


def double(srcs, d=('dl', 'dh')):
    """Returns 8 steps for an operation on doubles: GT200 has one unit for doubles and 8 other
    units, which gives doubles an eighth of the rate (guide 2.0, section 5.1.1.1). The last two
    steps produce the words of the result."""
    words = [s + w for s in srcs for w in 'lh'] if isinstance(srcs, str) else list(srcs)
    steps = [f'ALU t{i} < {words[i % len(words)]} {words[(i + 1) % len(words)]}'
             for i in range(6)]
    if len(d) == 2:
        return steps + [f'ALU {d[0]} < t0 t1 t2', f'ALU {d[1]} < t3 t4 t5']
    steps[1] += ' t0'
    return steps + ['ALU t5 < t3 t4 t5', f'ALU {d[0]} < t1 t2 t5']


def refine(first, steps, words):
    """Returns steps for a seed, which the SFU computes from the high word, and for its refinement
    in doubles (assumed: the number of Newton iterations needed from 23 bits)."""
    out = [f'ALU t6 < {first}', 'SFU t6 < t6', 'ALU t7 < t6']
    for _ in range(steps - 1):
        out += double(words + ['t6', 't7'], ('t6', 't7'))
    return out + double(words + ['t6', 't7'])


def less(d, a, b):
    """Returns steps for a 64-bit comparison: comparison and equality test of the high words,
    comparison of the low words, AND, OR (nir lower_int64_compare)."""
    return [f'ALU t0 < {a}h {b}h', f'ALU t1 < {a}h {b}h', f'ALU t2 < {a}l {b}l',
            'ALU t1 < t1 t2', f'ALU {d} < t0 t1']


def shift(near, far):
    """Returns steps for a 64-bit shift by a variable (nir lower_ishl64 and similar functions). The
    bits move from word `near` to word `far`."""
    return [f'ALU t0 < a{near} bl', f'ALU t1 < a{far} bl', 'ALU t2 < bl',
            f'ALU t2 < a{near} t2', 'ALU t1 < t1 t2', f'ALU t2 < a{near} bl',
            'ALU t3 < bl', f'ALU d{far} < t1 t2 t3', f'ALU d{near} < t0 t3']


def quotient(signed, remainder):
    """Returns steps for a 64-bit division (assumed): three digits of about 24 bits from a float
    reciprocal, each multiplied by the divisor and subtracted, and a correction. t0 and t1 hold the
    quotient, t2 and t3 the remainder, and t4 the reciprocal."""
    a, b = 'a', 'b'
    out = []
    if signed:
        out += ['ALU t10 < al ah', 'ALU t11 < ah t10', 'ALU t2 < al ah t10',
                'ALU t3 < ah t11', 'ALU t10 < bl bh', 'ALU t11 < bh t10']
        x = ('t10', 't11')
    else:
        out += ['ALU t2 < al', 'ALU t3 < ah']
        x = ('bl', 'bh')
    out += [f'ALU t4 < {x[1]}', f'ALU t4 < {x[0]} t4', 'SFU t4 < t4', 'ALU t4 < t4',
            'ALU t0', 'ALU t1']
    for _ in range(3):
        out += ['ALU t5 < t3', 'ALU t5 < t2 t5', 'ALU t5 < t5 t4', 'ALU t5 < t5',
                *mulw('t6', 't7', 't5', x[0], 't8'), *mul('t9', 't5', x[1], 't8'),
                'ALU t7 < t7 t9', 'ALU t2 < t2 t6', 'ALU t3 < t3 t7 t2', 'ALU t0 < t0 t5',
                'ALU t1 < t1 t0']
    fix = ['ALU t5 < t3 ' + x[1], f'ALU t5 < t2 {x[0]} t5']
    word = ('t2', 't3') if remainder else ('t0', 't1')
    if signed:
        out += fix + ['ALU t6 < ah bh', f'ALU dl < {word[0]} t5 t6', f'ALU dh < {word[1]} dl t6']
        if remainder == 'floor':
            out[-2:] = [f'ALU t7 < {word[0]} t5 t6', f'ALU t8 < {word[1]} t7 t6',
                        'ALU dl < t7 bl', 'ALU dh < t8 bh dl']
        return out
    return out + fix + [f'ALU dl < {word[0]} t5', f'ALU dh < {word[1]} t5 dl']


def table():
    r = {}

    def put(names, way, *steps):
        flat = []
        for s in steps:
            flat += s if isinstance(s, list) else [s]
        for name in names.split():
            assert name not in r
            r[name] = (way, flat)

    # Control. Each Tesla instruction has bits that reconverge lanes or end a thread (nv50: join and
    # exit bits). Continue points need no operation (nv50 handlePRECONT).
    put('NOP SYNC EXIT PCNT', 'FOLDED')

    # SET returns an integer, whose absolute value CVT converts to a float (nv50 handleSET).
    put('SLT SGE SEQ SNE', 'EACH', 'ALU t0 < a b', 'ALU d < t0')
    # Two predicated moves (nv50 handleSELP). The comparison is folded into the operation that
    # computes the first source (Lindholm 2008, "SM instructions").
    put('SEL', 'EACH', 'ALU t0 < a b', 'ALU d < a c t0')
    put('ARL', 'EACH', 'ALU t0 < a', 'ALU d < t0')        # CVT, then SHL to the address register
    put('FRC', 'EACH', 'ALU t0 < a', 'ALU d < a t0')      # FLOOR, SUB (nv50)
    # SET, SET, SUB (nv50's SSG), and CVT for floats.
    put('SSG', 'EACH', 'ALU t0 < a', 'ALU t1 < a', 'ALU t0 < t0 t1', 'ALU d < t0')
    put('ISSG', 'EACH', 'ALU t0 < a', 'ALU t1 < a', 'ALU d < t0 t1')

    # Special functions. Another SFU operation reduces the argument of 2^x, sine and cosine (nv50
    # PREEX2, PRESIN; guide: 32 cycles, as for two operations).
    put('EX2 SIN COS', 'ONE', 'SFU t0 < a', 'SFU d < t0')
    put('SQRT', 'ONE', 'SFU t0 < a', 'SFU d < t0')        # RSQ, RCP (nv50 handleSQRT)
    # 2^floor and the fraction in the result share the same floor.
    put('EXP', 'WHOLE', 'xy: ALU t0 < a', 'x: SFU t1 < t0', 'z: SFU t2 < a', 'y: ALU d.y < a t0',
        'x: SFU d.x < t1', 'z: SFU d.z < t2', 'w: ALU d.w')
    # The exponent needs SHR, ADD, CVT, and the mantissa AND, OR.
    put('LOG', 'WHOLE', 'x: ALU t0 < a', 'x: ALU t0 < t0', 'y: ALU t1 < a', 'z: SFU d.z < a',
        'x: ALU d.x < t0', 'y: ALU d.y < t1', 'w: ALU d.w')
    # MAX, then LG2, MIN, MAX, MUL, PREEX2, EX2 (nv50 handlePOW), and a predicated MOV (Lindholm
    # 2001, section 3.7.3: "about 10 other instructions").
    put('LIT', 'WHOLE', 'z: ALU t0 < ay', 'z: SFU t0 < t0', 'z: ALU t1 < aw', 'z: ALU t1 < t1',
        'z: ALU t0 < t0 t1', 'z: SFU t0 < t0', 'z: SFU t0 < t0', 'z: ALU d.z < ax t0',
        'y: ALU d.y < ax', 'x: ALU d.x', 'w: ALU d.w')

    # Integers.
    put('IMUL', 'EACH', mul('d', 'a', 'b', 't0'))
    put('IMAD', 'EACH', mul('t1', 'a', 'b', 't0'), 'ALU d < t1 c')
    put('UMULH', 'EACH', mulh('d', 'a', 'b', 't0', 't1'))
    # ABS, ABS, XOR; NOT, NOT, ADD, ADD, MOV; MOV, MOV (nv50).
    put('IMULH', 'EACH', 'ALU t2 < a', 'ALU t3 < b', mulh('t4', 't2', 't3', 't0', 't1'),
        'ALU t5 < a b', 'ALU t0 < t4 t5', 'ALU t1 < t1 t5', 'ALU t1 < t1', 'ALU t2 < t0 t1',
        'ALU t3 < t0 t1', 'ALU t2 < t2 t3', 'ALU d < t2 t4 t5')
    put('UDIV', 'EACH', udiv('d', 'a', 'b'))
    put('UMOD', 'EACH', udiv('t2', 'a', 'b'), mul('t3', 't2', 'b', 't4'), 'ALU d < a t3')
    put('IDIV', 'EACH', idiv('d'))
    put('IREM', 'EACH', idiv('t2'), mul('t3', 't2', 'b', 't4'), 'ALU d < a t3')
    # Remainder, plus the divisor if the remainder is not 0 and the signs differ.
    put('IMOD', 'EACH', idiv('t2'), mul('t3', 't2', 'b', 't4'), 'ALU t3 < a t3', 'ALU t4 < a b',
        'ALU t4 < t3 t4', 'ALU d < t3 t4 b')
    # SHL and SHR by 32 - b - c and 32 - c, or by 0 (nir).
    put('UBFE IBFE', 'EACH', 'ALU t0 < b c', 'ALU t0 < t0', 'ALU t0 < a t0', 'ALU t1 < c',
        'ALU t0 < t0 t1', 'ALU d < t0 c')
    put('BFM', 'EACH', 'ALU t0 < a', 'ALU t0 < t0', 'ALU d < t0 b')
    # Lowest bit of the mask from the exponent of its float, then SHL, AND, AND, OR.
    put('BFI', 'EACH', 'ALU t0 < a', 'ALU t0 < a t0', 'ALU t0 < t0', 'ALU t0 < t0', 'ALU t0 < t0',
        'ALU t0 < b t0', 'ALU t0 < a t0', 'ALU t1 < a c', 'ALU d < t0 t1')
    # Four rounds of AND, SHL, SHR, AND, OR, and one round of SHL, SHR, OR (nir).
    put('BREV', 'EACH', 'ALU t0 < a', 'ALU t0 < t0', 'ALU t1 < a', 'ALU t1 < t1',
        'ALU t0 < t0 t1', ['ALU t1 < t0', 'ALU t1 < t1', 'ALU t0 < t0', 'ALU t0 < t0',
                           'ALU t0 < t0 t1'] * 3, 'ALU t1 < t0', 'ALU t0 < t0', 'ALU d < t0 t1')
    # Sums of 2, 4 and 8 bits, a product with 0x01010101 computed from halves, and SHR (nir).
    put('BCNT', 'EACH', 'ALU t0 < a', 'ALU t0 < t0', 'ALU t0 < a t0', 'ALU t1 < t0', 'ALU t1 < t1',
        'ALU t0 < t0', 'ALU t0 < t0 t1', 'ALU t1 < t0', 'ALU t0 < t0 t1', 'ALU t0 < t0',
        mul('t0', 't0', 't0', 't1'), 'ALU d < t0')
    # One bit of the source, converted to a float. The result is its exponent minus the bias, or -1.
    put('FBL FBHU', 'EACH', 'ALU t0 < a', 'ALU t0 < a t0', 'ALU t0 < t0', 'ALU t0 < t0',
        'ALU t0 < t0', 'ALU d < a t0')
    put('FBHI', 'EACH', 'ALU t1 < a', 'ALU t1 < a t1', 'ALU t0 < t1', 'ALU t0 < t1 t0',
        'ALU t0 < t0', 'ALU t0 < t0', 'ALU t0 < t0', 'ALU d < t1 t0')
    # Conversions. A 16-bit product with 65536 and an addition combine the halves.
    put('PK2H', 'ONE', 'ALU t0 < ax', 'ALU t1 < ay', 'ALU d < t0 t1')

    # Interpolation at another place: 1/W and its reciprocal once, then U/W and a product per
    # component (Lindholm 2008, "Special-function unit").
    for name, place in (('IPAC', ''), ('IPAO', ' bx by'), ('IPAS', ' bx')):
        near = f'< a{place}'
        put(name, 'EACH', '1: INTERP t11' + (f' <{place}' if place else ''), '1: SFU t10 < t11',
            'INTERP t0 ' + near, 'ALU d < t0 t10')

    # Subgroups are assumed to work as in later machines of this kind: one operation to vote or to
    # read another lane. Reductions combine pairs of lanes in several rounds.
    put('VEQ VFEQ', 'EACH', 'ALU t0 < a', 'ALU t0 < a t0', 'ALU d < t0')
    put('RED SCANI', 'EACH', 'ALU t0 < a', '*: ALU t1 < t0', '*: ALU t0 < t0 t1', 'ALU d < t0')
    put('SCANX', 'EACH', 'ALU t0 < a', '*: ALU t1 < t0', '*: ALU t0 < t0 t1', 'ALU t0 < t0',
        'ALU d < t0')
    # The same with both words, which are combined as by LADD, whatever the reduction.
    wide = ['ALU t0 < al', 'ALU t1 < ah', '*: ALU t2 < t0', '*: ALU t3 < t1', '*: ALU t0 < t0 t2',
            '*: ALU t1 < t1 t3 t0']
    put('REDW SCANIW', 'PAIR', wide, 'ALU dl < t0', 'ALU dh < t1')
    put('SCANXW', 'PAIR', wide, 'ALU t0 < t0', 'ALU t1 < t1', 'ALU dl < t0', 'ALU dh < t1')

    # The driver passes the sizes of bindings as constants (nv50 handleSUQ, handleBUFQ).
    put('SZB SZI', 'EACH', 'ALU d')

    # Doubles.
    put('DMOV', 'PAIR', 'ALU dl < al', 'ALU dh < ah')
    put('DADD DMUL DMIN DMAX', 'PAIR', double('ab'))
    put('DFMA', 'PAIR', double('abc'))
    put('DDIV', 'PAIR', refine('bh', 7, ['al', 'ah', 'bl', 'bh']))
    put('DSQRT', 'PAIR', refine('ah', 8, ['al', 'ah']))
    put('DFLR DCEIL DTRUNC DROUND DSSG L2D Q2D D2L D2Q', 'PAIR', double('a'))
    put('DFRC', 'PAIR', double('a', ('t6', 't7')), double(['al', 'ah', 't6', 't7']))
    put('DSET DSETP', 'PAIR', double('ab', ('d',)))
    put('F2D I2D U2D F2L F2Q', 'PAIR', double(['al']))
    put('D2F D2I D2U L2F Q2F', 'PAIR', double('a', ('d',)))

    # 64-bit integers. Carries link the two words.
    put('LADD LSUB', 'PAIR', 'ALU dl < al bl', 'ALU dh < ah bh dl')
    put('LNEG', 'PAIR', 'ALU dl < al', 'ALU dh < ah dl')
    put('LABS', 'PAIR', 'ALU t0 < al', 'ALU t1 < ah t0', 'ALU dl < al ah t0', 'ALU dh < ah t1')
    put('LSSG', 'PAIR', 'ALU t0 < al ah', 'ALU t0 < ah t0', 'ALU dl < ah t0', 'ALU dh < ah')
    put('LMUL', 'PAIR', mulw('t0', 't1', 'al', 'bl', 't2'), mul('t2', 'al', 'bh', 't3'),
        'ALU t1 < t1 t2', mul('t2', 'ah', 'bl', 't3'), 'ALU dh < t1 t2', 'ALU dl < t0')
    put('LDIV', 'PAIR', quotient(True, None))
    put('QDIV', 'PAIR', quotient(False, None))
    put('LREM', 'PAIR', quotient(True, 'toward zero'))
    put('LMOD', 'PAIR', quotient(True, 'floor'))
    put('QMOD', 'PAIR', quotient(False, 'toward zero'))
    put('LSHL', 'PAIR', shift('l', 'h'))
    put('QSHR LASHR', 'PAIR', shift('h', 'l'))
    put('LMIN LMAX QMIN QMAX', 'PAIR', less('t0', 'a', 'b'), 'ALU dl < al bl t0',
        'ALU dh < ah bh t0')
    put('LSET LSETP QSET QSETP', 'PAIR', less('d', 'a', 'b'))
    return r


TABLE = table()

# On-chip memory: shared memory of workgroups, and vertices and patches of the stages.
ON_CHIP = {'sh', 'va', 'vo', 'pa'}
SOURCE_UNIT = {'VEC': 'ALU', 'SFU': 'SFU'}


def recipe(o, reads, place):
    """Returns the way and the steps of an opcode. reads(o, s) returns the positions that each
    component reads. place(o) returns the memory that a MEM operation accesses."""
    if o.name in TABLE:
        return TABLE[o.name]
    if o.kind == 'CTL':
        return 'VECTOR', ['CONTROL']
    if o.kind == 'TEX':
        return 'VECTOR', ['TEXTURE']
    if o.kind in ('IMG', 'PIXEL'):
        return 'VECTOR', ['MEMORY']
    if o.kind == 'MEM':
        unit = 'CONST' if place(o) == 'cb' else 'SHARED' if place(o) in ON_CHIP else 'MEMORY'
        return 'VECTOR', [unit]

    unit = SOURCE_UNIT[o.unit]
    names = 'abc'[:len(o.srcs)]
    if o.kind in ('COMP', 'QUAD', 'WARP'):
        return 'EACH', [f'{unit} d < {" ".join(names)}' if names else f'{unit} d']
    if o.kind == 'SCAL':
        return 'ONE', [f'{unit} d < {" ".join(names)}']
    # One product and dependent multiply-adds (Lindholm 2008: multiply-add units).
    if o.kind == 'DOT':
        steps = []
        for i, c in enumerate('xyzw'):
            found = [n + c for s, n in enumerate(names) if reads(o, s)[0] >> i & 1]
            if found:
                steps.append(f'{unit} t0 < ' + ' '.join(found + (['t0'] if steps else [])))
        return 'ONE', steps[:-1] + [steps[-1].replace('t0 <', 'd <', 1)]
    if o.kind in ('VEC', 'SCALV'):
        steps = []
        for i, c in enumerate('xyzw'):
            found = [n + p for s, n in enumerate(names) for k, p in enumerate('xyzw')
                     if reads(o, s)[i] >> k & 1]
            steps.append(f'{c}: {unit if o.kind == "SFU" else "ALU"} d.{c}' +
                         (' < ' + ' '.join(found) if found else ''))
        return 'WHOLE', steps
    raise AssertionError(o.name)


def code(token, way):
    """Returns the code of an operand."""
    if token[0] == 't':
        n = int(token[1:])
        assert n < INNERS
        return INNER + n
    if token[0] == 'd':
        if token == 'd':
            return RESULT
        if token in ('dl', 'dh'):
            assert way == 'PAIR'
            return LOW if token == 'dl' else HIGH
        return PLACE + 'xyzw'.index(token[2])
    s = 'abc'.index(token[0])
    if len(token) == 1:
        return OWN + s if way == 'EACH' else AT + 4 * s
    if token[1] in 'lh':
        assert way == 'PAIR'
        return WORD + 2 * s + 'lh'.index(token[1])
    return AT + 4 * s + 'xyzw'.index(token[1])


def parse(text, way):
    """Parses a step to (unit, when, dst, [src] * 3). `when` is a mask of components, ONCE or
    REPEAT."""
    when = 0
    if ':' in text:
        prefix, text = text.split(':')
        when = {'1': 16, '*': 32}.get(prefix) or sum(1 << 'xyzw'.index(c) for c in prefix)
    left, _, right = text.partition('<')
    unit, *dst = left.split()
    srcs = [code(t, way) for t in right.split()]
    assert unit in UNITS and len(srcs) <= 3, text
    return (unit, when, code(dst[0], way) if dst else NOTHING,
            srcs + [NOTHING] * (3 - len(srcs)))


def inners(steps):
    """Returns the number of temporaries t0 to t(n - 1) that a component has between its steps.
    Excludes temporaries of steps that execute once."""
    return max([d - INNER + 1 for _, when, d, _ in steps
                if INNER <= d < INNER + INNERS and when != 16], default=0)


def most(way, steps):
    """Returns the maximum number of operations for an instruction, including moves to all
    components."""
    times = {'EACH': 4, 'PAIR': 2}.get(way, 1)
    return times * (sum(5 if s[1] == 32 else 1 for s in steps) + 4) + 4


def summary(way, steps):
    """Returns a summary of the steps for the reference page."""
    if way == 'FOLDED':
        return 'none'
    if way == 'VECTOR':
        return f'1 {steps[0][0]}'
    counts = []
    for unit in UNITS:
        n = sum(1 for s in steps if s[0] == unit and s[1] != 32)
        repeated = sum(1 for s in steps if s[0] == unit and s[1] == 32)
        if repeated:
            counts.append(f'{n} + {repeated} log2(lanes) {unit}')
        elif n:
            counts.append(f'{n} {unit}')
    where = {'EACH': ' a component', 'PAIR': ' a pair'}.get(way, '')
    return ', '.join(counts) + where
