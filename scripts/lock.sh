#!/bin/sh
# Resolve the dependencies of pyproject.toml into requirements/*.txt: versions and hashes, no
# addresses, one file for all platforms. Run it after changing dependencies; needs uv on PATH.
set -eu
cd "$(dirname "$0")/.."
common="--quiet --generate-hashes --universal --python-version 3.11 --no-header --no-annotate"
uv pip compile $common pyproject.toml --output-file requirements/run.txt "$@"
uv pip compile $common pyproject.toml --group dev --constraint requirements/run.txt --output-file requirements/test.txt "$@"
uv pip compile $common pyproject.toml --group dev --group bench --constraint requirements/test.txt --output-file requirements/bench.txt "$@"
uv pip compile $common pyproject.toml --group dev --group torch --constraint requirements/bench.txt --output-file requirements/torch.txt "$@"
printf 'hatchling\neditables\n' | uv pip compile $common - --output-file requirements/build.txt "$@"
