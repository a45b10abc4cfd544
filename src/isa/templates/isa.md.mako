<%!
import isa_docs as docs
%>\
# The instruction set

Generated from `src/isa/sgpu_isa.py`, `src/isa/sgpu_opcodes.py` and `src/isa/sgpu_scalar.py` by `src/isa/gen_isa.py`; edit those and run `src/isa/gen_isa.py --docs`.

The programs of all shader stages run on the same cores: a warp of 32 threads (lanes) executes a program together, one instruction at a time, on registers of four 32-bit components. The base profile is the vertex engine of Lindholm, Kilgard and Moreton (2001); the full profile makes it a SIMT machine in the sense of Lindholm, Nickolls, Oberman and Montrym (2008).

The stages are vertex, tessellation control, tessellation evaluation, geometry, pixel and compute ([Stages](#stages)).

1. [Registers](#registers)
2. [Operands](#operands)
3. [Arithmetic](#arithmetic)
4. [Branching](#branching)
5. [Textures and memory](#textures-and-memory)
6. [Stages](#stages)
7. [Profiles](#profiles)
8. [Programs](#programs)
9. [Text form](#text-form)
10. [Encoding](#encoding)
11. [Operations](#operations)
12. [Reserved codes](#reserved-codes)

${'##'} Registers

| file | code | text | registers | read | written | contents |
| --- | --- | --- | --- | --- | --- | --- |
% for name, code, letter, src, dst, size, what in isa.FILES:
| ${name} | ${code} | ${'`%s`' % letter if letter else ''} | ${size if letter else ''} | ${'yes' if src and letter else ''} | ${'yes' if dst and letter else ''} | ${what} |
% endfor

Every register has four components x, y, z, w of 32 bits; the operation determines their type. A predicate has four flags per lane: comparisons whose name ends in P write them, guards read them. ARL and ARI write the address register; relative addressing and integer sources read it.

${'###'} System values

| `s[...]` | code | stages | type | components |
| --- | --- | --- | --- | --- |
% for i, (name, stages, type, what) in enumerate(isa.SYSVALS):
| ${name} | ${i} | ${', '.join({'v': 'vertex', 't': 'control', 'e': 'evaluation', 'g': 'geometry', 'p': 'pixel', 'c': 'compute'}[s] for s in stages)} | ${docs.TYPE_TEXT[type]} | ${what} |
% endfor

${'###'} Samples

The positions of the samples of a pixel from sample 0 on, in 1/16 pixel to the right of and below its upper left corner:

| samples | positions |
| --- | --- |
% for n, places in isa.SAMPLE_POSITIONS.items():
| ${n} | ${' '.join('(%d, %d)' % p for p in places)} |
% endfor

${'###'} Outputs

Vertex programs (the first ${isa.VP1['outputs']} are the base profile's): ${docs.numbered(isa.VS_OUTPUTS)}.

EDGE.x is the edge flag, CLIP0 and CLIP1 are the clip distances, LAYER.x is the layer and LAYER.y the viewport. If a program writes CLIPV, user clip planes are compared with it instead of HPOS. Tessellation and geometry programs have the same outputs. PRID.x is the number of the primitive (geometry programs).

Patches have outputs of their own, `pa[0]` to `pa[${isa.LIMITS['patch_outputs'] - 1}]`, which all invocations of a tessellation control program store to and load from, and tessellation evaluation programs load: ${docs.numbered(isa.PATCH_OUTPUTS)} are the levels of the edges and of the inside. Without a control program, and where it stores none, the levels are those of TESS LEVELS; other outputs start as 0.

Pixel programs: ${docs.numbered(isa.PS_OUTPUTS)}: colours, depth, stencil reference and sample mask (in SMASK.x; with RASTERIZER.Multisample, samples whose bit is 0 are not written).

${'###'} Vertex attributes of the base profile

The names of NV_vertex_program for `v[0]` to `v[15]`: ${docs.numbered(isa.VP1_INPUTS)}. Attributes 6 and 7 have no names.

${'##'} Operands

**Sources.** A source is a register with a swizzle: each position selects one of the register's components. Float and double sources, and those of MOV, DMOV and SEL, then take the absolute value and then the negation; both change only the sign bit. A *scalar* source is one component: its swizzle repeats it.

**64-bit values** are pairs of components, xy and zw, low word first, so a register holds two. A 64-bit source has the low words of its values at the positions x and z and the high words at y and w: the swizzle selects each word. The sign bit of a double is in its high word. A 64-bit result takes whole pairs. Where an operation has both sizes, a 32-bit source is at position x for the first value and z for the second, and a 32-bit result is that of the first value in x and y and that of the second in z and w.

**Relative addressing.** `A0.comp + offset` may index TEMP, INPUT, CONST and OUTPUT registers; each lane has its own address. A source's offset is -512 to 511, a destination's 0 to 255. Out of range, CONST, TEMP and INPUT read (0,0,0,0) and writes are dropped. A relative OUTPUT addresses the range of outputs that its offset is in (${', '.join('%s to %s' % (isa.VS_OUTPUTS[f], isa.VS_OUTPUTS[f + n - 1]) for f, n in isa.VS_OUTPUT_RUNS)}; of pixel programs ${', '.join('%s to %s' % (isa.PS_OUTPUTS[f], isa.PS_OUTPUTS[f + n - 1]) for f, n in isa.PS_OUTPUT_RUNS)}): the program counts as writing all of it, and writes outside it are dropped. A program with relative TEMPs declares their number.

**Results.** A result goes to the components of the write mask. `_SAT` clamps a float result to [0, 1]; NaN and -0 become +0.

**Guards.** `(P0.x)` restricts an instruction to the lanes in which the flag is set, `(!P0.x)` to the others.

**Conditions** of comparisons: bit 0 less, bit 1 equal, bit 2 greater: ${', '.join('`%s` %d' % (c, i) for i, c in enumerate(isa.CONDS))}. With a NaN, only NE and T hold.

${'##'} Arithmetic

Results are the same bits on every host: IEEE single precision, rounding to nearest even, no fused operations, subnormals flushed to zero, NaN results `7fc00000`. Doubles keep subnormals and have a fused multiply-add; their NaN results are `7ff8000000000000`. `docs/accuracy.md` has the rules and measured accuracies; `src/isa/sgpu_fp.h`, `sgpu_fp64.h`, `sgpu_int.h` and `sgpu_int64.h` define the functions in the expressions below.

In an expression, `a`, `b`, `c` are the sources after swizzle and modifiers (`ax` ... `cw` are their components) and `cond` is the condition. `Z(f)` is the function `f`, or `fz` if the instruction's zmul bit is set: then 0 times anything is +0, also times infinity and NaN.

${'##'} Branching

A warp has a set of active lanes and a synchronization stack. An entry has a kind, a target and lanes:

| entry | pushed by | popped by |
| --- | --- | --- |
| meeting point | SSY | SYNC, if it is on top: its lanes continue at its target |
| pending side | a BRA on which lanes disagree: target and lanes of the taken side | SYNC, if it is on top: its lanes continue at its target, and the lanes that were active wait at the meeting point below |
| break point | PBK | the last of its lanes that executes BRK or ends |
| continue point | PCNT | the last of its lanes that executes CONT or ends |

BRK and CONT remove their lanes from every entry above the point; lanes that end leave every entry. When no lane is active, the warp pops entries until one has lanes, and these continue at its target. A warp ends when it has no active lanes and its stack is empty.

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

The device checks a program before it runs:

- branch targets are inside the program or at its end;
- SYNC finds a meeting point, BRK a break point and CONT a continue point;
- all paths to an instruction have the same open points, and none is open at the end of the program;
- the stack's depth, which the program needs, follows: the open points, and at most 31 pending sides, each of which holds a lane.

${'##'} Textures and memory

A texture operation names a texture unit and a sampler (0 to ${isa.LIMITS['textures'] - 1}, 0 to ${isa.LIMITS['samplers'] - 1}) and a target. `tex[A0.x + 3], smp[A0.x + 2]` adds A0.x to both. A unit that is unbound or out of range reads (0,0,0,0). A relative texture unit from ${isa.LIMITS['textures']} on is a handle: the context's texture of that number less ${isa.LIMITS['textures']} with the sampler of the same number, whatever sampler the instruction names; a context has ${isa.LIMITS['handles']} handles, for all stages. A relative image from ${isa.LIMITS['images']} on is the image of a handle likewise.

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

src1.x is the bias of TXB, the level of TXL, and the level or sample of TXF if the target has levels or samples. src1 of TXD is (dx.x, dx.y, dy.x, dy.y). A source that the operation does not read is absent. TG4's component follows the texture, `tex[3].y`; a second source that is not a reference value has integer texel offsets in z and w.

Memory:

| text | memory | read | written |
| --- | --- | --- | --- |
| `cb[n]` | ${isa.LIMITS['banks']} banks of constants; bank 0 is the CONST file | LDC | |
| `l` | scratch memory of the lane, declared in bytes | LDL | STL |
| `buf[n]` | ${isa.LIMITS['buffers']} storage buffers | LDB, ATB, ATBW | STB, ATB, ATBW |
| `sh` | memory that the invocations of a workgroup share | LDS, ATS, ATSW | STS, ATS, ATSW |
| `va[n]` | outputs of the primitive's vertices | LDV | |

Addresses are bytes, (src0.x + offset) modulo 2^32, rounded down to a multiple of 4; component n is the word at address + 4n. Each word is checked separately: loads out of range return 0, stores out of range are dropped, atomic operations out of range do nothing and return 0. ATBW and ATSW round down to a multiple of 8, and both words of their value must be in range. A relative binding (`buf[A0.x + 2]`) that does not exist has no words. LDV counts vertices instead of bytes.

Images: `img[n]` are ${isa.LIMITS['images']} images, each one level of a texture with its layers, or a buffer. Their targets are ${', '.join(isa.IMAGE_TARGETS)}; src0 has the target's coordinates, as integers, and in w the sample of a target with samples. A coordinate, layer or sample that the image does not have is out of range, and so is all of an image that is not bound or is of another target: loads give (0,0,0,0) (but 1 in components that the format of a bound image lacks), stores are dropped, atomic operations do nothing and return 0. ATI works on texels of the formats R32_UINT, R32_SINT and R32_FLOAT, as words.

${'###'} Order and atomicity

Stores and atomic operations on `buf` and `img` are done by the lanes in order of their numbers; those of lanes that are helpers, or were killed or demoted, are not done, and return 0. A lane sees its own accesses in the order of the program. What other lanes of the warp did before, by the order of the warp's instructions, is done; nothing orders the accesses of different warps but BAR, which orders those of a workgroup. An atomic operation on a word is indivisible to other atomic operations on it.

| aop | code | new value | with 64 bits |
| --- | --- | --- | --- |
% for i, (name, what) in enumerate(isa.ATOMICS):
| ${name} | ${i} | ${what} | ${'yes' if i < isa.NUM_WIDE_ATOMICS else ''} |
% endfor

The operations on 64 bits (ATBW, ATSW) have the old value and the data in src1.xy, and for CAS the new value in src1.zw. They are indivisible to each other, and to atomic operations on either word of their value.

${'##'} Stages

| stage | header | state |
| --- | --- | --- |
| vertex | `!!VP1.0` (base profile), `!!SGVP1.0` | runs |
| geometry | `!!SGGP1.0` | runs |
| pixel | `!!SGFP1.0` | runs |
| compute | `!!SGCP1.0` | runs |
| tessellation control | `!!SGTC1.0` | runs |
| tessellation evaluation | `!!SGTE1.0` | runs |

KIL, DMT, LDT and the interpolation operations are for pixel programs only. Operations that read other lanes of the quad (DDX, DDY, DDXF, DDYF, TEX, TXB, LODQ) are for pixel and compute programs only. A quad is four consecutive lanes; in pixel programs they are 2x2 pixels. For operations on quads, the sources of lanes that have ended or never ran are 0, before modifiers. Operations on subgroups see the warp as one subgroup of 32 lanes, in all stages; helper lanes take part. EMITV and CUT are for geometry programs only. Tessellation and geometry programs read the outputs of the previous stage with LDV and have no INPUT registers.

A tessellation control program runs once for each vertex that it makes of a patch (SHADER.Output Vertices). All invocations of a patch are lanes of one warp, so barriers need no operation: where control flow has met again, the outputs of all vertices are there for LDO and LDP. A tessellation evaluation program runs once for each vertex that the tessellator makes.

Compute programs have no inputs and outputs; LDS, STS, ATS and BAR are for them only. Invocation i of a workgroup, counted with x fastest, is lane i modulo 32 of warp i / 32.

${'##'} Profiles

**Base profile** (`!!VP1.0`, vertex programs): the operations marked as such, with these limits:

- at most ${isa.VP1['instructions']} instructions;
- attributes v[0] to v[${isa.VP1['inputs'] - 1}], constants c[0] to c[${isa.VP1['constants'] - 1}] (literals among them), temporaries R0 to R${isa.VP1['temps'] - 1}, outputs HPOS to TEX7;
- at most one distinct attribute and one distinct constant per instruction, each in any number of sources with their own swizzles and signs;
- only A0.x, loaded by ARL from a scalar, and only for constants, with an offset of -${isa.VP1['constants'] - 1} to ${isa.VP1['constants'] - 1};
- no guards, no absolute values, no saturation;
- the zmul bit is set in all operations that have it: 0 times anything is 0.

**Full profile**: all operations, in programs of all stages.

In both profiles temporaries start as (0,0,0,0) and outputs as (0,0,0,1), absent components of attributes are those of (0,0,0,1), and constants out of range read (0,0,0,0).

${'##'} Programs

A program has a stage, a profile, up to ${isa.LIMITS['instructions']} instructions, a number of temporaries, a size of scratch memory (up to ${isa.LIMITS['scratch']} bytes per lane) and literals. A literal is four words; literals are `c[base]`, `c[base + 1]`, ... after the application's constants, and from `c[base]` on the CONST file has only literals. `src/isa/sgpu_program.h` is the C form. A program file begins with the magic `sgpuprog`, a version and a hash (`src/isa/sgpu_program_io.c`).

${'##'} Text form

`sgpu asm` assembles the text form and `sgpu disasm` prints it; the printed text assembles to the same words. White space and comments (`#` to the end of the line) are allowed between any two tokens. Statements of the base profile are those of NV_vertex_program.

```
program     = header { declaration | label ":" | [ guard ] instruction } "END"
header      = "!!VP1.0" | "!!SGVP1.0" | "!!SGTC1.0" | "!!SGTE1.0" | "!!SGGP1.0"
            | "!!SGFP1.0" | "!!SGCP1.0"
declaration = "TEMPS" number ";"
            | "SCRATCH" number ";"                        bytes per lane
            | "DEF" "c" "[" number "]" "="
              "{" value "," value "," value "," value "}" ";"
value       = [ "-" ] decimal                             a float: 1, 0.5, -2e-3
            | "0x" hex                                    bits
guard       = "(" [ "!" ] "P" digit "." comp ")"
instruction = name { "_SAT" | "_Z" } [ "." ( cond | aop | reduction ) ] operands ";"
destination = ( temp | "o" index | "A0" | "P" digit ) [ "." mask ] | "_"
source      = [ "-" ] ( register | "|" register "|" )
register    = ( temp | ( "v" | "c" | "s" ) index | "A0" ) [ "." swizzle ]
temp        = "R" number | "R" index                      R5, R[A0.x + 3]
index       = "[" ( number | name ) "]"                   c[12], o[HPOS], s[FACE]
            | "[" "A0" "." comp [ ( "+" | "-" ) ( number | name ) ] "]"
mask        = one or more of x y z w, in this order
swizzle     = comp | comp comp comp comp                  .x is .xxxx
texture     = "tex" index [ "." comp ] "," [ "smp" index "," ]
              [ "SHADOW" ] target [ "," "(" offset { "," offset } ")" ]
memory      = ( ( "cb" | "buf" | "va" | "vo" ) index | "l" | "sh" | "pa" )
              "[" ( source [ "+" number ] | number | name ) "]"
image       = "img" index "," target
```

Literals are declared in order, without gaps. A branch names a label or the number of an instruction. In the base profile, which always sets the zmul bit, `_Z` is not written.

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

An instruction is 128 bits, four little-endian words. A field has the same place in all operations, and fields that an operation does not use are zero. Decoding refuses any other bit that is set, and every instruction has exactly one encoding.

Word 0: the operation, the guard, the destination.

```
${docs.words()[0]}
```

`opcode`, `sat`, `zmul`: see [Operations](#operations). `guard`: the instruction has a guard; `guard_reg` and `guard_comp` name the flag, `guard_not` inverts it. `dst_mask`: bit 0 is x; stores also use it.

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

A source, in all three places. `index` is unsigned, or with `rel` a signed offset. An optional source that is absent has file NONE and zeros; a source that the operation does not have is all zeros.

```
${docs.source()}
```

`mod` of comparisons:

```
${docs.mod('cond')}
```

`mod` of operations on textures, images, constant banks and buffers: `urel` adds A0.`urelcomp` to the unit and to the sampler, `oreg` takes texel offsets from src1 (TG4).

```
${docs.mod('res')}
```

... or word 3 as a payload. Branches: the number of the target instruction:

```
${docs.payload('branch')}
```

Textures (`off*` are signed; `gcomp` is TG4's component):

```
${docs.payload('tex')}
```

Memory (`offset` is in bytes; in vertices for LDV and LDO, in outputs for LDP and STP):

```
${docs.payload('mem')}
```

Atomic operations on memory:

```
${docs.payload('atomic')}
```

Images (`aop` is ATI's):

```
${docs.payload('image')}
```

EMITV and CUT: the vertex stream:

```
${docs.payload('vertex_stream')}
```

LDT: the target:

```
${docs.payload('fetch')}
```

RED, SCANI, SCANX and their forms for 64 bits, REDW, SCANIW and SCANXW: the operation and the logarithm of the lanes of a cluster:

```
${docs.payload('reduce')}
```

| reduction | code | type | identity | step | with 64 bits: type | identity | step |
| --- | --- | --- | --- | --- | --- | --- | --- |
% for i, (row, wide) in enumerate(zip(isa.REDUCTIONS, isa.WIDE_REDUCTIONS)):
| ${row[0]} | ${i} | ${' | '.join('%s | `%s` | `%s`' % (docs.TYPE_TEXT[r[1]], r[2], r[3]) for r in (row, wide))} |
% endfor

${'##'} Operations

Each operation lists the scalar operations that timing models of machines without vectors issue for it, with all components written (`src/isa/sgpu_scalar.py`); results do not depend on them.

${', '.join('[%s](#%s)' % (o.name, o.name.lower()) for o in ops)}.

% for title, found in docs.sections():

${'###'} ${title}

% for o in found:
${'####'} ${o.name}

`${docs.syntax(o)}`

${docs.facts(o)}; scalar operations: ${sgpu_scalar.summary(*scalar(o))}.

${o.desc}
% if docs.expression(o):

```
${'\n'.join(docs.expression(o))}
```
% endif

% endfor
% endfor
${'##'} Reserved codes

OpenGL 4.6 and OpenGL ES 3.2 need more operations; their operands fit the existing fields. These codes are reserved:

| codes | for | operands |
| --- | --- | --- |
% for first, last, what, why in RESERVED:
| `0x${'%03x' % first}`${'' if first == last else ' to `0x%03x`' % last} | ${what} | ${why} |
% endfor

- **Calls** use the payload word for a target.
- **Stages**: `enum Stage` of the packets has codes for the tessellation stages.
- `mod` has two free bits with `res` and three with `cond`; words 1 and 3 have ${isa.FIELDS['rsvd0'][1]} and ${isa.FIELDS['rsvd1'][1]} free bits; texture targets ${len(isa.TEX_TARGETS)} to 15, atomic operation ${len(isa.ATOMICS)} and system values ${len(isa.SYSVALS)} to 31 are free.
