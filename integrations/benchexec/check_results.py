"""Compares the results of a campaign with what its tasks expect: prints a line per run, fails if one differs.

    python3 check_results.py FEWEST RESULTS.xml.bz2...

FEWEST is how many runs there must be at least.
"""

import bz2
import sys
import xml.etree.ElementTree as ElementTree


def runs(path):
    """The runs of a file of results: the task, the property, the answer, what BenchExec says of it, the seconds."""
    with bz2.open(path) as file:
        for run in ElementTree.parse(file).getroot().iter("run"):
            columns = {column.get("title"): column.get("value") for column in run.iter("column")}
            seconds = (columns.get("walltime") or "0s").rstrip("s")
            yield run.get("name"), run.get("properties"), columns.get("status"), columns.get("category"), float(seconds)


def main(fewest, paths):
    all_runs = [run for path in paths for run in runs(path)]
    wrong = [run for run in all_runs if run[3] != "correct"]
    for task, asked, status, category, seconds in all_runs:
        print(f"{category:8} {seconds:6.1f} s  {status:22} {asked:16} {task}")
    print(f"{len(all_runs)} runs, {len(all_runs) - len(wrong)} correct")
    return 1 if wrong or len(all_runs) < fewest else 0


if __name__ == "__main__":
    sys.exit(main(int(sys.argv[1]), sys.argv[2:]))
