"""What pages that are not articles say (en ru uk de zh es fr pl, and some it pt nl ja).

All patterns are for lower case. Those for titles are anchored or long enough that a headline *about* the matter does
not match; those for lines are only put to short lines, so none of them is ever run over a whole page.
"""

from __future__ import annotations

import re


def _any(*phrases: str) -> re.Pattern[str]:
    return re.compile("|".join(phrases))


CHALLENGE_TITLE = _any(
    r"^(?:just a moment|nur einen moment|einen moment, bitte|один момент|хвилинку|un instant|un momento"
    r"|chwileczkę)\W*$",
    r"^(?:请稍候|請稍候|少々お待ちください)\W*$",
    r"attention required!? \| cloudflare|used cloudflare to restrict access",
    r"^access (?:to this page has been )?denied",
    r"^ddos-guard|^sucuri website firewall|^vercel security checkpoint|^client challenge$",
    r"^(?:are you|you are|confirm (?:that )?you.re|making sure you.re) (?:not )?(?:a )?(?:robot|human|bot)\b",
    r"^verify(?:ing)? (?:that )?you are (?:a )?human|we.re verifying your browser",
    r"^(?:additional )?(?:security|robot|browser|human) (?:check|verification|challenge)\b(?!s)",
    r"^(?:pardon our interruption|request rejected|your access to this site has been limited|you have been blocked)",
    r"^captcha\b|^bot (?:check|detection|verification)|checking your browser",
    r"^(?:вы|ви) не робот|^подтвердите,? что|^підтвердьте,? що",
    r"^проверка (?:браузера|безопасности|на робота)|^перевірка (?:браузера|безпеки)",
    r"^доступ (?:ограничен|запрещ[её]н)$",
    r"^sicherheits(?:über)?prüfung$|^zugriff verweigert",
    r"^(?:control|comprobación|verificación) de seguridad$|^acceso denegado|^(?:contrôle|vérification) de sécurité$",
    r"^accès refusé|^weryfikacja (?:bezpieczeństwa|użytkownika)$|^odmowa dostępu",
    r"安全验证|安全驗證|人机验证|人機驗證|訪問驗證|访问验证|^验证码$|^滑动验证",
)
CHALLENGE_LINE = _any(
    r"(?:not|n.t|ensure you are not|no) a (?:robot|bot)\b|(?:you are|you.re) (?:a )?human\b|you are a person and not",
    r"verify (?:that )?you are|checking your browser before|review the security of your connection",
    r"(?:unusual|automated|suspicious) (?:activity|traffic|requests)|(?:enable|disable) (?:js|javascript) and",
    r"ad ?blocker",
    r"you have been blocked|don.t have permission to access|request(?:ed url)? (?:was rejected|unsuccessful)",
    r"protect (?:itself|the server) (?:from|against)|security service to protect|additional security check",
    r"access to this (?:site|service|page) has been (?:limited|denied|blocked)|ray id|incident id|support id is",
    r"slide to verify|complete the (?:verification|security check|captcha)|check your browser|automated access",
    r"solve the (?:puzzle|captcha|picture)|press (?:&|and) hold|drag the slider",
    r"что вы (?:человек|не робот)|а не робот|похожи на автоматические|символы с картинки|проверка браузера",
    r"що ви (?:людина|не робот)|символи з картинки|перевірка браузера|безопасность вашего (?:под|со)единения",
    r"безпеку вашого з.єднання|безопасность вашего подключения|необычн\w+ (?:трафик|активност)",
    r"(?:kein roboter|ein mensch) sind|sicherheit ihrer verbindung|ungewöhnliche (?:aktivität|anfragen|zugriffe)",
    r"no es un robot|es un ser humano|seguridad de su conexión|n.êtes pas un robot|êtes humain",
    r"sécurité de votre connexion",
    r"nie jesteś robotem|jesteś człowiekiem|bezpieczeństwo połączenia",
    r"(?:不是|非)(?:机器人|機器人)|(?:您是|你是)真人|(?:完成|进行|通过).{0,8}(?:验证|驗證)|拖动滑块|访问过于频繁|您的连接的安全性",
)
CHALLENGE_STEM = _any(
    r"\b(?:ro)?bots?\b|\bhuman\b|captcha|\bmensch\b|\broboter\b|\bбот\b|\bробот\b|\bчеловек\b|\bлюдина\b",
    r"\bhumain\b|une personne\b|\bczłowiekiem\b|\brobotem\b|\bser humano\b|机器人|機器人|真人|人机",
)
CHALLENGE_MARKUP = _any(
    "_cf_chl_opt",
    "cf-browser-verification",
    "challenges.cloudflare.com/turnstile",
    "captcha-delivery.com",
    "px-captcha",
    "_incapsula_resource",
    "showcaptcha|checkcaptcha",
    "awswafcookiedomainlist|aws-waf-token|awswafcaptcha|awswafintegration|gokuprops",
    "ddos-guard.net/check|/.well-known/ddos-guard",
    "hcaptcha.com/1/api.js",
    "sec-if-cpt-container|/_sec/verify|bm-verify=",
    "window.kpsdk|ips.js\\?tkrm_",
    "sucuri_cloudproxy_js",
    "__qrator/qauth",
    "/cmd/anubis/",
    "acw_sc__v2|alicdn.com/awsc|alicdn.com/sd/",
    "/_fs-ch-",
    "slowaes|tonumbers\\(",
    "initgeetest|tcaptcha.js|turing.captcha.qcloud|wappass.baidu.com",
    "window.rbzns|rbzid=",
    "class=['\"]?g-recaptcha",
)
CONSENT_ADDRESS = re.compile(
    r"^https?://(?:consent|guce|cmp|privacy-gate|myprivacy|privacy-mgmt|cookies?)\."
    r"|/(?:consent|privacy-?(?:gate|wall)|cookie-?(?:consent|wall)|datenschutz-?zustimmung|zustimmung|collectconsent)"
    r"(?:[/?.]|$)",
    re.IGNORECASE,
)
CONSENT_HINTS = (
    *("cookie", "consent", "gdpr", "privacy", "personal data", "tracking", "einwillig", "zustimm", "datenschutz"),
    *("cookie-файл", "согласи", "персональн", "конфиденциальн", "приватн", "згод", "конфіденційн"),
    *("privacidad", "datos personales", "rastreo", "confidentialité", "données personnelles", "traceurs", "vie privée"),
    *("ciastecz", "zgod", "danych osobowych", "dane osobowe", "prywatno", "śledzen"),
    *("隐私", "隱私", "同意", "个人信息", "個人資料", "プライバシー", "privacyverkl", "toestemming", "consenso"),
)
"""Pieces of words that a page about consent has in plenty: counted before any pattern is tried."""
CONSENT_WORD = _any(
    r"\bcookies?\b|cookie(?=[^a-z]|$)",
    r"\bconsent\w*",
    r"\bpersonal data\b|\bunique identifiers\b|\bip.adress\w*|\bip address",
    r"\bprivacy\b",
    r"\bgdpr\b|\brodo\b|\bdsgvo\b|\brgpd\b",
    r"\bpartners\b|\bvendors\b|\bthird parties\b|\bad-?free\b|\btracking\b|\badvertisers?\b|\bpersonali[sz]ed ad\w*",
    r"\beinwillig\w+|\bzustimm\w+|\bdatenschutz\w*|\bakzeptieren\b|\bpersonenbezogen\w*|\bpur-?abo\w*",
    r"\bwerbe?tracking",
    r"\bcookie-?файл\w*|\bфайл\w* cookie|\bсогласи\w+|\bперсональн\w+ данн\w+|\bконфиденциальност\w+|\bприватност\w+",
    r"\bпартн[её]р\w*|\bрекламодател\w+|\bтреть\w+ лиц\w+|\bобработк\w+ данн\w+",
    r"\bзгод[аоуи]\w*|\bперсональн\w+ дан\w+|\bконфіденційн\w+|\bприватніст\w+|\bрекламодавц\w+|\bтрет\w+ особ\w+",
    r"\bconsentimiento\b|\bdatos personales\b|\bprivacidad\b|\brastreo\b|\bsocios\b|\banunciantes\b|\bproveedores\b",
    r"\bconsentement\b|\bconsentir\b|\bdonnées personnelles\b|\bconfidentialité\b|\btraceurs\b|\bannonceurs\b",
    r"\bvie privée\b",
    r"\bpartenaires\b|\bciastecz\w+|\bzgod[aęyąz]\w*|\bdan\w+ osobow\w+|\bprywatności?\b|\bpartner\w*",
    r"\breklamodawc\w+",
    r"\bśledzeni\w+|\bplik\w* cookie|\brozporządzeni\w+|\bwithdraw\b|\bstore and(?:/or)? access information",
    r"\blocation data",
    r"\bdrittanbieter\b|\bwerbe(?:freie|zweck)\w*|\bwiderruf\w*|\btraceurs?\b|\bterminal\b|\bfinalités\b",
    r"\bретаргет\w*",
    r"\bцел(?:ях|и) .{0,30}реклам\w*|\bмаркетинг\w*|\bmarketing\w*|\bпользовательск\w+ данн\w+",
    r"隐私|隱私|同意|个人信息|合作伙伴|广告商|第三方|cookie",
    r"\btoestemming\b|\bpersoonsgegevens\b|\bconsenso\b|\bdati personali\b|\bconsentimento\b|\bdados pessoais\b",
    r"プライバシー|同意する|個人データ",
)
CONSENT_CORE = _any(
    r"cookie|consent|tracking|einwillig|einverständnis|zustimm|соглас|згод|погодж|traceur|ciastecz|zgod|同意|允许",
    r"toestemming|akkoord|consenso|consentimento|クッキー",
)
CONSENT_MATTERS = tuple(  # what a notice speaks of besides, one matter each
    re.compile(matter)
    for matter in (
        r"advertis|werb|anzeigen|annonc|реклам|publicid|publicit|reklam|广告|pubblicit|annunci|広告",
        r"personal|\bdata\b|daten|данн|\bдан(?:их|і)\b|datos|données|dane\b|danych|信息|\bdati\b|gegevens",
        r"privacy|privat|приват|конфид|конфід|confidential|vie privée|prywatn|隐私|隱私|datenschutz",
        r"partner|socios|partenaires|партн|合作|fornitori|vendors|drittanbieter|third part|треть|третім",
        r"technolog|device|gerät|устройств|пристр|dispositiv|appareil|terminal|urządzen|设备|技术",
        r"choice|choose|settings|preferences|auswahl|einstellung|выбор|настро|вибір|налашт|elección|configur|choix"
        r"|wybór"
        r"|ustawie|选择|设置|rifiut|impostazion",
        r"withdraw|revoke|widerruf|отозвать|відклик|retirar|retirer|wycofa|撤回|revocare|at any time|jederzeit"
        r"|whenever",
    )
)
SECOND_PERSON = re.compile(
    r"\b(?:you|your|sie|ihre?[nrms]?|du|dein\w*|вы|вас|вам|ваш\w*|ви|usted|su|tu|puedes?|vous|votre|vos|tw(?:ój"
    r"|oje?\w*)"
    r"|możesz|puoi|tuo|tuoi|uw|jij|je)\b|您|[你妳]"
)
CONSENT_APPEAL = _any(  # a wall speaks to its reader, an article about cookies does not
    r"\bwe (?:and our|use|store|value|process)\b|\byou (?:can|may|agree|consent|accept|prefer)\b"
    r"|\bplease (?:agree|accept)",
    r"\byour (?:consent|choice|device|privacy|decision|preferences)|\bby (?:clicking|continuing)",
    r"\baccept (?:all|cookies)",
    r"\bmanage (?:my |your )?(?:preferences|options|cookies|choices)|\bmore options\b|\breject all\b",
    r"\bif you click\b|\bwhen you use\b",
    r"\bwir und unsere\b|\bsie können\b|\balle (?:cookies )?akzeptieren",
    r"\b(?:mit )?ihrer? (?:einwilligung|zustimmung)",
    r"\bbenötigen wir ihre|\bkönnen sie\b|\bich stimme zu|\bstimmen sie\b|\bbesuchen sie\b.{0,40}werbung",
    r"\bnutzen sie unser|\bfinden sie in unserer datensch",
    r"\bмы и наши\b|\bмы ценим\b|\bчтобы (?:продолжить|открыть сайт)\b|\bразрешите\b|\bесли вы не хотите",
    r"\bсво[её] согласие",
    r"\bпродолжая\b|\bесли вы не согласны|\bнажимая\b|\bвы (?:да[её]те|соглаша\w+|принимае\w+|можете)",
    r"\bмы используем|\b(?:сайт|портал) использует",
    r"\bми (?:та|і|й) наші\b|\bщоб (?:продовжити|відкрити сайт)\b|\bдозвольте\b|\bякщо ви не хочете|\bсвою згоду",
    r"\bнатискаючи\b|\bви (?:даєте|погоджу\w+|приймає\w+|можете)|\bми використову|\b(?:сайт|портал) використовує",
    r"\bnosotros y nuestros|\bpuede (?:aceptar|retirar|rechazar|hacer)|\baceptar (?:todo|y continuar)",
    r"\butilizamos cookies",
    r"\bsu (?:consentimiento|elección)|\bpermita que usemos|\bpara leer gratis",
    r"\bvous acceptez|\bvous abonner|\bnous et nos\b|\bavec nos\b.{0,20}partenaires|\ben cliquant\b|\btout accepter",
    r"\bvous pouvez\b|\bvotre (?:choix|consentement)",
    r"\bautorisez\b|\bpour lire gratuitement|\bcontinuer sans accepter",
    r"\bdrogi (?:czytelniku|użytkowniku)|\bszanowni|\bakceptujesz|\bzgadzam się|\btwoich danych|\bmy i nasi\b",
    r"\bklikając\b|\bwyrażasz zgodę|\bmożesz (?:odmówić|wycofać|zmienić|zaakceptować)|\bszanujemy\b",
    r"\bzezwól\b|\btwój wybór|\baby czytać za darmo|\bużywamy plików",
    r"您|[点點](?:击|擊).{0,12}(?:同意|接受|即表示|即代表)|请允许|我们使用",
)
NOT_FOUND_NAME = _any(  # a whole title, or a whole part of one
    r"(?:that|this|the|diese|такая|такой|cette|esta|ta)?\W*(?:page|article|seite|страниц\w|página"
    r"|strona)\W+(?:can.t|cannot|could not) be found",
    r"diese (?:seite|adresse) (?:gibt es|existiert) (?:leider )?nicht(?: mehr)?"
    r"|(?:error|erreur|fehler|błąd|ошибка|помилка)\W+404"
    r"[.:!\s-]*(?:página no encontrada|страница не найдена|сторінку не знайдено|page introuvable"
    r"|seite nicht gefunden|page not found)?",
    r"(?:error |http |erreur |fehler |błąd |ошибка |помилка )?404(?: error| not found| page| fehler|错误)?(?: - .*)?",
    r"(?:\W*404\W*)?(?:(?:sorry|oops|ooops|whoops|uh oh)\W+)*(?:the |this )?(?:page|article|content|story|file|post)"
    r"(?: you (?:requested|are looking for|were looking for|asked for))?"
    r" (?:was |is |could |can|has been )?(?:not|n.t|no longer) (?:be )?(?:found|available|exists?)",
    r"(?:\W*404\W*)?not found|nothing (?:was )?found|(?:oops|ooops|whoops)\W*(?:nothing here|something went wrong)?",
    r"page no longer (?:exists|available)|(?:this )?(?:page|article|content) (?:has been|was) (?:removed|deleted)",
    r"(?:page|content|article) (?:does ?n.t|does not) exist|gone|410 gone|(?:http )?(?:error )?410",
    r"451|(?:451: ?)?unavailable (?:due to|for) legal reasons|(?:503 )?service (?:temporarily )?unavailable",
    r"502 bad gateway",
    r"error establishing a database connection|(?:internal )?server error",
    r"site (?:is )?(?:under|down for) maintenance",
    r"(?:упс\W*)?(?:такой )?(?:страниц\w|материал|новост\w|документ|стать\w|публикаци\w)"
    r" (?:больше )?(?:не (?:найден\w*|существует)|нет|удал[её]н\w?)|не найдено"
    r"|упс\W*(?:здесь пусто|что-то пошло не так)?",
    r"(?:ой\W*|упс\W*)?(?:такої )?(?:сторінк\w|матеріал|новин\w|стат\w+|публікаці\w) (?:більше )?"
    r"(?:не (?:знайден\w*|існує)|немає|видален\w?)|(?:ой|упс)\W*тут порожньо|не знайдено",
    r"(?:hoppla\W*|ups\W*)?(?:(?:die|diese) )?(?:seite|artikel|inhalt|beitrag) (?:wurde |konnte |existiert )?"
    r"(?:leider )?(?:nicht (?:gefunden|verfügbar|mehr verfügbar)(?: werden)?|nicht(?: mehr)?)",
    r"(?:hoppla|ups|huch)\W*(?:hier ist nichts|da ist etwas schiefgelaufen)?|nicht gefunden",
    r"(?:vaya|ups|lo sentimos)?\W*(?:(?:la |esta )?(?:página|noticia) (?:solicitada )?no (?:encontrada|existe"
    r"|disponible)"
    r"|aquí no hay nada|no encontrado)",
    r"(?:oups\W*|désolé\W*)?(?:(?:la |cette )?page (?:est )?(?:introuvable|non trouvée|n.existe (?:pas|plus))"
    r"|il n.y a rien ici|contenu introuvable)",
    r"(?:ups\W*|przepraszamy\W*)?(?:nie znaleziono (?:strony|artykułu)|(?:ta )?strona nie (?:istnieje"
    r"|została znaleziona)"
    r"|nic tu nie ma|artykuł nie istnieje)",
    r"pagina non trovata|página não encontrada|pagina niet gevonden|sidan hittades inte|sayfa bulunamadı",
    r"(?:抱歉\W*|哎呀\W*)?(?:您(?:访问|要找)的)?(?:页面|頁面|网页|網頁|内容|文章|新闻)(?:不存在|未找到|找不到了?|已(?:被)?(?:删除|下线))",
    r"(?:抱歉\W*|哎呀\W*)?(?:找不到(?:该)?(?:页面|頁面|网页|網頁)|这里什么都没有|404错误)|ページが見つかりません(?:でした)?",
)
_MISSING = (  # what is missing, and what is said of it, in one language each; both stand near each other
    (
        r"\b(?:page|article|content|story|url|link|address|post|document|file)s?\b",
        r"(?:not|n.t|never|nothing(?: was)?|no longer|cannot)\b.{0,20}\b(?:found|exist(?:s|ed)?|available|here"
        r"|find)\b"
        r"|\bbeen (?:re)?(?:moved|named|deleted|taken down)|\bbroken\b|\boutdated\b",
    ),
    (
        r"\b(?:seite|artikel|inhalt|adresse|beitrag|dokument|link)\b",
        r"nicht\b.{0,20}(?:gefunden|verfügbar|vorhanden|existier)|existiert.{0,12}nicht|gibt es.{0,20}(?:nicht|mehr)"
        r"|(?:gelöscht|verschoben|entfernt|veraltet|verschwunden)\b|nicht (?:mehr|länger) online|nicht finden"
        r"|archiviert",
    ),
    (
        r"(?:страниц|материал|стать|адрес|публикаци|новост|ссылк|документ)\w*",
        r"не (?:найден|существу|доступ|обнаруж)\w*|(?:удал[её]н|перемещ[её]н|снят|устарел)\w*|больше (?:нет|не)\b"
        r"|нет на|потерял\w*|ещ[её] не опубликован",
    ),
    (
        r"(?:сторінк|матеріал|статт|адрес|публікаці|новин|посиланн|документ)\w*",
        r"не (?:знайден|існу|доступ)\w*|(?:видален|переміщен|знят|застаріл)\w*|(?:вже|більше) немає|загубил\w*",
    ),
    (
        r"\b(?:página|noticia|dirección|enlace|contenido|artículo)\b",
        r"no (?:se (?:ha )?encontr|existe|está disponible|encontrad)\w*|(?:movido|eliminad|caducad|retirad)\w*"
        r"|ya no\b|cambiado de|no (?:la |lo )?(?:hemos )?encontr\w+",
    ),
    (
        r"\b(?:page|adresse|contenu|article|lien)\b",
        r"introuvable|n.existe (?:pas|plus)|n.est (?:pas|plus) disponible|(?:déplac|supprim|périm)\w+"
        r"|changé d.adresse"
        r"|non trouvée|n.a pas été trouvée|plus en ligne|disparu|retiré|perdue?\b",
    ),
    (
        r"\b(?:stron|artykuł|adres|materiał|odnośnik|treś)\w*",
        r"nie (?:istnieje|istniał|znalezion|został|ma już)\w*|nie ma\b|(?:usunięt|przeniesion|wygas|wycofan)\w*",
    ),
    (
        r"(?:页面|頁面|网页|網頁|内容|內容|文章|链接|ページ)",
        r"(?:不存在|未找到|找不到|已下线|已失效|走丢|飞走|已?(?:被)?(?:删除|刪除|移除)|见つかりません|見つかりません)",
    ),
)
NOT_FOUND_LINE = _any(  # what an error page tells its reader
    *(rf"{noun}.{{0,60}}?(?:{said})" for noun, said in _MISSING),
    r"(?:page|article|content|story|url|file|address) you(?:.re| are| were|.ve| have)? (?:looking|requested|asked"
    r"|trying|tried)",
    r"ne (?:re)?trouvons pas|nie możemy znaleźć|can.t be found|\bnothing (?:was |could be )?found\b",
    r"can.t find (?:the|that|this|what) ",
    r"(?:не найден|не знайден|不存在).{0,40}(?:страниц|сторінк)",
    r"(?:запрошенн|запитан)\w+ (?:вами )?(?:страниц|сторінк)\w+|такой страницы|такої сторінки",
    r"找不到(?:该|您|你)?.{0,12}(?:页面|頁面|网页|网頁)",
    r"(?:gesuchte|gewünschte|angeforderte|aufgerufene) (?:seite|adresse|inhalt)",
)
NOT_FOUND_ADDRESS = re.compile(
    r"/(?:[a-z]{2}/)?(?:404|410|not[-_]?found|page[-_]?not[-_]?found|error|errors?/404|fehler(?:seite)?"
    r"|nicht-gefunden)"
    r"(?:\.\w+)?/?$",
    re.IGNORECASE,
)
LOGIN = _any(  # a whole title, or a whole part of one
    r"(?:please )?(?:log|sign)[ -]?(?:in|on)(?: (?:to|with|required|or register|page)\b.{0,40})?"
    r"|login(?: required| page)?",
    r"welcome back|(?:my |your )?account(?: login)?|members?(?: area| login)?|authentication(?: required)?",
    r"(?:sign ?up|register|registration|create (?:a |an |your )?(?:free )?account)(?: for free| with .{0,30})?",
    r"вход(?: (?:на сайт|в систему|в аккаунт|в личный кабинет))?|войти(?: в .{1,30})?|авторизаци\w|личный кабинет",
    r"регистрация",
    r"вхід(?: (?:на сайт|до системи|в акаунт))?|увійти(?: (?:в|до) .{1,30})?|авторизаці\w|особистий кабінет",
    r"реєстрація",
    r"anmelden|anmeldung|einloggen|log-?in|registrieren|registrierung|(?:mein )?konto(?: anlegen| erstellen)?"
    r"|willkommen zurück|(?:bei|mein) .{1,20} anmelden",
    r"(?:iniciar|inicia|inicie) sesión(?: en .{1,30})?|identifícate|entra en tu cuenta|acceder|acceso(?: usuarios)?"
    r"|mi cuenta|hola de nuevo|registro|registrarse"
    r"|crear (?:una )?cuenta",
    r"se connecter|connexion|identification|s.identifier|mon compte|heureux de vous revoir|créer (?:un|mon) compte"
    r"|inscription|s.inscrire",
    r"logowanie|zaloguj(?: się)?|moje konto|witaj ponownie|rejestracja|załóż konto|wejdź|zarejestruj się",
    r"(?:用户|会员|帳號|账号)?(?:登录|登錄|登入)(?:账号|帳號)?|(?:用户|会员)?注册(?:账号)?|欢迎回来|ログイン|会員登録",
    r"accedi|entrar|inloggen|logga in|giriş yap|přihlášení",
)
LOGIN_LINE = _any(
    r"(?:continue|sign in|log in|mit|continuar con|continuer avec|zaloguj (?:się )?(?:przez|z)) (?:google|apple"
    r"|facebook)|войти через",
    r"увійти через|(?:微信|手机|短信|验证码)登录|or use your email|oder mit e-mail",
    r"forgot(?:ten)?(?: your)? password|reset (?:your )?password|remember me|stay (?:logged|signed) in",
    r"already have an account",
    r"(?:enter|type) your (?:email|password)|(?:log|sign) in to (?:your|continue)|(?:new here|not registered)",
    r"choose a password",
    r"забыли пароль|восстановить пароль|запомнить меня|нет аккаунта|впервые у нас",
    r"введите (?:почту|логин|пароль|email)",
    r"придумайте пароль|забули пароль|відновити пароль|запам.ятати мене|немає акаунта|введіть (?:пошту|логін|пароль)",
    r"(?:passwort|kennwort) (?:vergessen|zurücksetzen|wählen)|(?:angemeldet|eingeloggt) bleiben|noch kein konto",
    r"um sich einzuloggen",
    r"(?:olvid|recuper)\w+ (?:su |tu |la )?contraseña|recordarme|no tiene cuenta",
    r"(?:escriba|introduzca) su (?:correo|contraseña)",
    r"elija una contraseña|mot de passe oublié|réinitialiser le mot de passe|rester connecté|pas encore de compte",
    r"saisissez votre|choisissez un mot de passe|nie pamiętasz hasła|zresetuj hasło|zapamiętaj mnie|nie masz konta",
    r"podaj adres e-mail",
    r"wybierz hasło|忘记密码|忘記密碼|找回密码|记住我|还没有账号|请输入(?:手机号|邮箱|密码|用户名)|设置密码",
)
LOGIN_STEM = _any(
    r"\b(?:log|sign)[ -]?in|\bregister\b|\bmembers?\b|\bsubscriber\b|\baccount\b|anmeld|einlogg|registrier",
    r"\bkonto\b|mitglied",
    r"авториз|\bвход|войти|\bвойд|регистрац|кабинет|авториза|\bвхід|увій|реєстрац|кабінет",
    r"iniciar sesión|identif|acceso|\bcuenta\b|regístr|registr|connexion|connect|abonné|\bcompte\b|inscri",
    r"zalog|logowa|rejestr|登录|登錄|登入|注册|会员|ログイン|accedi|inlog",
)
LOGIN_HOST = re.compile(r"^(?:login|auth|sso|id|accounts?|signin|konto|passport|idp|user)\.", re.IGNORECASE)
LOGIN_ADDRESS = re.compile(
    r"/(?:log-?in|sign-?in|sign-?on|auth|sso|oauth2?|accounts?/(?:login|sign-?in|register)|anmelden|anmeldung"
    r"|connexion"
    r"|logowanie|register|sign-?up|registrieren)(?:[/?.]|$)",
    re.IGNORECASE,
)
_CLOSED = (  # what is closed, who may read it
    (
        r"\b(?:article|story|content|text|post|page|report|rest|analysis)\b",
        r"\b(?:subscribers|members|paid|paying|premium|subscription)\b",
    ),
    (
        r"\b(?:artikel|inhalt|text|beitrag|weiterlesen|lesen)\b",
        r"\b(?:abonnenten|mitglieder|\w*abo|\S*premium|plus-\w+|registrieren|freischalten)\b",
    ),
    (
        r"\b(?:материал|стать|текст|публикаци|продолжени|верси|дочита|читать)\w*",
        r"\b(?:подписчик|подписк|участник|подпишит|зарегистрир|авторизуй)\w*",
    ),
    (
        r"\b(?:матеріал|статт|текст|публікаці|продовженн|дочита|читати)\w*",
        r"\b(?:передплатник|передплат|учасник|читаче\w+ клубу|підпис|зареєструй)\w*",
    ),
    (
        r"\b(?:artículo|noticia|contenido|texto|leyendo|leer)\b",
        r"\b(?:suscriptores|socios|suscríb\w+|suscripción|regístr\w+|premium)\b",
    ),
    (
        r"\b(?:articles?|contenu|texte|suite|lecture|lire)\b",
        r"\b(?:abonnée?s?|abonnez|abonnement|inscrivez|offre numérique|premium)\b",
    ),
    (
        r"\b(?:artykuł\w*|treś\w+|tekst\w*|czytać|przeczytać|zobaczyć)\b",
        r"\b(?:prenumer\w+|subskry\w+|abonent\w*|premium|zarejestruj|odblokuj)\b",
    ),
    (
        r"(?:文章|全文|内容|內容|本文|剩余|阅读|閱讀)",
        r"(?:订阅|訂閱|会员|會員|付费|付費|登录后|注册)",
    ),
)
_ONLY = (
    r"\b(?:only|exclusive\w*|reserved|just|unlock|to (?:continue|keep|read|finish|view|access)|nur|exklusiv\w*|um"
    r"|weiterlesen"
    r"|только|лишь|доступ\w+|эксклюзив\w+|чтобы|открыт\w*|лише|тільки|доступн\w+|щоб|відкрит\w*"
    r"|solo|exclusiv\w+|para|reservad\w+|réservée?s?|pour|exclusi\w+|tylko|wyłącznie|aby|żeby)\b|后|後|仅|僅|专享|解锁|需"
)
PAYWALL_OFFER = tuple((re.compile(what), re.compile(who)) for what, who in _CLOSED)
PAYWALL_ONLY = re.compile(_ONLY)
PAYWALL = _any(  # an offer to read on
    r"(?:subscribe|sign up|register|log in|sign in|join|create an account|upgrade)(?: now| today| for free"
    r"| free)? to "
    r"(?:continue|keep|read|unlock|access|view)\b",
    r"(?:this|the)(?: full| rest of (?:this|the))? (?:article|story|content|text|post) is (?:only |exclusively "
    r"|reserved )?"
    r"(?:available )?(?:for|to|reserved for) (?:our |paid |paying )?(?:subscribers|members)",
    r"subscriber[- ](?:only|exclusive)|members?[- ]only|already a (?:paid |paying )?(?:subscriber|member)\?",
    r"to (?:continue|keep) reading",
    r"(?:end|limit) of (?:the|your) free (?:preview|articles?)"
    r"|(?:used|read|reached).{0,20}(?:all|limit of)? ?(?:your|of your)"
    r" (?:free|monthly) (?:free )?(?:articles?|stories)|free articles? (?:left|remaining|this month)",
    r"unlock (?:this|the|it|full)\b|(?:this is a |for )premium (?:article|content|subscribers)",
    r"get unlimited (?:digital )?access",
    r"carry on with this story|read the (?:full|whole|rest of the) (?:story|article) with",
    r"(?:чтобы|чтоб) (?:читать|дочитать|продолжить чтение|прочитать|увидеть текст)\W.{0,60}(?:подпи|зарег|войди"
    r"|оформ)\w+",
    r"(?:подпи|зарегистрир|войди|авторизуй|созда|оформ)\w*.{0,50} чтобы (?:читать|дочитать|продолж\w+|увидеть"
    r"|прочитать)",
    r"подпи\w+,? (?:чтобы|для) (?:читать|чтения|продолж\w+)|уже (?:подписаны|есть подписка)\?",
    r"(?:материал|статья|текст|продолжение) (?:доступ\w+|открыт\w*) (?:только |лишь )?(?:по подписке|подписчикам"
    r"|участникам)",
    r"это закрытый материал|(?:только|эксклюзивно) для подписчиков|прочитали все бесплатные",
    r"(?:доступн\w+|відкрит\w+|лише|тільки) (?:лише |тільки )?(?:для )?(?:передплатник\w+|учасник\w+)",
    r"передплат\w+,? щоб|(?:зареєструйтеся|увійдіть|створіть).{0,40} щоб (?:читати|продовжити|побачити)",
    r"це закритий матеріал",
    r"щоб дочитати|прочитали всі безкоштовні|вже передплатили",
    r"(?:jetzt |hier |kostenlos )?weiterlesen mit|(?:nur|exklusiv) für (?:unsere )?abonnenten|artikel freischalten",
    r"mit \S*(?:plus|\+)-?abo|registrieren und weiterlesen",
    r"um (?:diesen (?:artikel|text)|den ganzen|weiter ?zu ?lesen)",
    r"weiterzulesen|(?:alle )?(?:ihre )?freien artikel|(?:gehört zu|teil) unsere[ms] \S*(?:plus|premium|\+)",
    r"lesen sie diesen artikel",
    r"(?:bereits|schon) (?:abonnent|\S*plus-?kunde|registriert)|jetzt \S*(?:abo|plus|\+)\S* testen",
    r"habe bereits ein abo",
    r"(?:suscríbe\w*|regístr\w+|hazte socio|inicia sesión)(?: \w+)? para (?:seguir|continuar|leer|acceder)",
    r"seguir leyendo",
    r"(?:solo|exclusiv\w) para (?:los |nuestros )?(?:suscriptores|socios)",
    r"reservad\w (?:a|para) (?:los |nuestros )?(?:suscriptores|socios)",
    r"ya (?:eres|soy) (?:suscriptor|socio)|agotado tus artículos|contenido exclusivo\.?$",
    r"para ver la noticia completa",
    r"réservée? (?:aux|à nos) abonnés|il vous reste .{1,12} à lire|(?:poursui|continu)\w+ (?:votre|la) lecture",
    r"déjà abonné",
    r"(?:abonnez|inscrivez|identifiez)-vous.{0,30} pour (?:lire|continuer|poursuivre|accéder)",
    r"la suite (?:de cet article )?est",
    r"lu tous vos articles gratuits|pour lire (?:cet article en entier|la suite)",
    r"(?:wykup|kup|zarejestruj|zaloguj|załóż).{0,40} aby (?:czytać|przeczytać|zobaczyć)|aby czytać dalej",
    r"tylko dla (?:prenumer|subskry|abonent)",
    r"dostępn\w+ (?:tylko|wyłącznie) (?:w |dla)|pozostało (?:ci )?\d+ ?(?:%|proc)|limit darmowych",
    r"masz już (?:prenumerat|dostęp|subskryp)",
    r"订阅后(?:继续)?阅读|訂閱後(?:繼續)?閱讀|付费(?:阅读|内容)|付費(?:閱讀|內容)|会员专享|會員專享",
    r"剩余.{0,8}(?:内容|全文).{0,12}(?:订阅|会员)|已(?:经)?订阅.{0,3}(?:登录|$)",
    r"(?:注册|登录|开通会员|订阅).{0,8}(?:查看|阅读|解锁)(?:完整|全文|剩余|更多|内容)?|试读(?:到此)?结束|免费文章已(?:读完|用完)",
    r"この記事は(?:有料)?会員(?:限定|専用)|続きを読むには|残り\d+文字",
    r"abbonati per|per continuare a leggere|voor abonnees|assine para",
)
PRICE = re.compile(
    r"[€£$₽₴¥]\s?\d|\d(?:[.,]\d\d)?\s?(?:€|£|\$|₽|₴|руб|рубл|грн|гривен|zł|euros?\b|元|pounds?\b|dollars?\b|kr\b"
    r"|chf\b|eur\b)"
)
SUBSCRIPTION = _any(  # words of an offer
    r"\b(?:weeks?|months?)\b|\bsubscri\w+|\bfree trial|\bcancel (?:any|on)\w*|\bdigital (?:access|pass)|\bmembership"
    r"|\ba (?:month|week|year)\b|\bpremium\b",
    r"\babo\w*|\bprobe\w*|\bkündbar|\bzugang\b|\bim monat\b|\bpro (?:monat|woche)|\bmonatlich|\bregistrier\w*",
    r"\bplus-",
    r"подпи[сш]\w+|в месяц|отменить|доступ\b|пробн\w+|передпл\w+|на місяць|скасувати|підпи[сш]\w+",
    r"\bsuscri\w+|\bal mes\b|\bregístr\w+|\bsoci[oa]s?\b|\babonn\w+|\bpar mois|\bsans engagement|\binscri\w+",
    r"\bpremier mois",
    r"\bprenumer\w+|\bsubskry\w+|\bmiesięcznie|\bdostęp\b|\bodblokuj|\bzarejestruj|订阅|訂閱|会员|會員|首月|每月|付费|登录后|注册",
)
READ_REST = re.compile(
    r"\bthe rest\b|\bfull (?:story|article)|\bweiterlesen\b|\bganzen (?:text|artikel)|дальше|целиком|\bдалі\b"
    r"|\bla suite\b|\bseguir leyendo\b|\bcałość\b|\bdalszy ciąg|\bcały (?:tekst|artykuł)|全文|剩余"
)
READ_ON = _any(
    r"\b(?:read(?:ing)?|rest of|full (?:story|article|text)|whole (?:story|article))\b|\b(?:weiter)?(?:zu)?lesen\b",
    r"\bleser\w*",
    r"чита\w*|дочита\w*|прочита\w*|продолж\w+|полн\w+ (?:текст|верси)|повн\w+ (?:текст|версі)|продовж\w+",
    r"\ble(?:er|yendo|a)\b|\blire\b|\blecture\b|\blisez\b|\bla suite\b|\bczyta\w*|\bprzeczyta\w*",
    r"\bcały (?:artykuł|tekst)|阅读|全文|閱讀",
)
ACCOUNT = _any(
    r"^(?:log|sign)[ -]?in\b.{0,30}|^(?:already|have an?|i already|existing).{0,60}",
    r"^(?:login|anmelden|einloggen).{0,30}|^(?:bereits|schon).{0,50}",
    r"^ich habe.{0,40}(?:abo\w*|konto)|^(?:уже|вже|у меня|я вже|вход|войти|вхід|увійти).{0,40}",
    r"^(?:¿?ya|acceder|iniciar).{0,40}",
    r"^(?:déjà|j.ai|se connecter|vous avez un compte).{0,40}|^(?:masz|mam|jestem|zaloguj).{0,40}",
    r"^(?:已经?订阅|已是会员|登录|登錄|我已有).{0,12}",
)
WALL_NAMES = _any(
    r"pay-?_?wall", r"reg-?_?wall", r"piano", r"tp-modal", r"subscri(?:be|ption)", r"\boffer", r"premium-", r"meter"
)
LIVE = _any(
    r"\blive[- ]?(?:blog|ticker|updates?|coverage|stream|text)\b|^live\b|\blive:|: live$|- live$|\bas it happened\b",
    r"\blatest updates\b",
    r"\bnews-?(?:blog|ticker)\b|\bim ticker\b|\bticker\b|\bminute by minute\b|^live ?\+\+\+|\bzum nachlesen\b",
    r"\b(?:онлайн|трансляци\w|лайв|хроника|прям\w+ эфир)\b|главное к этому часу",
    r"\b(?:наживо|трансляція|текстова трансляція|хроніка)\b|\bонлайн\b",
    r"\ben (?:directo|vivo|direct)\b|minuto a minuto|minute par minute|le fil des événements",
    r"así (?:lo )?(?:hemos|te lo hemos) contado",
    r"heure par heure|relacja (?:na żywo|live|tekstowa)|\bna żywo\b|minuta po minucie|godzina po godzinie",
    r"wydarzenia dnia",
    r"直播|滚动更新|滚动播报|最新进展|ライブ|in diretta|ao vivo|minuut tot minuut",
)
LIVE_ADDRESS = re.compile(
    r"/(?:live|liveblogs?|live-?ticker|ticker|live-updates?|en-direct|directo|na-zywo|onlain|online|zhibo|live-news)"
    r"(?=[/._-]|$)|[-/]live[-/]|liveblog|liveticker|live-?updates|newsblog",
    re.IGNORECASE,
)
LIVE_NAMES = _any(r"live-?_?(?:blog|ticker|post|entry|update|feed|event|coverage)", r"\bticker", r"newsblog")
COMMENT_NAMES = _any(r"comment", r"kommentar", r"disqus", r"\breply", r"\breplies", r"discussion", r"forum", r"отзыв")
STAMP = re.compile(r"\D{0,8}\d|an? |one ", re.IGNORECASE)
"""What every clock and every "5 minutes ago" begins with: quick, and true of few other lines."""
CLOCK = re.compile(
    r"(?:\+\+\+\s*)?(?:[a-zà-ž]+\.?,?\s)?(?:um\s)?([01]?\d|2[0-3])[:.h]([0-5]\d)(?![\d./]|:\d)"
    r"\s*(?:uhr|h|a\.?m\.?|p\.?m\.?|gmt|bst|e[sd]?t|utc|мск|cet|cest)?\s*(?:\||:|-|–|—|\+\+\+)?\s*"
)
MINUTE = re.compile(r"(\d{1,3})(?:\+\d{1,2})?\s?['’′](?:\s|$)|(\d{1,3})\. ?(?:min|мин|хв)")
"""The minute of a match: ``67'``, ``90+3'``."""
AGO = re.compile(
    r"(?:\d+|an?|one)\s?(?:s|m|h|min|mins|minutes?|hrs?|hours?)\.? ago"
    r"|vor (?:\d+|einer|einem) (?:min|std|sek|stunde)\w*\.?"
    r"|\d+ (?:мин|час|хв|год)\w*\.? (?:назад|тому)|hace (?:\d+|una?) (?:min|h|hora)\w*"
    r"|il y a (?:\d+|une?) (?:min|h|heure)\w*"
    r"|\d+ (?:min|godz)\w*\.? temu|\d+\s?(?:分钟|小时|分鐘|小時|分|時間)前"
)
VIDEO_ADDRESS = re.compile(
    r"/(?:videos?|watch|av|video-news|mediathek|film|filmy|wideo|videonovosti|shipin|clips?|webtv|tv)(?:[/_-]|$)",
    re.IGNORECASE,
)
VIDEO_NAMES = _any(r"player", r"\bvideo", r"brightcove", r"jw(?:player|-)", r"dailymotion", r"youtube", r"vimeo")
LIST_ADDRESS = re.compile(
    r"/(?:tags?|topics?|authors?|autor(?:en|es|zy)?|auteurs?|categor(?:y|ies|ia|ie)|kategorie|rubri[ck]?[a-z]*"
    r"|search|suche"
    r"|buscar|recherche|szukaj|archive|archiv|archivo|thema|themen|temas?|sujets?|sections?|page/\d+|people|profile)"
    r"(?:[/?._-]|$)|[?&](?:q|s|query|search)=",
    re.IGNORECASE,
)
LIST_NAME = _any(
    r"search results|results for|(?:page|seite|página|strona|страница|сторінка) \d+ ",
    r"\d+ (?:results|treffer|resultados|résultats|wyników)",
    r"(?:all|more) (?:stories|articles|news) (?:on|about|by|from)|найдено \d+|знайдено \d+",
    r"共(?:找到)?\d+条|搜索[“\"「]",
    r"^(?:latest|all) (?:news|stories|articles)$|^(?:последние|все|останні|усі) новости|^новини|最新消息|^archiv",
    r"все материалы по|усі матеріали за|alle beiträge zum thema|todas las noticias del|tous les articles sur",
    r"wszystkie artykuły",
    r"全部文章",
)
NEEDS_SCRIPT = _any(
    r"(?:enable|turn on|requires?|need to enable|without) javascript",
    r"javascript (?:is )?(?:disabled|required|must be enabled)",
    r"включите (?:поддержку )?javascript|увімкніть javascript|javascript (?:отключен|вимкнено|aktivieren)",
    r"aktivieren sie (?:bitte )?javascript|[启啟]用\s?javascript|habilit\w+ javascript|activer javascript",
    r"włącz(?:yć)? javascript",
)
