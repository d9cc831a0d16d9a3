"""What pages that are not articles say, in the languages newsmon meets most (en ru uk de zh es fr); lower case."""

from __future__ import annotations

import re


def _any(*phrases: str) -> re.Pattern[str]:
    return re.compile("|".join(phrases))


CHALLENGE_TITLE = _any(
    r"^just a moment",
    r"attention required!? \| cloudflare",
    r"^access (?:to this page has been )?denied",
    r"ddos-guard",
    r"(?:are you|you are|confirm you.re) (?:not )?a (?:robot|human)",
    r"verify(?:ing)? (?:that )?you are (?:a )?human",
    r"^(?:security|robot|browser|human) (?:check|verification)",
    r"pardon our interruption",
    r"^captcha\b",
    r"checking your browser",
    r"вы не робот",
    r"ви не робот",
    r"^проверка (?:браузера|безопасности)",
    r"^перевірка (?:браузера|безпеки)",
    r"^один момент",
    r"安全验证|安全驗證|人机验证|訪問驗證|访问验证",
)
CHALLENGE_MARKUP = _any(
    "_cf_chl_opt",
    "cf-browser-verification",
    "challenges.cloudflare.com/turnstile",
    "captcha-delivery.com",
    "px-captcha",
    "_incapsula_resource",
    "showcaptcha",
    "awswafcookiedomainlist|aws-waf-token|awswafcaptcha",
    "ddos-guard.net/check|/.well-known/ddos-guard",
    "hcaptcha.com/1/api.js",
)
CONSENT_ADDRESS = re.compile(
    r"^https?://(?:consent|guce|cmp|privacy-gate|myprivacy|privacy-mgmt)\."
    r"|/(?:consent|privacy-?(?:gate|wall)|cookie-?(?:consent|wall)|datenschutz-?zustimmung|collectconsent)(?:[/?.]|$)",
    re.IGNORECASE,
)
CONSENT_WORD = _any(
    r"\bcookies?\b",
    r"\bconsent\w*",
    r"\bpersonal data\b",
    r"\bprivacy\b",
    r"\bgdpr\b",
    r"\bpartners\b",
    r"\beinwillig\w+|\bzustimm\w+|\bdatenschutz\w*|\bakzeptieren\b",
    r"\bcookie-?файл\w*|\bфайл\w* cookie|\bсогласи\w+|\bперсональн\w+ данн\w+|\bконфиденциальност\w+",
    r"\bзгод[аоуи]\w*|\bперсональн\w+ дан\w+|\bконфіденційн\w+",
    r"\bconsentimiento\b|\bdatos personales\b|\bprivacidad\b|\bconsentement\b|\bdonnées personnelles\b",
    r"隐私|隱私|同意|个人信息",
)
CONSENT_APPEAL = _any(  # a wall speaks to its reader, an article about cookies does not
    r"\bwe (?:and our|use|store|value|process)\b|\byou (?:can|agree|consent|accept)\b",
    r"\byour (?:consent|choice|device|privacy)|\bby (?:clicking|continuing)|\baccept (?:all|cookies)",
    r"\bmanage (?:my |your )?(?:preferences|options|cookies|choices)",
    r"\bwir und unsere\b|\bsie können\b|\balle (?:cookies )?akzeptieren|\bmit ihrer einwilligung|\bich stimme zu",
    r"\bstimmen sie\b|\bмы и наши\b|\bмы ценим\b|\bчтобы продолжить\b|\bми (?:та|і|й) наші\b|\bщоб продовжити\b",
    r"\bнажимая\b|\bвы (?:да[её]те|соглаша\w+|принимае\w+)|\bмы используем|\b(?:сайт|портал) использует",
    r"\bнатискаючи\b|\bви (?:даєте|погоджу\w+|приймає\w+)|\bми використову|\b(?:сайт|портал) використовує",
    r"\bnosotros y nuestros|\bpuede (?:aceptar|retirar|rechazar)|\baceptar (?:todo|y continuar)|\butilizamos cookies",
    r"\bnous et nos\b|\ben cliquant\b|\btout accepter|\bvous pouvez\b|您|點擊|点击",
)
NOT_FOUND = _any(
    r"^(?:error )?404\b|\b404(?: error| not found| page)?$|\berror 404\b|^ошибка 404|^помилка 404",
    r"(?:page|article|content|story) (?:you requested )?(?:was |is |could |can)?(?:not|n.t) (?:be )?found",
    r"page no longer (?:exists|available)|^not found\b|nothing (?:was )?found",
    r"(?:страниц\w|материал|новост\w|документ|стать\w) не (?:найден\w*|существует)|^не найдено",
    r"(?:сторінк\w|матеріал|новин\w|стат\w+) не (?:знайден\w*|існує)",
    r"seite (?:wurde |konnte )?(?:leider )?nicht gefunden|artikel nicht gefunden",
    r"página no (?:encontrada|existe)|page (?:introuvable|non trouvée)",
    r"页面不存在|頁面不存在|找不到(?:页面|頁面|网页|網頁)|页面(?:未找到|找不到)|内容不存在|文章不存在|内容已(?:被)?删除",
)
LOGIN = _any(
    r"\b(?:log|sign) ?in\b",
    r"\bвход\b|\bвойти\b|\bавторизаци\w+",
    r"\bвхід\b|\bувійти\b|\bавторизаці\w+",
    r"\banmelden\b|\banmeldung\b|\beinloggen\b",
    r"\biniciar sesión\b|\bse connecter\b|\bconnexion\b",
    r"登录|登錄|登入",
)
LOGIN_ADDRESS = re.compile(r"/(?:log-?in|sign-?in|auth|sso|accounts?/login|anmelden)(?:[/?.]|$)", re.IGNORECASE)
PAYWALL = _any(
    r"(?:subscribe|sign up|register|log in|sign in)(?: now| today)? to (?:continue|keep|read|unlock|access)\b",
    r"(?:this|the) (?:article|story|content) is (?:only |exclusively )?(?:available )?(?:for|to) (?:our )?subscribers",
    r"subscriber[- ](?:only|exclusive)|already a subscriber\?|to continue reading",
    r"(?:чтобы|чтоб) (?:читать|дочитать|продолжить чтение|прочитать)\W.{0,60}подпи\w+|оформите подписку",
    r"подпи\w+,? (?:чтобы|для) (?:читать|чтения|продолж\w+)",
    r"(?:материал|статья|текст) доступ\w+ (?:только )?(?:по подписке|подписчикам)",
    r"(?:доступн\w+|лише|тільки) (?:для )?передплатник\w+|оформіть передплату|передплат\w+,? щоб",
    r"(?:jetzt |hier )?weiterlesen mit|(?:nur|exklusiv) für abonnenten|artikel freischalten|mit \S*(?:plus|\+)-?abo",
    r"suscríbe\w* para|solo para suscriptores|réservé aux abonnés|il vous reste .{1,12} à lire",
    r"订阅后(?:继续)?阅读|訂閱後(?:繼續)?閱讀|付费(?:阅读|内容)|付費(?:閱讀|內容)|会员专享|會員專享|剩余内容.{0,12}订阅",
)
NEEDS_SCRIPT = _any(
    r"(?:enable|turn on|requires?|need to enable|without) javascript",
    r"javascript (?:is )?(?:disabled|required|must be enabled)",
    r"включите (?:поддержку )?javascript|увімкніть javascript|javascript (?:отключен|вимкнено|aktivieren)",
    r"aktivieren sie (?:bitte )?javascript|[启啟]用\s?javascript|habilit\w+ javascript|activer javascript",
)
