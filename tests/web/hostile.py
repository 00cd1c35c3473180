"""Payloads that have broken feed readers, and feeds that carry them in every field."""

from __future__ import annotations

from newsloom.app.reader import ModelActions
from newsloom.duplicates.values import Action, Evidence, Judgement, Relation
from newsloom.feeds.values.published import Enclosure, ParsedArticle
from newsloom.kernel.ids import ArticleId
from newsloom.ranking.values.models import StoredModel
from web.world import World

# Each would call alert(...) where it works. From the advisories of feed readers and sanitisers.
PAYLOADS = (
    "<script>alert(1)</script>",
    "</title><script>alert(2)</script>",
    "<img src=x onerror=alert(3)>",
    '"><img src=x onerror=alert(4)>',
    "' onmouseover=alert(5) autofocus onfocus=alert(5) x='",
    '" autofocus onfocus=alert(6) tabindex=1 x="',
    "<svg onload=alert(7)>",
    "<svg><script>alert(8)</script></svg>",
    "<svg><animate onbegin=alert(9) attributeName=x dur=1s>",
    "<svg><set attributeName=href to=javascript:alert(10)>",
    "<math><mtext><table><mglyph><style><img src=x onerror=alert(11)>",
    "<math href=javascript:alert(12)>x</math>",
    '<iframe srcdoc="<script>parent.alert(13)</script>"></iframe>',
    "<iframe src=javascript:alert(14)></iframe>",
    "<object data=javascript:alert(15)></object>",
    "<embed src=javascript:alert(16)>",
    "<a href=javascript:alert(17)>x</a>",
    "<a href='java\tscript:alert(18)'>x</a>",
    "<form action=javascript:alert(19)><button>x</button></form>",
    "<details open ontoggle=alert(20)>x</details>",
    "<body onload=alert(21)>",
    "<meta http-equiv=refresh content='0;url=javascript:alert(22)'>",
    "<base href=javascript:alert(23)//>",
    "<link rel=stylesheet href=javascript:alert(24)>",
    "<style>@import 'javascript:alert(25)';</style>",
    "<div style='background:url(javascript:alert(26))'>x</div>",
    "<template><script>alert(27)</script></template>",
    "<noscript><p title='</noscript><img src=x onerror=alert(28)>'>",
    "<video><source onerror=alert(29)></video>",
    "<audio src=x onerror=alert(30)>",
    "<input autofocus onfocus=alert(31)>",
    "<select autofocus onfocus=alert(32)>",
    "<marquee onstart=alert(33)>x</marquee>",
    "<button hx-get=/ hx-trigger=load hx-on:click=alert(34)>x</button>",
    "<div hx-on::load=alert(35) hx-vals='js:{x:alert(35)}' hx-get=/ hx-trigger=load>x</div>",
    "<div data-hx-get=/ data-hx-trigger='load[alert(36)]'>x</div>",
    "<hx-partial hx-target=body><script>alert(37)</script></hx-partial>",
    "{{ 7 * 7 }}{% raw %}<script>alert(38)</script>{% endraw %}",
    "<!--><script>alert(39)</script>-->",
    "<![CDATA[<script>alert(40)</script>]]>",
    "<scr<script>ipt>alert(41)</scr</script>ipt>",
    "\\u003cscript\\u003ealert(42)\\u003c/script\\u003e",
    "&lt;script&gt;alert(43)&lt;/script&gt;",
    "&#60;img src=x onerror=alert(44)&#62;",
    "javascript:alert(45)",
    "java\nscript:alert(46)",
    " javascript:alert(47)",
    "data:text/html,<script>alert(48)</script>",
    "vbscript:alert(49)",
    'https://a.example/"onmouseover=alert(50) x="',
    "https://a.example/'><script>alert(51)</script>",
    "\u202egnp.exe\u202c<script>alert(52)</script>",
    "%22%3E%3Cscript%3Ealert(53)%3C/script%3E",
    "<img srcset='x 1x, javascript:alert(54) 2x' src=x onerror=alert(54)>",
    "<picture><source srcset=x><img src=x onerror=alert(55)></picture>",
    "<p id=toast>clobber</p><form id=opened><input name=action></form>",
    "<a id=undo name=undo href='cid:alert(57)'>x</a>",
    "</textarea></select></style></script><script>alert(58)</script>",
    "<plaintext><script>alert(59)</script>",
    "<x onclick=alert(60) style='position:fixed;inset:0'>x</x>",
)


def infest(world: World) -> World:
    """One article a payload, which stands in every field; and feeds named by payloads."""
    feeds = [
        world.feed(f"https://h{number}.example/{payload}", payload, payload, payload)
        for number, payload in enumerate(PAYLOADS[:8])
    ]
    for at, feed in enumerate(feeds):
        mine = [_article(number, one) for number, one in enumerate(PAYLOADS)][at :: len(feeds)]
        world.put(feed, *mine)
        ids = {one.title: one.id for one in world.listed()}
        firsts = [ids[one.title] for one in mine]
        copies = [one._replace(guid="copy of " + one.guid) for one in mine]
        changed = [one._replace(content=one.content + "<p>revised</p>") for one in mine]
        world.bring(feed, list(zip(copies, map(_copy_of, firsts), strict=True)))
        world.bring(feed, list(zip(changed, map(_revision_of, firsts), strict=True)))
    world.reader().add_interest(PAYLOADS[2])
    _infest_desk(world)
    return world


def _infest_desk(world: World) -> None:
    """Models and reports with payloads in every field."""
    for number, payload in enumerate(PAYLOADS[:6]):
        model = StoredModel(
            model_id=f"{payload} {number}",
            kind="relevance",
            payload=b"",
            sha256=payload,
            trained=world.now,
            metrics=((payload, 1.0), ("roc_auc", 0.5 + number / 20)),
            trainer=payload,
            verdict=payload,
        )
        world.store.models.keep_model(world.user, model)
        report = {
            payload: payload,
            "roc_auc": payload,
            "f1": 0.5,
            "roc": [[payload, payload], [0, 0], [0.5, 0.7], [1, 1], [payload]],
            "precision_recall": payload,
            "reliability": [[0.1, 0.2, payload], [0.3, 0.4, 5]],
            "learning_curve": [[payload] * 4, [20, 0.5, 0.4, 0.6], [40, 0.6, 0.5, 0.7]],
        }
        world.store.models.add_evaluation(world.user, world.now, payload, payload, report)
    world.model_actions = ModelActions(
        history=lambda: world.store.models.models(world.user, "relevance"),
        evaluations=lambda: world.store.models.evaluations(world.user),
        last_training=lambda: (world.now, PAYLOADS[0]),
        language_model=lambda: PAYLOADS[1],
        train=lambda: PAYLOADS[2],
    )


def _copy_of(article: ArticleId) -> Judgement:
    return Judgement(
        Action.DUPLICATE, article, Evidence("url", 1.0, PAYLOADS[0]), Relation.SAME_TEXT
    )


def _revision_of(article: ArticleId) -> Judgement:
    return Judgement(Action.REVISED, article)


def _article(number: int, payload: str) -> ParsedArticle:
    return ParsedArticle(
        guid=payload,
        url=payload,
        title=f"{payload} {number}",
        author=payload,
        summary=payload,
        content=f"<p>{number}</p>{payload}",
        published=None,
        language=payload,
        categories=(payload,),
        enclosures=(Enclosure(payload, payload), Enclosure("https://a.example/x", payload)),
        image=payload,
        comments_url=payload,
    )
