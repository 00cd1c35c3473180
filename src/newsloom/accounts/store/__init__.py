"""Who may sign in, and how: accounts, sessions, app passwords, invitations, the audit."""
