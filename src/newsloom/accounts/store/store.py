"""`store.accounts`."""

from __future__ import annotations

from newsloom.accounts.store.app_passwords import AppPasswords
from newsloom.accounts.store.audit import Audit
from newsloom.accounts.store.identities import Identities
from newsloom.accounts.store.invitations import Invitations
from newsloom.accounts.store.members import Members
from newsloom.accounts.store.persons import Persons
from newsloom.accounts.store.sessions import Sessions


class AccountStore(Members, Sessions, AppPasswords, Invitations, Identities, Audit, Persons):
    """Who may sign in, and how."""
