<%!
import isa_docs as docs
%>\
# The instruction set

Generated from `src/isa/sgpu_isa.py` and `src/isa/sgpu_opcodes.py` by `src/isa/gen_isa.py`; edit those and run `src/isa/gen_isa.py --docs`.

sgpu runs vertex, pixel and compute programs on the same cores: a warp of 32 threads (lanes) goes through a program together, one instruction at a time, on registers of four 32-bit components. The vertex engine of Lindholm, Kilgard and Moreton (2001) is its base profile; the full profile adds what a SIMT machine in the sense of Lindholm, Nickolls, Oberman and Montrym (2008) needs.

1. [Registers](#registers)
2. [Operands](#operands)
3. [Arithmetic](#arithmetic)
4. [Branching](#branching)
5. [Textures and memory](#textures-and-memory)
6. [Profiles and stages](#profiles-and-stages)
7. [Programs](#programs)
8. [Text form](#text-form)
9. [Encoding](#encoding)
10. [Operations](#operations)
11. [What is kept free](#what-is-kept-free)

${'##'} Registers

| file | code | text | registers | read | written | what |
| --- | --- | --- | --- | --- | --- | --- |
% for name, code, letter, src, dst, size, what in isa.FILES:
| ${name} | ${code} | ${'`%s`' % letter if letter else ''} | ${size if letter else ''} | ${'yes' if src and letter else ''} | ${'yes' if dst and letter else ''} | ${what} |
% endfor

Every register has four components x, y, z, w of 32 bits, whose meaning is the operation's; predicates have four flags a lane. A predicate is set by FSETP, ISETP and USETP and read by guards; the address register is set by ARL and ARI and read by relative addressing, or as an integer source.

${'###'} System values

| `s[...]` | code | stages | type | components |
| --- | --- | --- | --- | --- |
% for i, (name, stages, type, what) in enumerate(isa.SYSVALS):
| ${name} | ${i} | ${', '.join({'v': 'vertex', 'g': 'geometry', 'p': 'pixel', 'c': 'compute'}[s] for s in stages)} | ${docs.TYPE_TEXT[type]} | ${what} |
% endfor

${'###'} Samples

Where the samples of a pixel are, in 1/16 pixel to the right of and below its upper left corner, from sample 0 on:

| samples | positions |
| --- | --- |
% for n, places in isa.SAMPLE_POSITIONS.items():
| ${n} | ${' '.join('(%d, %d)' % p for p in places)} |
% endfor

${'###'} Outputs

Vertex programs (the first ${isa.VP1['outputs']} are the base profile's): ${docs.numbered(isa.VS_OUTPUTS)}.

EDGE.x is the edge flag, CLIP0 and CLIP1 are the clip distances, LAYER.x is the layer and LAYER.y the viewport. CLIPV is what user clip planes are compared with, where HPOS is not.

Pixel programs: ${docs.numbered(isa.PS_OUTPUTS)}: colours, depth, stencil reference and sample mask (SMASK.x: where primitives cover samples, a sample whose bit is 0 is not written).

${'###'} Vertex attributes of the base profile

Names of NV_vertex_program for `v[0]` to `v[15]`: ${docs.numbered(isa.VP1_INPUTS)}; 6 and 7 have none.

${'##'} Operands

**Sources.** A source is a register seen through a swizzle (each position picks one of the register's components); then, for float sources and for MOV and SEL, the absolute value and then the negation, both of which touch the sign bit alone. A *scalar* source is one component: its swizzle repeats it.

**Relative addressing.** TEMP, INPUT, CONST and OUTPUT registers may be indexed by `A0.comp + offset`; each lane has its own address. A source's offset is -512 to 511, a destination's 0 to 255. Out of range, CONST, TEMP and INPUT read (0,0,0,0) and writes are dropped. A relative OUTPUT moves inside the run that its offset lies in (${', '.join('%s to %s' % (isa.VS_OUTPUTS[f], isa.VS_OUTPUTS[f + n - 1]) for f, n in isa.VS_OUTPUT_RUNS)}; of pixel programs ${', '.join('%s to %s' % (isa.PS_OUTPUTS[f], isa.PS_OUTPUTS[f + n - 1]) for f, n in isa.PS_OUTPUT_RUNS)}), all of which counts as written; what goes past it is dropped. A program with relative TEMPs declares how many it has.

**Results.** A result goes to the components of the write mask. `_SAT` clamps a float result to [0, 1]; NaN and -0 become +0.

**Guards.** `(P0.x)` lets only those lanes take part in which the flag is set, `(!P0.x)` the others.

**Conditions** of comparisons: bit 0 less, bit 1 equal, bit 2 greater: ${', '.join('`%s` %d' % (c, i) for i, c in enumerate(isa.CONDS))}. With a NaN, NE and T hold and no other.

${'##'} Arithmetic

To the bit, on every host: IEEE single precision, round to nearest even, nothing fused, subnormals flushed, NaN results `7fc00000`. `docs/accuracy.md` has the rules and measured accuracies; `src/isa/sgpu_fp.h` and `src/isa/sgpu_int.h` define the functions that the expressions below call. In an expression, `a`, `b`, `c` are the sources after swizzle and modifiers (`ax` ... `cw` their components), `cond` is the condition, and `Z(f)` stands for the function `f`, or for `fz` where the instruction's zmul bit is set: 0 times anything is then +0, also times infinity and NaN.

${'##'} Branching

A warp has a set of active lanes and a synchronization stack. An entry has a kind, a target and lanes:

| entry | pushed by | taken off |
| --- | --- | --- |
| meeting point | SSY | SYNC, when it is on top: its lanes go on at its target |
| pending side | a BRA on which lanes disagree: target and lanes of the taken side | SYNC, when it is on top: its lanes go on at its target, those that were active wait for them below |
| break point | PBK | when all its lanes have come by BRK (or ended) |
| continue point | PCNT | when all its lanes have come by CONT (or ended) |

Lanes that leave by BRK or CONT are taken out of every entry above their point, lanes that end out of every entry. Where no lane is left active, entries are popped until one has lanes; these go on at its target. A warp whose stack is empty and that has no active lanes ends.

```
    SSY joined;              PBK out;
    (!P0.x) BRA other;    loop:
    ...                      PCNT next;
    SYNC;                    (P0.x) BRK;
 other:                      (P1.x) CONT;
    ...                      ...
    SYNC;                    CONT;
 joined:                  next:
                             BRA loop;
                          out:
```

Programs are checked before they run: targets are inside the program (or at its end); SYNC finds a meeting point, BRK a break point, CONT a continue point; the open points are the same along all paths to an instruction, and none is open at the end of the program. The deepest stack follows from this, at most ${isa.LIMITS['stack']} entries: open points, and at most 31 pending sides, each of which holds a lane.

${'##'} Textures and memory

A texture operation names a texture unit and a sampler (0 to ${isa.LIMITS['textures'] - 1}, 0 to ${isa.LIMITS['samplers'] - 1}) and a target. `tex[A0.x + 3], smp[A0.x + 2]` adds A0.x to both. An unbound or too large number reads (0,0,0,0).

| target | code | coordinates | offsets | comparison | levels | samples |
| --- | --- | --- | --- | --- | --- | --- |
% for i, (name, coords, offsets, has) in enumerate(isa.TEX_TARGET_ROWS):
| ${name} | ${i} | ${'xyzw'[:coords]}${' (%s: layer)' % 'xyzw'[coords - 1] if 'a' in has else ''} | ${offsets or ''} | ${('src1.y' if name == 'CUBE_ARRAY' else 'src0.w') if 's' in has else ''} | ${'yes' if 'l' in has else ''} | ${'yes' if 'm' in has else ''} |
% endfor

| operation | targets | comparison | offsets | sampler |
| --- | --- | --- | --- | --- |
% for row in docs.tex_rows():
| ${' | '.join(row)} |
% endfor

src1.x is the bias of TXB, the level of TXL, and the level or sample of TXF where the target has any. src1 of TXD is (dx.x, dx.y, dy.x, dy.y). A source of which nothing is read is absent. TG4's component stands behind the texture, `tex[3].y`; a second source that is no reference value holds texel offsets in z and w as integers.

Memory: `cb[n]` are ${isa.LIMITS['banks']} banks of constants (bank 0 is the CONST file), `l` is each lane's own scratch memory, declared in bytes. Addresses are bytes, (src0.x + offset) modulo 2^32, rounded down to a multiple of 4; component n is the word at address + 4n. Each word is checked alone: out of range it reads 0, and a store is dropped.

${'##'} Profiles and stages

**Base profile** (`!!VP1.0`, vertex programs): the operations marked so, and

- at most ${isa.VP1['instructions']} instructions;
- attributes v[0] to v[${isa.VP1['inputs'] - 1}], constants c[0] to c[${isa.VP1['constants'] - 1}] (literals among them), temporaries R0 to R${isa.VP1['temps'] - 1}, outputs HPOS to TEX7;
- at most one distinct attribute and one distinct constant an instruction, each as often as wanted, with its own swizzle and sign;
- A0.x alone, loaded by ARL from a scalar, for constants alone, with an offset of -${isa.VP1['constants'] - 1} to ${isa.VP1['constants'] - 1};
- no guards, no absolute values, no saturation;
- the zmul bit is set wherever it means something: 0 times anything is 0.

Temporaries start as (0,0,0,0), outputs as (0,0,0,1), absent components of attributes as (0,0,0,1), constants out of range read (0,0,0,0): as in the full profile.

**Full profile**: vertex (`!!SGVP1.0`), pixel (`!!SGFP1.0`) and compute programs (`!!SGCP1.0`). Operations that look at other lanes of the quad (DDX and its like, TEX, TXB, LODQ) and KIL and DMT are for pixel programs. To such an operation the sources of lanes that have ended or never ran are 0, before modifiers. Compute programs have no inputs and outputs.

${'##'} Programs

A program has a stage, a profile, up to ${isa.LIMITS['instructions']} instructions, a number of temporaries, a size of scratch memory (up to ${isa.LIMITS['scratch']} bytes a lane), and literals: four words each, at `c[base]`, `c[base + 1]`, ... behind the constants that the application sets. From its first literal on, the CONST file has literals and nothing else. `src/isa/sgpu_program.h` is the C form; as a file a program begins with the magic `sgpuprog`, a version and a hash (`src/isa/sgpu_program_io.c`).

${'##'} Text form

`sgpu asm` and `sgpu disasm` translate it; what is printed assembles to the same words. White space and comments (`#` to the end of the line) may stand between any two tokens. Statements of the base profile are those of NV_vertex_program.

```
program     = header { declaration | label ":" | [ guard ] instruction } "END"
header      = "!!VP1.0" | "!!SGVP1.0" | "!!SGFP1.0" | "!!SGCP1.0"
declaration = "TEMPS" number ";"
            | "SCRATCH" number ";"                        bytes a lane
            | "DEF" "c" "[" number "]" "="
              "{" value "," value "," value "," value "}" ";"
value       = [ "-" ] decimal                             a float: 1, 0.5, -2e-3
            | "0x" hex                                    bits
guard       = "(" [ "!" ] "P" digit "." comp ")"
instruction = name { "_SAT" | "_Z" } [ "." cond ] operands ";"
destination = ( temp | "o" index | "A0" | "P" digit ) [ "." mask ]
source      = [ "-" ] ( register | "|" register "|" )
register    = ( temp | ( "v" | "c" | "s" ) index | "A0" ) [ "." swizzle ]
temp        = "R" number | "R" index                      R5, R[A0.x + 3]
index       = "[" ( number | name ) "]"                   c[12], o[HPOS], s[FACE]
            | "[" "A0" "." comp [ ( "+" | "-" ) ( number | name ) ] "]"
mask        = some of x y z w, in this order
swizzle     = comp | comp comp comp comp                  .x is .xxxx
texture     = "tex" index [ "." comp ] "," [ "smp" index "," ]
              [ "SHADOW" ] target [ "," "(" offset { "," offset } ")" ]
memory      = ( "cb" index | "l" ) "[" ( source [ "+" number ] | number ) "]"
```

Literals are declared in order, without gaps. A branch names a label (or the number of an instruction). `_Z` is not written in the base profile, where it is always meant.

```
!!VP1.0
DP4 o[HPOS].x, c[0], v[OPOS];          # matrix times position
DP4 o[HPOS].y, c[1], v[OPOS];
DP4 o[HPOS].z, c[2], v[OPOS];
DP4 o[HPOS].w, c[3], v[OPOS];
ARL A0.x, v[WGHT].x;
MAD R1.xyz, v[NRML].yzxw, c[A0.x + 4], -R2;
MOV o[COL0], v[COL0];
END
```

```
!!SGFP1.0
DEF c[4] = { 0.5, 0.0, 1.0, 0x3f000000 };
   TEX R0, v[1], tex[3], smp[2], 2D, (1, -1);
   FSETP.LT P0.x, R0.w, c[4].x;
   (P0.x) KIL;
   MUL_SAT o[COLR0], |R0|, v[0];
END
```

${'##'} Encoding

An instruction is 128 bits, four little-endian words. A field never moves; what an operation has no use for is zero. Every bit is declared here, decoding refuses all else, and every instruction has exactly one encoding.

Word 0: the operation, the guard, the destination.

```
${docs.words()[0]}
```

`opcode`: [Operations](#operations). `sat`, `zmul`: see there. `guard`: there is one; `guard_reg`, `guard_comp` name the flag, `guard_not` inverts it. `dst_mask`: bit 0 is x; stores have it, too.

Word 1: the first source, and relative addressing of the destination.

```
${docs.words()[1]}
```

Word 2: the second source, and `mod`.

```
${docs.words()[2]}
```

Word 3: the third source ...

```
${docs.words()[3]}
```

A source, in all three places. `index` is unsigned, or with `rel` a signed offset. A source that the operation has but this form of it leaves out has file NONE and zeros; a source that the operation does not have is all zeros.

```
${docs.source()}
```

`mod` of comparisons:

```
${docs.mod('cond')}
```

`mod` of operations on textures and constant banks: `urel` adds A0.`urelcomp` to the unit and to the sampler, `oreg` takes texel offsets from src1 (TG4).

```
${docs.mod('res')}
```

... or word 3 as a payload. Of branches, an instruction's number:

```
${docs.payload('branch')}
```

of textures (`off*` are signed; `gcomp` is TG4's component):

```
${docs.payload('tex')}
```

of memory (`offset` in bytes; of LDV in vertices):

```
${docs.payload('mem')}
```

of vertices that a geometry program emits:

```
${docs.payload('vertex_stream')}
```

${'##'} Operations

${', '.join('[%s](#%s)' % (o.name, o.name.lower()) for o in ops)}.

% for title, found in docs.sections():

${'###'} ${title}

% for o in found:
${'####'} ${o.name}

`${docs.syntax(o)}`

${docs.facts(o)}.

${o.desc}
% if docs.expression(o):

```
${'\n'.join(docs.expression(o))}
```
% endif

% endfor
% endfor
${'##'} What is kept free

No field has to move for what OpenGL 4.6 and OpenGL ES 3.2 still need. Codes are kept:

| codes | for | why it fits |
| --- | --- | --- |
% for first, last, what, why in RESERVED:
| `0x${'%03x' % first}`${'' if first == last else ' to `0x%03x`' % last} | ${what} | ${why} |
% endfor

- **64-bit values** live in pairs of components, xy and zw, low word first: masks and swizzles in whole pairs, which the existing fields can say; a register holds two values.
- **Memory, atomics, images**: src0 is the address or the coordinates, src1 the data, and the payload word names the binding with a 24-bit offset, or the image with its target; `urel` makes the binding relative. With src0, src1 and a payload all 128 bits have their place as they are. A result that nobody wants goes to NONE.
- **Barriers, calls, tessellation stages** need a target or nothing: the payload word. Inputs of the vertices of a patch stay where vertex work has put them, and are loaded as LDV does for geometry programs.
- **Subgroup operations** are per component over the lanes of a warp, with the payload word for reduction and cluster.
- **Stages**: tessellation programs have their stage codes already (`enum Stage` of the packets).
- `mod` has two free bits with `res` and three with `cond`; words 1 and 3 have ${isa.FIELDS['rsvd0'][1]} and ${isa.FIELDS['rsvd1'][1]} free bits; texture targets 11 to 15 and system values ${len(isa.SYSVALS)} to 31 are free.
