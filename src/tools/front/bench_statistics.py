# SPDX-License-Identifier: MIT
"""Ratios of paired measurements, their intervals, and geometric means with theirs."""

import math
import random
import statistics

from gl_common import OURS

CONFIDENCE = 0.95
RESAMPLES = 2000


def median_interval(values):
    """Lower and upper end of the median's interval: the k-th value from
    either end, where the median lies outside with at most the remaining
    probability.  None, None if there are too few values for one."""
    ordered = sorted(values)
    count = len(ordered)
    tail, k = 0.0, 0
    while k < count // 2:
        tail += math.comb(count, k) / 2 ** count
        if 2 * tail > 1 - CONFIDENCE:
            break
        k += 1
    if k == 0:
        return None, None
    return ordered[k - 1], ordered[-k]


def interval_text(result, pairs):
    """The interval of a ratio, or that the pairs give none."""
    if result['low'] is None:
        return f'no interval of {pairs} pair{"s" if pairs != 1 else ""}'
    return f'{result["low"]:.2f} to {result["high"]:.2f}'


def summarize(samples):
    """Per opponent the median of the ratios within pairs, and its interval."""
    summary = {}
    for driver, values in samples.items():
        if driver == OURS:
            continue
        if values is None:
            summary[driver] = None
            continue
        ratios = [ours / theirs for ours, theirs in
                  zip(samples[OURS], values)]
        low, high = median_interval(ratios)
        summary[driver] = {'ratio': statistics.median(ratios),
                           'low': low, 'high': high}
    return summary


def geometric_mean(workloads, driver, seed=1):
    """The geometric mean over workloads of the median ratios to a driver.

    Its interval is a bootstrap over pairs: the pairs of each workload are drawn again, with
    replacement, and the workloads stay as they are.  None if no workload has both drivers.
    """
    ratios = [[ours / theirs for ours, theirs in zip(samples[OURS], samples[driver], strict=True)]
              for samples in workloads if samples.get(driver)]
    if not ratios:
        return None
    medians = [statistics.median(values) for values in ratios]
    result = {'ratio': statistics.geometric_mean(medians), 'least': min(medians),
              'workloads': len(ratios), 'low': None, 'high': None}
    if min(len(values) for values in ratios) > 1:
        numbers = random.Random(seed)
        means = sorted(statistics.geometric_mean(
            [statistics.median(numbers.choices(values, k=len(values))) for values in ratios])
            for _ in range(RESAMPLES))
        tail = (1 - CONFIDENCE) / 2
        result |= {'low': means[int(RESAMPLES * tail)],
                   'high': means[int(RESAMPLES * (1 - tail)) - 1]}
    return result
