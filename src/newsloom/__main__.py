"""`python -m newsloom` is the `newsloom` program."""

from newsloom.cli import main

main()
