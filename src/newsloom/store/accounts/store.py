"""`store.accounts`."""

from __future__ import annotations

from newsloom.store.accounts.app_passwords import AppPasswords
from newsloom.store.accounts.audit import Audit
from newsloom.store.accounts.identities import Identities
from newsloom.store.accounts.invitations import Invitations
from newsloom.store.accounts.members import Members
from newsloom.store.accounts.persons import Persons
from newsloom.store.accounts.sessions import Sessions


class AccountStore(Members, Sessions, AppPasswords, Invitations, Identities, Audit, Persons):
    """Who may sign in, and how."""
