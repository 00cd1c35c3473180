"""The lab's commands, which `newsloom` finds by the entry points of lab/pyproject.toml."""
