"""`newsloom eval`: quality, measured on labelled articles."""

from __future__ import annotations

import typer

app = typer.Typer(help="Measure quality on labelled articles.", no_args_is_help=True)
