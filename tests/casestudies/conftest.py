"""The case studies are no part of the installed package: find them beside it."""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[2]))
