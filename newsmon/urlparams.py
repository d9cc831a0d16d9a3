"""Query parameters that never change which article a page is.

Three kinds, told apart because they are used differently:

* **noise** (tracking and session ids) is dropped already from the address that is requested;
* **channels** (``from=rss``, ``ref=twitter``) are noise only with a value that names a channel, because the same
  names also carry content elsewhere (``from=2024-01-01``, ``source=4711``);
* **presentation** (``amp=1``, ``print=y``) asks for another view of the same article: the server needs it, so it is
  dropped from the page key only.

The lists were gathered from the documentation of the services named and from feeds; a rule file adds or keeps names
for its site (:class:`newsmon.urls.UrlRules`). Names are in lower case and compared so.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping


def _names(*texts: str) -> frozenset[str]:
    return frozenset(name for text in texts for name in text.split())


NOISE_PREFIXES = (
    "utm_",  # Google Analytics, and everybody since
    "at_",  # AT Internet (BBC)
    "mtm_",  # Matomo
    "pk_",  # Piwik
    "piwik_",
    "matomo_",
    "hsa_",  # HubSpot ads
    "_hs",  # HubSpot mail
    "__hs",
    "itm_",  # internal campaigns
    "fb_",  # Facebook actions
    "action_object_map",
    "action_type_map",
    "action_ref_map",
    "mindbox-",
    "roistat",
    "guce_",  # Yahoo consent
    "_branch_",
    "aspsessionid",
)

NOISE = _names(
    # click identifiers: Facebook, Google, Microsoft, Yandex, Twitter, TikTok, LinkedIn, Instagram, Reddit, Snapchat ...
    """fbclid gclid gclsrc dclid gbraid wbraid _gl _ga gad_source gad_campaignid srsltid msclkid yclid ysclid ymclid
    etext _openstat twclid ttclid li_fat_id igsh igshid igsid rdt_cid sccid epik dicbo obclid tblci vmcid rcmclid erid
    admitad_uid clickid""",
    # mail: Mailchimp, Marketo, Vero, Omeda, Omnisend, Klaviyo, Drip, Conde Nast
    """mc_cid mc_eid mkt_tok vero_id vero_conv oly_anon_id oly_enc_id omnisendcontactid _kx __s bxid cndid esrc wickedid
    frommail fromemail nr_email_referer""",
    # analytics: Adobe, Webtrends, comScore, AT Internet, Alibaba, Yahoo, Calltouch, single publishers
    """s_cid sc_cid s_kwcid sc_campaign sc_channel sc_content sc_medium sc_outcome sc_geo sc_country icid intcid intcmp
    ncid cmpid xtor wt_mc wt_zmc wt.mc_id wt.mc_ev wt.tsrc ns_mchannel ns_campaign ns_source ns_linkname ns_fee spm scm
    soc_src soc_trk soc_platform guccounter calltouch_tm ito mbid taid ocid cvid smid smtyp srnd sref sr_share reflink
    trk trkcampaign trackingid tracking_source wprov yptr vgo_ee ftag cn-track-uid""",
    # sharing buttons and AMP viewers
    """ref_src ref_url __twitter_impression share_source share_medium share_from sharetype share_type amp_js_v amp_gsa
    amp_lite usqp _amp __amp_source_origin echobox hss_channel fromrss fromfeed""",
    # sessions; shorter names (s, sid) mean an article on other sites
    "phpsessid jsessionid cfid cftoken zenid oscsid",
)

CHANNEL_NAMES = _names("from ref source src via referrer referer origin partner emc utm xtref")
CHANNELS = _names(
    """rss rss2 rss20 rss_feed rssfeed feed feeds feedburner atom xml twitter twtr tw tweet x facebook fb facebook.com
    t.co vk vkontakte vk.com ok odnoklassniki tg telegram t.me whatsapp wa viber instagram ig insta linkedin pinterest
    reddit youtube yt tiktok max dzen zen yandex ya yandexnews yandex_news yxnews rambler mail mailru mail.ru google
    googlenews google_news gnews bing msn flipboard smartnews newsletter nl email e-mail mailing push webpush web_push
    sms qr social soc share sharing sharebutton copy copylink copy_link clipboard app ios android mobile mobileapp amp
    widget informer top topnews homepage home main mainpage main_page index hp related recommended recirc sidebar
    newsfeed lenta teaser banner sitemap newslink weibo wechat weixin qq toutiao""",
)

_FLAG = frozenset(["", "1", "0", "y", "yes", "true", "on", "t"])
PRESENTATION: Mapping[str, frozenset[str]] = {
    "amp": _FLAG | {"amp"},
    "noamp": _FLAG | {"mobile", "available"},
    "outputtype": frozenset(["amp", "print"]),
    "output": frozenset(["amp", "print"]),
    "view": frozenset(["amp", "print", "mobile", "desktop"]),
    "mode": frozenset(["amp", "print", "mobile"]),
    "format": frozenset(["amp", "print"]),
    "template": frozenset(["amp", "print", "mobile"]),
    "print": _FLAG | {"print"},
    "printable": _FLAG,
    "printer": _FLAG,
    "printerfriendly": _FLAG,
    "printversion": _FLAG,
    "mobile": _FLAG,
    "nomobile": _FLAG,
    "desktop": _FLAG,
    "pagewanted": frozenset(["all", "print"]),
    "tmpl": frozenset(["component"]),
}


def is_noise(name: str, value: str) -> bool:
    """Say whether a parameter is a tracking or session id.

    :param name: in lower case.

    >>> is_noise("utm_source", "x"), is_noise("from", "rss"), is_noise("from", "2024-01-01")
    (True, True, False)
    """
    if name in NOISE or name.startswith(NOISE_PREFIXES):
        return True
    return name in CHANNEL_NAMES and value.lower() in CHANNELS


def is_presentation(name: str, value: str) -> bool:
    """Say whether a parameter only asks for another view of the article; ``name`` in lower case."""
    return value.lower() in PRESENTATION.get(name, ())
