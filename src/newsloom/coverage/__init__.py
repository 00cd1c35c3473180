"""What else reports an article, and how far its sources are worth asking. Pure: facts in, values
out.
"""
