"""Where the pages are served, and what is sent from here."""

from __future__ import annotations

from dataclasses import dataclass

from newsloom.kernel.settings.declaring import doc


@dataclass(frozen=True, slots=True)
class WebSettings:
    """Where the pages are served."""

    host: str = doc(
        "Address to listen on. Other machines need accounts, or web.without_login.",
        "127.0.0.1",
    )
    port: int = doc("Port to listen on.", 8765, least=0)
    processes: int = doc(
        "Processes that serve pages on this machine. Two serve nearly twice as many pages on two "
        "cores, with twice the memory.",
        1,
        least=1,
    )
    names: tuple[str, ...] = doc(
        "Host names the pages answer to, besides localhost, *.local and *.lan.",
        (),
    )
    url: str = doc(
        "Address at which you reach the pages from elsewhere, such as https://reader.example; "
        "used in mails and feeds.",
        "",
    )
    path: str = doc(
        "Path under a reverse proxy, such as /news; empty: none.",
        "",
    )
    proxies: tuple[str, ...] = doc(
        "Trusted reverse proxies, as addresses or networks: only their X-Forwarded-* and user "
        "headers count.",
        (),
    )
    metrics: bool = doc("Serve /metrics for Prometheus; see docs/run/operations.md.", False)
    metrics_token: str = doc(
        "Bearer token for /metrics; empty: only this machine may ask, and not through a proxy.",
        "",
    )
    without_login: bool = doc(
        "Serve other machines without accounts: anybody who reaches the pages can read and "
        "change everything.",
        False,
    )
    proxy_user_header: str = doc(
        "Header in which a trusted proxy names the signed-in user, such as Remote-User. The "
        "proxy must drop it from incoming requests.",
        "",
    )
    proxy_makes_users: bool = doc(
        "Create accounts for new users that a trusted proxy names.", False
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
        "Issuer, exactly as the provider names itself, such as https://id.example/realms/home; "
        "empty: none. Register web.url and /sign-in/openid/back there.",
        "",
    )
    client: str = doc("Client id.", "newsloom")
    secret: str = doc("Client secret; empty: a public client.", "")
    called: str = doc('Name of the provider on the button "Sign in with ...".', "OpenID Connect")
    scopes: str = doc("Scopes, separated by spaces.", "openid profile")
    name_claim: str = doc("Claim that names new accounts.", "preferred_username")
    makes_users: bool = doc(
        "Create accounts at the first sign-in; otherwise people connect an existing account or "
        "accept an invitation.",
        False,
    )
    passwords: bool = doc("Allow passwords as well. App passwords always work.", True)


@dataclass(frozen=True, slots=True)
class SyncSettings:
    """What apps for reading reach: they log in with app passwords, and without one nobody can."""

    google_reader: bool = doc("Serve the Google Reader API.", True)
    fever: bool = doc(
        "Serve the Fever API, whose key is an MD5 of name and app password.",
        True,
    )
    miniflux: bool = doc("Serve the Miniflux API.", True)
    like: str = doc("Label that likes an article in the Google Reader API.", "Like")
    dislike: str = doc("Label that dislikes one.", "Dislike")
    for_you: int = doc("Articles in the folder For you.", 200, least=1)
    ranked_dates: bool = doc(
        "Send apps dates that follow the score, so that they sort by rank: 100 is now, each "
        "halving a day earlier.",
        False,
    )


@dataclass(frozen=True, slots=True)
class McpSettings:
    """The Model Context Protocol server, which gives language models' programs your news."""

    http: bool = doc(
        "Serve MCP at /mcp with app passwords. `newsloom mcp` needs no setting.",
        False,
    )
    marks: bool = doc("Allow assistants to mark articles.", False)


@dataclass(frozen=True, slots=True)
class MailSettings:
    """The mail server that digests are sent through."""

    host: str = doc("Mail server; empty: send no mail.", "")
    port: int = doc("Port.", 587, least=1)
    security: str = doc(
        "starttls (587), tls (465) or none (only for a server on this machine).",
        "starttls",
    )
    user: str = doc("User name; empty: no login.", "")
    password: str = doc("Password.", "")
    sender: str = doc("Sender address.", "")
    timeout_seconds: float = doc("Deadline of a mail.", 60.0, least=1)


@dataclass(frozen=True, slots=True)
class DigestSettings:
    """Digests that are made on a schedule."""

    folder: str = doc("Folder for digests delivered as files; empty: none.", "")
    summary_minutes: float = doc(
        "How long a digest waits for summaries by the language model; 0: do not ask for any.",
        10.0,
        least=0,
    )
    fetch_pages: bool = doc(
        "Fetch the pages of important articles whose feeds have little text, for digests and "
        "briefs.",
        False,
    )
    for_you_share: float = doc(
        'Share of a digest\'s topics chosen by your interests and model, as "For you"; 0: none.',
        0.3,
        least=0,
    )
    story_quiet_minutes: float = doc(
        "Shortest time between two messages about followed stories.",
        120.0,
        least=0,
    )
    story_news_a_day: int = doc(
        "Most messages about followed stories in 24 hours.",
        6,
        least=1,
    )
