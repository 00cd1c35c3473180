"""Where the pages are served, and what is sent from here."""

from __future__ import annotations

from dataclasses import dataclass

from newsloom.settings.declaring import doc


@dataclass(frozen=True, slots=True)
class WebSettings:
    """Where the pages are served."""

    host: str = doc(
        "Address to listen on. What other machines can reach is served only where people sign in, "
        "or with `without_login`.",
        "127.0.0.1",
    )
    port: int = doc("Port to listen on.", 8765, least=0)
    names: tuple[str, ...] = doc(
        "Host names the pages answer to, beside localhost and those ending in .local or .lan: of a "
        "proxy before them, or of this machine in your network.",
        (),
    )
    url: str = doc(
        "The address under which you reach the pages from elsewhere, such as "
        "https://reader.example; it stands in mails and in feeds of your lists. Empty: none.",
        "",
    )
    path: str = doc(
        "The path they live under at a reverse proxy, such as /news, which the proxy may pass on "
        "or take away. Empty: none.",
        "",
    )
    proxies: tuple[str, ...] = doc(
        "Addresses or networks of reverse proxies, such as 127.0.0.1: what they say of a request's "
        "client, scheme and host (X-Forwarded-For, -Proto, -Host), and whom they signed in, is "
        "believed, of nobody else.",
        (),
    )
    metrics: bool = doc(
        "Whether /metrics tells Prometheus how Newsloom does; see docs/run/operations.md.", False
    )
    metrics_token: str = doc(
        "The bearer token that /metrics wants. Empty: it answers this machine alone, and nothing "
        "that came through a proxy.",
        "",
    )
    without_login: bool = doc(
        "Whether other machines may reach the pages while there are no accounts: whoever reaches "
        "them can read and change everything.",
        False,
    )
    proxy_user_header: str = doc(
        "The header in which a trusted proxy names whom it signed in, such as Remote-User. The "
        "proxy must remove it from what it is sent. Empty: proxies sign nobody in.",
        "",
    )
    proxy_makes_users: bool = doc(
        "Whether somebody whom a trusted proxy names for the first time gets an account.", False
    )

    @property
    def address(self) -> str:
        """Where the pages are: from elsewhere, or on this machine where no such address is set.
        Without a slash at the end."""
        if self.url:
            return self.url.rstrip("/")
        host = "localhost" if self.host in ("", "0.0.0.0", "::") else self.host  # noqa: S104
        named = f"[{host}]" if ":" in host else host
        return f"http://{named}:{self.port}{self.path.rstrip('/')}"


@dataclass(frozen=True, slots=True)
class OpenIdSettings:
    """An OpenID Connect provider at which people sign in: Authelia, Authentik, Keycloak, ..."""

    issuer: str = doc(
        "Its address as it names itself, such as https://id.example/realms/home; empty: none. "
        "Needs `web.url`, for the address it sends browsers back to: web.url and "
        "/sign-in/openid/back, to be registered there.",
        "",
    )
    client: str = doc("The client id that it knows this Newsloom by.", "newsloom")
    secret: str = doc("The client's secret; empty: a public client.", "")
    called: str = doc('What people call it: "Sign in with ...".', "OpenID Connect")
    scopes: str = doc("What is asked for, with spaces between.", "openid profile")
    name_claim: str = doc("What an account is named by that it makes.", "preferred_username")
    makes_users: bool = doc(
        "Whether whom it signs in for the first time gets an account; else people connect it on "
        "the page Account, or accept an invitation with it.",
        False,
    )
    passwords: bool = doc("Whether passwords sign in beside it. App passwords always do.", True)


@dataclass(frozen=True, slots=True)
class SyncSettings:
    """What apps for reading reach: they log in with app passwords, and without one nobody can."""

    google_reader: bool = doc("Whether the Google Reader API is served.", True)
    fever: bool = doc(
        "Whether the Fever API is served, whose key is an MD5 of the name and the app password.",
        True,
    )
    like: str = doc("The label that likes an article, in the Google Reader API.", "Like")
    dislike: str = doc("The label that dislikes one.", "Dislike")
    for_you: int = doc("How many articles the folder For you has.", 200, least=1)
    ranked_dates: bool = doc(
        "Whether apps are told dates by which they put articles in ranked order: one of score 100 "
        "is dated now, and each halving of the score a day back. Off: the articles' own dates.",
        False,
    )


@dataclass(frozen=True, slots=True)
class McpSettings:
    """The Model Context Protocol server, which gives language models' programs your news."""

    http: bool = doc(
        "Whether it is served at /mcp beside the pages, to who shows an app password. "
        "`newsloom mcp` needs no setting.",
        False,
    )
    marks: bool = doc("Whether it may mark articles and take that back; else it only reads.", False)


@dataclass(frozen=True, slots=True)
class MailSettings:
    """The mail server that digests are sent through."""

    host: str = doc("Its name; empty: no mail is sent.", "")
    port: int = doc("Its port.", 587, least=1)
    security: str = doc(
        "starttls (587), tls (465), or none, which only a server on this machine should have.",
        "starttls",
    )
    user: str = doc("The name to log in with; empty: without logging in.", "")
    password: str = doc("The password of that name.", "")
    sender: str = doc("The address that mails come from.", "")
    timeout_seconds: float = doc("Whole deadline of sending one mail.", 60.0, least=1)


@dataclass(frozen=True, slots=True)
class DigestSettings:
    """Digests that are made on a schedule."""

    folder: str = doc("Where digests are written as files; empty: nowhere.", "")
    summary_minutes: float = doc(
        "How long a digest waits for summaries by the language model, where one is used, before "
        "it is sent with those made of the articles' own sentences; 0: it is not asked.",
        10.0,
        least=0,
    )
    story_quiet_minutes: float = doc(
        "After news of stories that a reader follows was sent, how long nothing more of them is; "
        "what comes meanwhile is sent together.",
        120.0,
        least=0,
    )
    story_news_a_day: int = doc(
        "How often within 24 hours a reader is sent news of stories at most; the rest comes later.",
        6,
        least=1,
    )
