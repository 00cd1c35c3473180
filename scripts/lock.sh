#!/bin/sh
# Resolve the dependencies of pyproject.toml and lab/pyproject.toml into requirements/*.txt: versions
# and hashes, no addresses, one file for all platforms. Run it after changing dependencies; needs uv
# on PATH. Each file repeats the versions of the one before it, and adds to them. What
# requirements/without.txt names is left out of what Newsloom itself runs on, so pip is told to
# install these files as they are (--no-deps). requirements/newer.txt overrides what packages ask for.
set -eu
cd "$(dirname "$0")/.."
common="--override requirements/newer.txt --quiet --generate-hashes --universal --python-version 3.11 --no-header --no-annotate"
without="--override requirements/without.txt"
lab="lab/pyproject.toml --extra peers --no-emit-package newsloom"
uv pip compile $common $without pyproject.toml --output-file requirements/run.txt "$@"
uv pip compile $common $without $lab --constraint requirements/run.txt --output-file requirements/lab.txt "$@"
uv pip compile $common $lab --group pyproject.toml:dev --constraint requirements/lab.txt --output-file requirements/test.txt "$@"
uv pip compile $common --override requirements/without-torch.txt pyproject.toml --group dev --group torch --constraint requirements/test.txt --output-file requirements/torch.txt "$@"
uv pip compile $common pyproject.toml --group dev --extra ray --extra postgres --constraint requirements/test.txt --output-file requirements/ray.txt "$@"
printf 'hatchling\neditables\n' | uv pip compile $common - --output-file requirements/build.txt "$@"
