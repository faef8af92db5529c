"""The example of the README runs as printed, and so do those of the documentation."""

import doctest
import re
import subprocess
import sys
from pathlib import Path

from cipherlane import air, arrow, ciphers, dialects, mac
from cipherlane.dialects import codec

README = Path(__file__).parent.parent / "README.md"


def test_readme() -> None:
    code, air_code, column, values = re.findall(r"^```python\n(.*?)^```", README.read_text(), re.M | re.S)
    for each in (air_code, column, values):
        subprocess.run([sys.executable, "-c", each], check=True)
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert run.stdout.startswith("32 bytes\ntag "), run.stdout


def test_example_of_pdcp() -> None:
    program = Path(__file__).parent.parent / "examples" / "pdcp.py"
    run = subprocess.run([sys.executable, program], capture_output=True, text=True, check=True)
    assert run.stdout.count("63 of 64 PDUs are right") == 3, run.stdout


def test_docstrings() -> None:
    for module in (air, arrow, ciphers, dialects, codec, mac):
        result = doctest.testmod(module)
        assert result.attempted > 0
        assert result.failed == 0
