# SPDX-License-Identifier: MIT
"""Statistics of the timing models: structures and their registration come from here.

stats_base.py says how a row is written.  A chip's units have tables in files of their own,
stats_*.py, which TABLES lists.
"""

import stats_chip
import stats_engines
import stats_eu
import stats_front
import stats_memory
import stats_sm
import stats_texrop

TABLES = []
TABLES += stats_chip.TABLES
TABLES += stats_engines.TABLES
TABLES += stats_eu.TABLES
TABLES += stats_front.TABLES
TABLES += stats_memory.TABLES
TABLES += stats_sm.TABLES
TABLES += stats_texrop.TABLES
