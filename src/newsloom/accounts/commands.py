"""`newsloom user`: who may sign in. Passwords come from a prompt or standard input, never as words
of the command, which others on the machine can see."""

from __future__ import annotations

import sys
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from newsloom.cli.common import Json, note, on_terminal, say, session, show_json, show_table
from newsloom.cli.group import Commands
from newsloom.kernel import files
from newsloom.kernel.errors import UserError

if TYPE_CHECKING:
    from newsloom.accounts.service.account_service import AccountService
    from newsloom.accounts.values import Role
    from newsloom.app import App

app = Commands()
app_passwords = Commands()
app.add_typer(app_passwords, name="app-password", help="Manage app passwords.")

Name = Annotated[str, typer.Argument(help="The user name.")]
Admin = Annotated[bool, typer.Option("--admin", help="An administrator.")]


def _account_service(app: App) -> AccountService:
    from newsloom.app import account_wiring

    return account_wiring.account_service(app)


def _role(admin: bool) -> Role:
    from newsloom.accounts.values import Role

    return Role.ADMIN if admin else Role.READER


def _password() -> str:
    """A new password, asked twice; of a pipe its first line."""
    if not sys.stdin.isatty():
        return sys.stdin.readline().rstrip("\r\n")
    given: str = typer.prompt("Password", hide_input=True, confirmation_prompt=True, err=True)
    return given


@app.command("add", help="Create an account. The first is an administrator and turns sign-in on.")
def add(
    context: typer.Context,
    name: Name,
    admin: Admin = False,
    as_user: Annotated[
        str, typer.Option("--for-user", help="Take over the data of this user.")
    ] = "",
) -> None:
    from newsloom.accounts import names
    from newsloom.accounts.service import people

    names.checked(name)
    with session(context).open() as app:
        users = {known: user for user, known in app.store.users.users()}
        if as_user and as_user not in users:
            raise UserError(f"There is no user {as_user!r:.80}: there are {', '.join(users)}.")
        made = people.add(
            _account_service(app),
            name,
            _password(),
            _role(admin),
            users[as_user] if as_user else None,
        )
        say(f"{made.name} can sign in now{', as an administrator' if made.first or admin else ''}.")
        if made.first:
            note(
                f"This is the first account. It takes over what the user {app.settings.user!r} "
                f"follows "
                "and has read, and from now on everybody signs in."
            )
        elif not as_user:
            note(f"On the command line it is NEWSLOOM_USER={made.name}.")


@app.command("list", help="List accounts.")
def list_(context: typer.Context, as_json: Json = False) -> None:
    with session(context).open() as app:
        users = dict(app.store.users.users())
        rows = [
            {
                "name": one.name,
                "role": one.role.value,
                "user": users[one.user],
                "since": one.made_at.strftime("%Y-%m-%d"),
                "sessions": len(app.store.accounts.sessions_of(one.user, app.now())),
            }
            for one in app.store.accounts.accounts()
        ]
        if as_json:
            show_json(rows)
        elif rows or not on_terminal():
            columns = ("name", "role", "user", "since", "sessions")
            show_table(columns, [[str(row[one]) for one in columns] for row in rows])
        else:
            say("Sign-in is off. Create the first account with `newsloom user add NAME`.")


@app.command("passwd", help="Change a password and sign out all sessions.")
def passwd(
    context: typer.Context,
    name: Name,
    revoke: Annotated[
        bool, typer.Option("--revoke-app-passwords", help="Also remove all app passwords.")
    ] = False,
) -> None:
    from newsloom.accounts.service import people

    with session(context).open() as app:
        account = people.named(_account_service(app), name)
        people.set_password(_account_service(app), account, _password())
        say(f"The password of {account.name} is changed; all sessions are signed out.")
        programs = len(app.store.accounts.app_passwords(account.user))
        if revoke:
            people.revoke_app_passwords(_account_service(app), account.user)
            say(f"App passwords removed: {programs}.")
        elif programs:
            note(f"App passwords that still work: {programs}. --revoke-app-passwords removes them.")


@app.command("role", help="Change the role of an account.")
def role(
    context: typer.Context,
    name: Name,
    role: Annotated[str, typer.Argument(help="admin or reader.")],
) -> None:
    from newsloom.accounts.service import people
    from newsloom.accounts.values import Role

    if role not in {one.value for one in Role}:
        raise UserError("The role must be admin or reader.")
    with session(context).open() as app:
        people.set_role(
            _account_service(app), people.named(_account_service(app), name), Role(role)
        )
        say(f"{name} is {'an administrator' if role == Role.ADMIN.value else 'a reader'} now.")


@app.command("remove", help="Delete an account and all its data.")
def remove(
    context: typer.Context,
    name: Name,
    yes: Annotated[bool, typer.Option("--yes", help="Do not ask for confirmation.")] = False,
    keep: Annotated[
        bool,
        typer.Option("--keep-reading", help="Delete only the account, keep the data."),
    ] = False,
) -> None:
    from newsloom.accounts.service import people

    with session(context).open() as app:
        accounts = _account_service(app)
        account = people.named(accounts, name)
        if not yes:
            what = "the account" if keep else "the account and everything"
            typer.confirm(f"Delete {what} of {account.name}?", abort=True, err=True)
        if keep:
            people.close(accounts, account)
        else:
            people.remove(accounts, account)
        say(f"{account.name} removed.")
        if not app.store.accounts.any_account():
            note("This was the last account. Sign-in is off now.")


@app.command("invite", help="Create an invitation link for one account, valid for a week.")
def invite(context: typer.Context, admin: Admin = False) -> None:
    from newsloom.accounts.service import people

    with session(context).open() as app:
        if not app.store.accounts.any_account():
            raise UserError("Create your own account first with `newsloom user add NAME`.")
        token, over = people.invite(_account_service(app), _role(admin), None)
        say(f"{app.settings.web.address}/invited/{token}")
        note(f"For one account, valid until {over:%Y-%m-%d %H:%M} UTC.")


@app.command("export", help="Export the data of a user to a zip file.")
def export(
    context: typer.Context,
    name: Name,
    file: Annotated[Path, typer.Argument(help="The file to write. It must not exist.")],
) -> None:
    from newsloom.accounts.service import exporting, people
    from newsloom.feeds.service import subscribing

    with session(context).open() as app:
        account = people.named(_account_service(app), name)
        opml = subscribing.export_opml(replace(app, user=account.user).reader())
        sounds = app.settings.brief.folder.expanduser()
        pieces = exporting.archive(app.store, account.user, opml, sounds)
        try:
            with open(file, "xb", opener=files.private) as out:
                try:
                    out.writelines(pieces)
                    out.flush()
                except BaseException:
                    file.unlink()
                    raise
        except OSError as error:
            raise UserError(f"{file} cannot be written: {error.strerror}.") from error
    say(f"{file}: {file.stat().st_size:,} bytes.")


@app.command("audit", help="List sign-in attempts of the last 90 days, newest first.")
def audit(
    context: typer.Context,
    name: Annotated[str, typer.Argument(help="Only this account.")] = "",
    limit: Annotated[int, typer.Option(min=1, max=10_000, help="How many.")] = 50,
    as_json: Json = False,
) -> None:
    from newsloom.accounts.service import people

    with session(context).open() as app:
        user = people.named(_account_service(app), name).user if name else None
        found = app.store.accounts.sign_ins(limit, user)
        if as_json:
            show_json(found)
            return
        rows = [
            (
                one.at.strftime("%Y-%m-%d %H:%M:%S"),
                one.name or "(no such name)",
                one.address or "(this machine)",
                one.way.value,
                one.outcome.value,
            )
            for one in found
        ]
        show_table(("at (UTC)", "name", "from", "by", "came of it"), rows)


@app_passwords.command("add", help="Create an app password. It is shown once.")
def add_app_password(
    context: typer.Context,
    name: Name,
    program: Annotated[str, typer.Argument(help="A name for the app.")],
) -> None:
    from newsloom.accounts.service import people

    with session(context).open() as app:
        accounts = _account_service(app)
        account = people.named(accounts, name)
        say(people.add_app_password(accounts, account, program))
        note(f"User name: {account.name}. It is not shown again.")


@app_passwords.command("list", help="List app passwords.")
def list_app_passwords(context: typer.Context, name: Name, as_json: Json = False) -> None:
    from newsloom.accounts.service import people

    with session(context).open() as app:
        found = app.store.accounts.app_passwords(people.named(_account_service(app), name).user)
        if as_json:
            show_json(found)
            return
        rows = [
            (
                str(one.id),
                one.name,
                one.made_at.strftime("%Y-%m-%d"),
                one.used_at.strftime("%Y-%m-%d %H:%M") if one.used_at else "never",
            )
            for one in found
        ]
        show_table(("id", "program", "made", "last used (UTC, about)"), rows)


@app_passwords.command("remove", help="Remove an app password by its id.")
def remove_app_password(
    context: typer.Context,
    name: Name,
    number: Annotated[int, typer.Argument(help="The id.")],
) -> None:
    from newsloom.accounts.service import people

    with session(context).open() as app:
        accounts = _account_service(app)
        people.revoke_app_password(accounts, people.named(accounts, name).user, number)
        say(f"App password {number} removed.")
