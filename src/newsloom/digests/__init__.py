"""A digest: when it is due, what is in it, how it is summed up, and the formats it is sent in.

Pure: groups of articles and what earlier digests told come in, values and texts go out.
"""
