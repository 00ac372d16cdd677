"""pytest imports by importlib mode, which does not find what lies beside a test file."""

import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).parent))
