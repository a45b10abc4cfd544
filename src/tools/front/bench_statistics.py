# SPDX-License-Identifier: MIT
"""Ratios of paired measurements and their geometric means, with confidence intervals."""

import math
import random
import statistics

from gl_common import OURS

CONFIDENCE = 0.95
RESAMPLES = 2000


def median_interval(values):
    """Returns the confidence interval of the median, from the k-th lowest to the k-th highest
    value. The probability that the median is outside of it does not exceed 1 - CONFIDENCE.  Returns
    None, None if there are too few values."""
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
    """Formats the interval of a ratio, or a note that there are too few pairs for an interval."""
    if result['low'] is None:
        return f'no interval of {pairs} pair{"s" if pairs != 1 else ""}'
    return f'{result["low"]:.2f} to {result["high"]:.2f}'


def summarize(samples):
    """Returns, for each opponent, the median ratio over all pairs and its confidence interval."""
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
    """Returns the geometric mean of the median ratios to a driver over all workloads.

    Its confidence interval is a bootstrap over pairs: the pairs of each workload are resampled with
    replacement, while the set of workloads stays the same.  Returns None if no workload has been
    measured on both drivers.
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
