"""The recipe of ``docs/recipes`` for DuckDB runs as printed there."""

import importlib.util
import subprocess
import sys
from pathlib import Path

import pytest

RECIPE = Path(__file__).parents[3] / "docs/recipes/duckdb_dialects.py"


@pytest.mark.skipif(
    importlib.util.find_spec("duckdb") is None, reason="duckdb is not installed: pip install duckdb"
)
def test_recipe() -> None:
    run = subprocess.run([sys.executable, RECIPE], capture_output=True, text=True, check=False)
    assert run.returncode == 0, run.stderr
    assert "19979 of 19979 sealed values opened by SQL are right" in run.stdout
    assert "bad rows: [4321]" in run.stdout
