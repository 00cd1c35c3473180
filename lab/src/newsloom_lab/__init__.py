"""Newsloom's lab: the benchmarks, the measuring of quality, and the politeness suite."""
