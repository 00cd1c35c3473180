"""The Google Reader API, as its clients speak it: docs/sync.md says which were looked at."""
