# SPDX-License-Identifier: MIT
"""The tables of statistics of all timing models.

gen_stats.py generates C structures and the functions that register them from TABLES. Each
stats_*.py contains the tables of some units. stats_base.py describes the format of a row.
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
