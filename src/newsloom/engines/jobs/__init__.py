"""Whole-history jobs: everything stored computed anew, beside all else, step by step.

A step is one short transaction of results together with how far the job is. What a job makes is in
force when all of it is there.
"""
