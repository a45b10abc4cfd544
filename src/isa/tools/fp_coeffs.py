#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Coefficients of the polynomials in src/isa/sgpu_fp.h.

Weighted minimax fit by the Remez exchange on a dense Chebyshev grid, in 50
digits. The coefficients are rounded to single precision one after the other,
highest degree first; after each rounding the remaining ones are fitted again,
so that they absorb the rounding error. Then pairs of coefficients are moved
by a few units in the last place while the largest error falls. Needs
python3-mpmath; the result does not depend on the host.

   python3 src/isa/tools/fp_coeffs.py [src/isa/sgpu_fp.h]

If the header is given as argument, also checks that it contains each coefficient.
"""
import math
import struct
import sys

from mpmath import mp, mpf, cos, lu_solve, log, matrix, pi, sin, sqrt

mp.dps = 50

header = open(sys.argv[1]).read() if len(sys.argv) > 1 else None


def to_float(x):
    """Returns the nearest single-precision value of an mpf, as an mpf."""
    # The conversion rounds twice, via double, which is harmless for a coefficient.
    return mpf(struct.unpack('f', struct.pack('f', float(x)))[0])


def grid(lo, hi, n):
    return [(lo + hi) / 2 - (hi - lo) / 2 * cos(pi * (2 * i + 1) / (2 * n)) for i in range(n)]


def remez(target, weight, powers, xs):
    """Returns the coefficients c that minimize the maximum over xs of |weight(x) (sum c_k
    x^powers_k - target(x))|."""
    n = len(powers)
    w = [weight(x) for x in xs]
    g = [target(x) for x in xs]
    step = (len(xs) - 1) / mpf(n)
    ref = [int(round(i * step)) for i in range(n + 1)]
    for _ in range(60):
        a = matrix(n + 1, n + 1)
        b = matrix(n + 1, 1)
        for row, i in enumerate(ref):
            for col, p in enumerate(powers):
                a[row, col] = w[i] * xs[i] ** p
            a[row, n] = (-1) ** row
            b[row] = w[i] * g[i]
        c = lu_solve(a, b)
        err = [wi * (sum(c[k] * x ** p for k, p in enumerate(powers)) - gi)
               for x, wi, gi in zip(xs, w, g)]
        # Take one extremum from each run of errors with the same sign.
        ext = []
        for i, e in enumerate(err):
            if e == 0:
                continue
            if ext and (err[ext[-1]] > 0) == (e > 0):
                if abs(e) > abs(err[ext[-1]]):
                    ext[-1] = i
            else:
                ext.append(i)
        while len(ext) > n + 1:
            ext.pop(0 if abs(err[ext[0]]) < abs(err[ext[-1]]) else -1)
        if len(ext) < n + 1 or ext == ref:
            break
        ref = ext
    return [c[k] for k in range(n)], max(abs(e) for e in err)


def literal(c):
    """Formats a coefficient as in the header: six hexadecimal digits for 24 bits."""
    if c == int(c * 16) / 16:
        return f'{c}f'
    mantissa, exponent = c.hex().split('p')
    return f'{mantissa[:-7]}p{exponent}f'


def ulp(x):
    return 2.0 ** (math.frexp(x)[1] - 24)


def polish(coeffs, target, weight, xs, low):
    """Changes single coefficients and pairs by up to 4 ulps to minimize the maximum error."""
    # Evaluate basis functions and target in double precision. The error of 1e-16 is far below the
    # errors that are compared here.
    basis = [[float(weight(x) * x ** k) for x in xs] for k in range(len(coeffs))]
    err = [float(weight(x) * (sum(c * x ** k for k, c in enumerate(coeffs)) - target(x)))
           for x in xs]
    c = [float(v) for v in coeffs]
    best = max(map(abs, err))
    moves = [(i, j) for i in range(low, len(c)) for j in range(i, len(c))]
    steps = [(s, t) for s in (-4, -2, -1, 1, 2, 4) for t in range(-4, 5)]
    improved = True
    while improved:
        improved = False
        for i, j in moves:
            bi, bj = basis[i], basis[j]
            for s, t in steps:
                if i == j and t:
                    continue
                di, dj = s * ulp(c[i]), t * ulp(c[j])
                top = 0.0
                for n in range(len(err)):
                    e = abs(err[n] + di * bi[n] + dj * bj[n])
                    if e > top:
                        top = e
                        if top >= best:
                            break
                if top < best * 0.9999:
                    err = [e + di * p + dj * q for e, p, q in zip(err, bi, bj)]
                    c[i] += di
                    c[j] += dj
                    best = top
                    improved = True
    return [mpf(v) for v in c]


def fit(name, target, weight, degree, lo, hi, fixed=(), n=400):
    """Fits a polynomial. `fixed` contains given coefficients of the lowest degrees."""
    xs = grid(mpf(lo), mpf(hi), n)
    low = len(fixed)
    done = {k: mpf(c) for k, c in enumerate(fixed)}
    best = None
    for top in range(degree, low - 1, -1):
        rest = lambda x: target(x) - sum(c * x ** k for k, c in done.items())
        c, err = remez(rest, weight, list(range(low, top + 1)), xs)
        best = best or err
        done[top] = to_float(c[-1])
    coeffs = polish([done[k] for k in range(degree + 1)], target, weight, xs, low)
    err = max(abs(weight(x) * (sum(c * x ** k for k, c in enumerate(coeffs)) - target(x)))
              for x in xs)
    print(f'{name}: degree {degree}, weighted error 2^{float(log(err, 2)):.2f}'
          f' (unrounded 2^{float(log(best, 2)):.2f})')
    for k, c in enumerate(coeffs):
        assert c == to_float(c)
        text = literal(float(c))
        missing = header is not None and text not in header
        print(f'   c{k} = {text}  {float(c):.9g}{"  NOT IN THE HEADER" if missing else ""}')
        if missing:
            sys.exit(1)


def main():
    # 2^f = 1 + f q(f), f in [-1/2, 1/2]; relative error of 2^f.
    fit('EX2', lambda f: (mpf(2) ** f - 1) / f, lambda f: f / mpf(2) ** f, 5,
        -mpf(1) / 2, mpf(1) / 2)

    # log2(1 + t) = t + t r(t), 1 + t in [sqrt(1/2), sqrt(2)]; relative error.
    fit('LG2', lambda t: log(1 + t, 2) / t - 1, lambda t: t / log(1 + t, 2), 9,
        sqrt(mpf(1) / 2) - 1, sqrt(mpf(2)) - 1)

    # sin(r) = r + r z s(z), cos(r) = 1 + z c(z), z = r^2, r in [0, pi/4]; absolute error.
    zmax = (pi / 4) ** 2 * mpf('1.0001')
    fit('SIN', lambda z: (sin(sqrt(z)) / sqrt(z) - 1) / z, lambda z: z * sqrt(z), 2, 0, zmax)
    fit('COS', lambda z: (cos(sqrt(z)) - 1) / z, lambda z: z, 3, 0, zmax, fixed=(-0.5,))


if __name__ == '__main__':
    main()
