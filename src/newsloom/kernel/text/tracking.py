"""Query parameters that say who sent a reader, not which article: data and one question.

Compiled for news articles from what ad, mail and share systems document of themselves, and from
reading four public lists for what is in use (ClearURLs, LGPL-3.0; brave/adblock-lists, MPL-2.0;
DandelionSprout's LegitimateURLShortener; iipc/urlcanon, Apache-2.0). No list was copied: they serve
browsers and drop shop and affiliate parameters by the thousand, and some drop names that are ids of
articles somewhere (`sid`, `cid`, `mc`, `paid`, `s_id`). What is dropped here may never be needed to
find an article.
"""

from __future__ import annotations

import re


def _words(text: str) -> frozenset[str]:
    return frozenset(text.split())


# Whole families, by the names' beginning.
_PREFIXES = (
    "utm_", "utm-", "_utm", "mtm_", "pk_", "piwik_", "matomo_",  # web analytics
    "at_",  # AT Internet, Piano
    "ga_", "hsa_", "gaa_", "gad_",  # Google
    "fb_", "__xts__", "__cft__", "__tn__",  # Facebook
    "mc_", "ml_subscriber", "vero_", "oly_", "ss_campaign", "bsft_", "sfmc_",  # mail
    "_hs", "__hs", "hmb_",  # HubSpot
    "wt_", "wt.", "itm_", "int_cmp", "otm_", "cm_mmc", "cx_", "dpg_", "stm_", "ns_",  # campaigns
    "guce_", "_branch_", "adobe_mc", "af_", "__twitter_", "amp_", "aspsessionid",
    "recs_", "relatedposts_", "jwsource", "ref_src", "ref_url", "pm_campaign", "pm_source",
)  # fmt: skip

# By their whole name.
_NAMES = _words(
    # clicks, as ad and share systems number them
    "gclid gclsrc gbraid wbraid dclid srsltid fbclid msclkid twclid ttclid yclid ysclid ymclid "
    "igshid igsh li_fat_id epik rdt_cid scclid tblci obclid wickedid irclickid irgwc clickid "
    "mibextid sfnsn rb_clickid s_cid s_kwcid ef_id "
    # mail, campaigns, analytics
    "_openstat _ga _gl _gid _kx _ke _bhlid _bta_c _bta_tid __s mkt_tok elqtrack elqtrackid elq "
    "elqaid elqat elqcampaignid elqcst trk trkcampaign trk_contact trk_msg spm scm spmailingid "
    "spuserid spjobid spreportid sc_campaign sc_channel sc_content sc_medium sc_outcome sc_geo "
    "sc_country cmpid cmp_id dcmp intcmp intcid int_source ncid icid ocid mbid ito xtor ftag "
    "fsrc bxid cndid esrc gtm dm_i et_rid et_cid et_lid ck_subscriber_id wpisrc wpmm "
    "emci emdi ceid regi_id maca echobox os_ehash "
    "traffic_source tracking_source taid soc_src soc_trk smid smtyp smprod sref hss_channel "
    "gs_l sa_source guccounter guce_referrer igsource shared_via "
    "sharetype share_token is_from_webapp sender_device giftcopy unlocked_article_code "
    "accesstoken cvid feedname feedtype "
    # where on a page a link stood
    "link_location link_source link_campaign referringsource referring_source "
    "referral_source refsrc src_src _r _x_tr_sl _x_tr_tl _x_tr_hl _x_tr_pto _x_tr_hist "
    # sessions
    "phpsessid jsessionid cfid cftoken zenid "
    # another view of the same article
    "replytocom outputtype usqp __amp _amp noamp nomobile mobile_view"
)

# Dropped only with one of these values; with another they may choose what is shown.
_FEED = _words("rss rss1 rss2 rss2.0 rss_feed rssfeed rss-feed feed feeds atom rdf xml")
_SHARED = _FEED | _words(
    "twitter facebook fb linkedin reddit whatsapp telegram email e-mail mail newsletter social "
    "share tw copy copylink copy_link android ios app hackernews hn googlenews google "
    "google-news flipboard homepage home front-page frontpage nl tco"
)
_YES = frozenset(("", "1", "true", "yes", "0", "false", "no"))
_VALUES: dict[str, frozenset[str]] = {
    **dict.fromkeys(_words("amp m mobile print printable printer desktop"), _YES),
    **dict.fromkeys(
        _words(
            "from via src source cmp cid partner emc xid campaign medium feature share platform "
            "origin channel mod mid rssid"
        ),
        _SHARED,
    ),
    "rss": _FEED | _YES,
    "feature": _SHARED | {"youtu.be", "youtube_gdata", "player_embedded", "emb_title", "shared"},
    "output": frozenset(("amp",)),
    "view": frozenset(("amp", "print", "mobile")),
    "format": frozenset(("amp",)),
}

# A session's number, where the same name with a short value may be an article's.
_SESSIONS = frozenset(("s", "sid", "oscsid", "sessionid", "session_id", "session"))
_SESSION = re.compile(r"[0-9a-f]{26}|[0-9a-f]{32}|[0-9a-f]{40}", re.IGNORECASE)

# "?ref=rss", "?ref=hackernoon.com", but "?ref=12345" is how some sites number articles.
_REFERRERS = frozenset(("ref", "referer", "referrer", "ref_"))


# "utm_source=rss" and its like, with what separates it from the parameter before or after it.
_CAMPAIGN = re.compile(r"(?<=[?&])utm_\w+=[^&#]*&?", re.IGNORECASE)


def without_campaign(url: str) -> str:
    """An address without the parameters that only say which campaign it is of. Others stay: they
    may choose what is shown, or open it."""
    return re.sub(r"[?&](?=#|$)", "", _CAMPAIGN.sub("", url)) if "utm_" in url else url


def is_tracking(name: str, value: str) -> bool:
    """Whether a parameter can be left out without changing which article is meant."""
    name = name.casefold()
    if name in _NAMES or name.startswith(_PREFIXES):
        return True
    if name in _REFERRERS:
        return not value.isdecimal()
    if name in _SESSIONS:
        return _SESSION.fullmatch(value) is not None
    values = _VALUES.get(name)
    return values is not None and value.casefold() in values
