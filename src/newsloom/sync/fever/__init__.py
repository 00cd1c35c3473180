"""The Fever API, as its clients speak it: docs/use/apps.md says which were looked at."""
