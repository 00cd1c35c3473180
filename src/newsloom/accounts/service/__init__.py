"""The use cases of accounts: sign in, sessions, app passwords, invitations, leaving.

Knows the store and how passwords are hashed. Cookies, headers and pages are in web/.
"""
