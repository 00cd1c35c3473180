"""Related coverage: which articles, what is searched for, and what becomes of each hit. Every step
takes what is in one state and puts it into the next, so that one that is done again, or killed in
the middle, changes nothing twice.
"""
