"""What addresses that people paste lead to: a table, site by site."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from newsloom.feeds.known_feeds import (
    KNOWN,
    feeds_in_page,
    known_feeds,
    likely_feeds,
    page_of_handle,
    without_feed,
)

VIDEOS = "https://www.youtube.com/feeds/videos.xml"
CHANNEL = "UCabcdefghijklmnopqrstuv"
FIRST = [
    # YouTube
    (f"https://www.youtube.com/channel/{CHANNEL}", f"{VIDEOS}?channel_id={CHANNEL}"),
    (f"https://m.youtube.com/channel/{CHANNEL}/videos", f"{VIDEOS}?channel_id={CHANNEL}"),
    (
        "https://www.youtube.com/playlist?list=PLabcdefghij0123456789",
        f"{VIDEOS}?playlist_id=PLabcdefghij0123456789",
    ),
    (
        "https://www.youtube.com/watch?v=abcdefghijk&list=PLabcdefghij0123456789&index=2",
        f"{VIDEOS}?playlist_id=PLabcdefghij0123456789",
    ),
    ("https://www.youtube.com/@somebody", ""),  # its page says
    ("https://www.youtube.com/c/Somebody", ""),
    ("https://www.youtube.com/user/somebody", ""),
    ("https://www.youtube.com/watch?v=abcdefghijk", ""),
    ("https://www.youtube.com/watch?v=abcdefghijk&list=RDabcdefghijk", ""),
    ("https://www.youtube.com/channel/not-one", ""),
    (f"{VIDEOS}?channel_id={CHANNEL}", ""),  # is one already
    # Reddit
    ("https://www.reddit.com/r/python", "https://www.reddit.com/r/python/.rss"),
    ("https://old.reddit.com/r/python/", "https://www.reddit.com/r/python/.rss"),
    ("https://reddit.com/r/python/new/", "https://www.reddit.com/r/python/new/.rss"),
    (
        "https://reddit.com/r/python/top/?t=month",
        "https://www.reddit.com/r/python/top/.rss?t=month",
    ),
    ("https://www.reddit.com/r/a+b", "https://www.reddit.com/r/a+b/.rss"),
    ("https://www.reddit.com/user/ann", "https://www.reddit.com/user/ann/.rss"),
    ("https://www.reddit.com/u/ann/", "https://www.reddit.com/user/ann/.rss"),
    ("https://www.reddit.com/user/ann/m/news", "https://www.reddit.com/user/ann/m/news/.rss"),
    (
        "https://www.reddit.com/r/python/comments/1abc2d/a_question/",
        "https://www.reddit.com/r/python/comments/1abc2d/a_question/.rss",
    ),
    (
        "https://www.reddit.com/search/?q=feed+reader&sort=new",
        "https://www.reddit.com/search.rss?q=feed+reader&sort=new",
    ),
    (
        "https://www.reddit.com/r/selfhosted/search/?q=rss&restrict_sr=1",
        "https://www.reddit.com/r/selfhosted/search.rss?q=rss&restrict_sr=1",
    ),
    (
        "https://www.reddit.com/domain/example.org/",
        "https://www.reddit.com/domain/example.org/.rss",
    ),
    ("https://www.reddit.com/", "https://www.reddit.com/.rss"),
    ("https://www.reddit.com/r/python/.rss", ""),
    ("https://www.reddit.com/settings", ""),
    # GitHub
    ("https://github.com/ann/tool", "https://github.com/ann/tool/releases.atom"),
    ("https://github.com/ann/tool.git", "https://github.com/ann/tool/releases.atom"),
    ("https://github.com/ann/tool/releases", "https://github.com/ann/tool/releases.atom"),
    ("https://github.com/ann/tool/tags", "https://github.com/ann/tool/tags.atom"),
    ("https://github.com/ann/tool/commits/main", "https://github.com/ann/tool/commits/main.atom"),
    (
        "https://github.com/ann/tool/commits/main/docs/a.md",
        "https://github.com/ann/tool/commits/main/docs/a.md.atom",
    ),
    ("https://github.com/ann/tool/tree/dev", "https://github.com/ann/tool/commits/dev.atom"),
    ("https://github.com/ann/tool/issues", "https://github.com/ann/tool/releases.atom"),
    ("https://github.com/ann/tool/discussions", "https://github.com/ann/tool/discussions.atom"),
    ("https://github.com/ann/tool/wiki", "https://github.com/ann/tool/wiki.atom"),
    ("https://github.com/ann", "https://github.com/ann.atom"),
    ("https://github.com/orgs/acme", "https://github.com/acme.atom"),
    ("https://github.com/features", ""),
    ("https://github.com/", ""),
    ("https://github.com/ann/tool/releases.atom", ""),
    ("https://gist.github.com/ann", "https://gist.github.com/ann.atom"),
    # GitLab
    ("https://gitlab.com/group/project", "https://gitlab.com/group/project/-/releases.atom"),
    ("https://gitlab.com/a/b/project", "https://gitlab.com/a/b/project/-/releases.atom"),
    ("https://gitlab.com/a/project/-/tags", "https://gitlab.com/a/project/-/tags?format=atom"),
    ("https://gitlab.com/a/project/-/issues", "https://gitlab.com/a/project/-/issues.atom"),
    (
        "https://gitlab.example.org/a/project/-/commits/main",
        "https://gitlab.example.org/a/project/-/commits/main?format=atom",
    ),
    ("https://gitlab.com/ann", "https://gitlab.com/ann.atom"),
    ("https://gitlab.com/explore", ""),
    # Forgejo and Gitea
    ("https://codeberg.org/ann/tool", "https://codeberg.org/ann/tool/releases.rss"),
    ("https://codeberg.org/ann/tool/tags", "https://codeberg.org/ann/tool/tags.rss"),
    (
        "https://codeberg.org/ann/tool/src/branch/main",
        "https://codeberg.org/ann/tool/rss/branch/main",
    ),
    ("https://codeberg.org/ann", "https://codeberg.org/ann.rss"),
    ("https://gitea.example.org/ann/tool", "https://gitea.example.org/ann/tool/releases.rss"),
    # Fediverse
    ("https://mastodon.social/@ann", "https://mastodon.social/@ann.rss"),
    ("https://mastodon.social/@ann/with_replies", "https://mastodon.social/@ann.rss"),
    ("https://mastodon.social/@ann@other.example", "https://other.example/@ann.rss"),
    ("https://mastodon.social/@ann/tagged/cats", "https://mastodon.social/@ann/tagged/cats.rss"),
    ("https://mastodon.social/tags/cats", "https://mastodon.social/tags/cats.rss"),
    ("https://hachyderm.io/@ann", "https://hachyderm.io/@ann.rss"),
    ("https://bsky.app/profile/ann.bsky.social", "https://bsky.app/profile/ann.bsky.social/rss"),
    (
        "https://bsky.app/profile/did:plc:abcdefghijklmnopqrstuvwx",
        "https://bsky.app/profile/did:plc:abcdefghijklmnopqrstuvwx/rss",
    ),
    ("https://lemmy.world/c/news", "https://lemmy.world/feeds/c/news.xml?sort=New"),
    ("https://lemmy.world/c/news@lemmy.ml", "https://lemmy.ml/feeds/c/news.xml?sort=New"),
    ("https://lemmy.world/u/ann", "https://lemmy.world/feeds/u/ann.xml?sort=New"),
    ("https://lemmy.world/", "https://lemmy.world/feeds/local.xml?sort=New"),
    # Publishing
    ("https://medium.com/@ann", "https://medium.com/feed/@ann"),
    ("https://medium.com/some-paper", "https://medium.com/feed/some-paper"),
    ("https://medium.com/some-paper/a-story-0a1b2c", "https://medium.com/feed/some-paper"),
    ("https://medium.com/tag/cats", "https://medium.com/feed/tag/cats"),
    ("https://ann.medium.com/", "https://ann.medium.com/feed"),
    ("https://medium.com/me/stories", ""),
    ("https://ann.substack.com/p/a-post", "https://ann.substack.com/feed"),
    ("https://ann.tumblr.com/post/1", "https://ann.tumblr.com/rss"),
    ("https://ann.tumblr.com/tagged/cats", "https://ann.tumblr.com/tagged/cats/rss"),
    ("https://www.tumblr.com/ann", "https://ann.tumblr.com/rss"),
    ("https://www.tumblr.com/blog/ann", "https://ann.tumblr.com/rss"),
    ("https://www.tumblr.com/dashboard", ""),
    ("https://ann.wordpress.com/", "https://ann.wordpress.com/feed/"),
    ("https://ann.wordpress.com/category/cats/", "https://ann.wordpress.com/category/cats/feed/"),
    ("https://ann.blogspot.com/2026/11/post.html", "https://ann.blogspot.com/feeds/posts/default"),
    (
        "http://ann.blogspot.com/search/label/black%20cats",
        "http://ann.blogspot.com/feeds/posts/default/-/black%20cats",
    ),
    ("https://dev.to/ann", "https://dev.to/feed/ann"),
    ("https://dev.to/t/python", "https://dev.to/feed/tag/python"),
    # Questions, papers, films, packages
    (
        "https://stackoverflow.com/questions/tagged/c%23",
        "https://stackoverflow.com/feeds/tag?tagnames=c%23&sort=newest",
    ),
    ("https://stackoverflow.com/questions/tagged/a+b", ""),
    (
        "https://math.stackexchange.com/questions/12/title",
        "https://math.stackexchange.com/feeds/question/12",
    ),
    ("https://superuser.com/users/7/ann", "https://superuser.com/feeds/user/7"),
    ("https://askubuntu.com/questions", "https://askubuntu.com/feeds"),
    ("https://news.ycombinator.com/", "https://news.ycombinator.com/rss"),
    ("https://news.ycombinator.com/show", "https://news.ycombinator.com/showrss"),
    ("https://arxiv.org/list/cs.CL/recent", "https://rss.arxiv.org/rss/cs.CL"),
    ("https://arxiv.org/list/astro-ph/new", "https://rss.arxiv.org/rss/astro-ph"),
    ("https://arxiv.org/abs/2601.00001", ""),
    ("https://vimeo.com/ann", "https://vimeo.com/ann/videos/rss"),
    ("https://vimeo.com/channels/staff", "https://vimeo.com/channels/staff/videos/rss"),
    ("https://vimeo.com/123456", ""),
    # Neither
    ("https://example.org/", ""),
    ("https://notreddit.com/r/python", ""),
    ("https://github.com.example/ann/tool", ""),
    ("ftp://github.com/ann", ""),
    ("", ""),
]


@pytest.mark.parametrize(("url", "feed"), FIRST, ids=[url for url, _feed in FIRST])
def test_the_first_feed(url, feed):
    found = known_feeds(url)
    assert (found[0].url if found else "") == feed


@pytest.mark.parametrize("rule", KNOWN, ids=lambda rule: rule.name)
def test_every_rule_has_an_example(rule):
    hosts = [url.split("/")[2].removeprefix("www.") for url, feed in FIRST if feed]
    assert any(rule.speaks_for(host) for host in hosts)


@pytest.mark.parametrize(
    ("url", "titles"),
    [
        ("https://github.com/ann/tool", ["Releases", "Commits", "Tags"]),
        ("https://gitlab.com/a/b", ["Releases", "Tags", "Activity"]),
        ("https://codeberg.org/a/b", ["Releases", "Tags", "Activity"]),
        ("https://reddit.com/r/x", ["r/x: hot", "r/x: new", "r/x: best of the week"]),
        ("https://ann.blogspot.com/", ["Posts", "Comments"]),
        ("https://news.ycombinator.com/newest", ["Front page", "Show HN"]),
    ],
)
def test_several_feeds_are_a_choice(url, titles):
    assert [one.title for one in known_feeds(url)] == titles


@pytest.mark.parametrize(
    ("typed", "page"),
    [
        ("@ann@mastodon.example", "https://mastodon.example/@ann"),
        ("ann@mastodon.example", "https://mastodon.example/@ann"),
        (" acct:ann@mastodon.example ", "https://mastodon.example/@ann"),
        ("@ann@mastodon.example:8443", "https://mastodon.example:8443/@ann"),
        ("r/python", "https://www.reddit.com/r/python"),
        ("/r/python/", "https://www.reddit.com/r/python"),
        ("u/ann", "https://www.reddit.com/user/ann"),
        ("@ann", ""),
        ("example.org", ""),
        ("example.org/@ann", ""),
        ("https://ann@example.org/", ""),
        ("r/python/new/x", ""),
        ("", ""),
    ],
)
def test_handles(typed, page):
    assert page_of_handle(typed) == page


def test_software_that_runs_anywhere_is_guessed_at():
    assert [one.url for one in likely_feeds("https://any.example/@ann")] == [
        "https://any.example/@ann.rss",
        "https://any.example/@ann.atom",
        "https://any.example/users/ann/feed.atom",
    ]
    assert [one.url for one in likely_feeds("https://any.example/c/cats")] == [
        "https://any.example/feeds/c/cats.xml?sort=New"
    ]
    assert likely_feeds("https://any.example/about") == ()


@pytest.mark.parametrize(
    "html",
    [
        f'<link rel="canonical" href="https://www.youtube.com/channel/{CHANNEL}">',
        f'{{"channelId":"UC0000000000000000000000","externalId":"{CHANNEL}"}}',
        f'<meta itemprop="identifier" content="{CHANNEL}">',
    ],
    ids=["canonical", "external", "meta"],
)
def test_a_page_of_youtube_names_its_channel(html):
    found = feeds_in_page("https://www.youtube.com/@ann", "<p>" + html + "</p>")
    assert [one.url for one in found] == [f"{VIDEOS}?channel_id={CHANNEL}"]


def test_a_page_of_soundcloud_names_its_user():
    html = '<meta property="al:ios:url" content="soundcloud://users:123456">'
    found = feeds_in_page("https://soundcloud.com/ann", html)
    assert [one.url for one in found] == [
        "https://feeds.soundcloud.com/users/soundcloud:users:123456/sounds.rss"
    ]


def test_what_a_page_says_counts_only_on_the_site_itself():
    html = f'<link rel="canonical" href="https://www.youtube.com/channel/{CHANNEL}">'
    assert feeds_in_page("https://example.org/", html) == ()
    assert feeds_in_page("https://www.youtube.com/@ann", "nothing here") == ()


def test_apple_says_nothing():
    assert "own site" in without_feed("https://podcasts.apple.com/us/podcast/x/id1")
    assert without_feed("https://example.org/") == ""


@given(
    st.one_of(
        st.text(max_size=300),
        st.builds(
            "https://{}/{}".format,
            st.sampled_from([host for rule in KNOWN for host in rule.hosts]).map(
                lambda host: f"x{host}" if host[0] == "." else host + "org" * (host[-1] == ".")
            ),
            st.text(max_size=60),
        ),
    )
)
def test_nothing_raises_and_all_is_an_address(url):
    for one in (*known_feeds(url), *likely_feeds(url)):
        assert one.url.startswith(("https://", "http://"))
        assert one.url.isascii()
        assert " " not in one.url
        assert not known_feeds(one.url) or known_feeds(one.url)[0].url != url
    assert isinstance(page_of_handle(url), str)
    assert isinstance(without_feed(url), str)
