"""Words a site says of itself, and the marks of sentences, by language (seed 001, 2.1).

The paper counts words such as "home", "search", "copyright", "help" in Chinese, and Chinese punctuation. Ours for other
languages: a list of such words for each, English ones counted everywhere (templates mix them in), and sentence marks
where a sentence has them: at the end of a word, so that ``3.5``, ``10:15`` and ``a.example`` hold none.

Chinese words are cut by rjieba (the paper: LTP of the Harbin Institute of Technology), loaded with the first Chinese
page. Japanese is not segmented: a run of one script counts as a word.
"""

from __future__ import annotations

import re
from functools import cache
from typing import TYPE_CHECKING, NamedTuple

from newsmon.extraction.languages import can_be, language_code

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

_NOISE = {
    "en": """
        accessibility account ad adchoices ads advert advertise advertisement advertising app apps archive archives
        bookmark careers click comment comments contact cookie cookies copyright directory disclaimer disclosure
        download email enquiries facebook faq faqs feed feedback follow help home homepage imprint instagram jobs
        linkedin login logout menu navigation newsletter newsletters next notifications permissions pinterest
        podcasts policy popular preferences previous print privacy recommended register registration related reply
        reprints reserved rights rss save search settings share shares shop sign signup sitemap skip sponsored
        subscribe subscribed subscriber subscribers subscription subscriptions tags telegram terms tiktok top
        trending tweet twitter unsubscribe whatsapp youtube
    """,
    "ru": """
        авторизация авторские архив баннер вакансии вверх версия видео вконтакте войти вход главная дзен добавить
        закладки закрыть зарегистрироваться защищены избранное комментариев комментарии комментарий контакты
        конфиденциальности копировать меню мессенджер наверх назад настройки обратная одноклассники пароль партнеры
        партнёры печать поделитесь поделиться подписаться подписка подписывайтесь подробнее поиск политика
        пользовательское помощь популярное права правила предыдущая приложение присоединяйтесь рассылка регистрация
        редакция реклама рекламодателям рекламы рубрики свидетельство связь сервисы скачать следите следующая
        соглашение сообщить ссылка теги телеграм топ учредитель фото читайте читать
    """,
    "uk": """
        авторизація авторські архів вакансії вгору версія вхід відео головна додати доступ закладки закрити
        зареєструватися захищені коментар коментарі коментарів контакти конфіденційності копіювати меню налаштування
        наступна пароль партнери передплата передплатити поділитись поділитися політика попередня популярне
        посилання пошук права правила приєднуйтесь приєднуйтеся підписатись підписатися підписка підписуйтесь
        підписуйтеся редакція реклама рекламодавцям реєстрація розсилка рубрики сторінка схожі також теги телеграм
        топ увійти угода умови фото читайте читати
    """,
    "zh": """
        首页 主页 网站 导航 搜索 搜索引擎 检索 登录 登陆 登入 注册 免费注册 帮助 帮助中心 版权 版权所有 声明 免责
        免责声明 隐私 隐私权 关于我们 联系 联系我们 联系方式 广告 广告服务 招聘 诚聘 诚聘英才 地图 网站地图 友情
        链接 友情链接 收藏 分享 评论 跟帖 网友 回复 举报 投诉 客服 热线 反馈 意见 意见反馈 订阅 下载 客户端 扫描
        扫一扫 二维码 微信 微博 公众 公众号 更多 推荐 热门 热点 排行 排行榜 精彩 阅读 专题 频道 栏目 上一篇 下一篇
        上一页 下一页 返回 顶部 返回顶部 打印 字号 关闭 编辑 责任编辑 责编 来源 备案 许可证 经营 备案号 用户 密码
        账号 会员 退出 设为 投稿 转载 授权 保留 权利 所有权利 点击 关注 點擊 關注 首頁 搜尋 註冊 幫助 版權 聲明 隱私
        關於 聯絡 聯繫 廣告 網站 導航 連結 評論 訂閱 下載 推薦 熱門 相關
    """,
    "ja": """
        ホーム トップ トップページ メニュー 検索 ログイン ログアウト 会員 会員登録 登録 新規登録 無料 無料会員
        著作権 無断転載 禁止 利用規約 規約 個人情報 個人情報保護方針 プライバシー プライバシーポリシー ポリシー
        運営会社 会社概要 会社案内 お問い合わせ 広告 広告掲載 採用情報 求人 サイトマップ ヘルプ シェア ツイート
        フォロー コメント 記事一覧 一覧 関連記事 関連 人気記事 人気 ランキング アクセスランキング おすすめ 特集 連載
        次へ 前へ 印刷 保存 ニュースレター メールマガジン アプリ 購読 購読申し込み 電子版 有料 有料会員 限定
        限定記事 有料会員限定
    """,
    "de": """
        abmelden abo abonnement abonnements abonnenten abonnieren agb anmelden anmeldung anzeige anzeigen archiv
        artikel artikelservices barrierefreiheit cookies datenschutz datenschutzerklärung datenschutzhinweise
        drucken einloggen einstellungen empfehlungen epaper folgen forum gewinnspiele hilfe impressum
        inhaltsverzeichnis jugendschutz karriere kommentar kommentare kommentieren kontakt konto leserbriefe login
        mediadaten mehr meistgelesen menü merken merkliste navigation newsletter nutzungsbasierte
        nutzungsbedingungen oben passwort rechte registrieren registrierung rubriken schlagwörter seite startseite
        stellenangebote stellenmarkt suche suchen teilen themen urheberrecht verlag vorbehalten weiterempfehlen
        weiterlesen werben werbung widerruf zurück zustimmen
    """,
    "es": """
        abónate acceder acceso anterior anunciantes anúnciate archivo aviso ayuda boletines boletín buscar búsqueda
        cerrar comentar comentario comentarios comparte compartir condiciones contacto contraseña contáctenos
        cookies copiar correo derechos destacadas destacados edición enlace enviar etiquetas favoritos guardar
        hemeroteca imprimir ingresar iniciar inicio legal leídas leído mapa menú nosotros noticias política portada
        privacidad publicidad publicitario registrarse registro regístrate relacionadas relacionados reservados
        secciones sección sesión siguiente sitio suscribir suscribirse suscripciones suscripción suscriptores
        suscríbase suscríbete síguenos temas términos usuario última últimas
    """,
    "fr": """
        abonnement abonnements abonner abonné abonnés accueil accès actualités aide annonce annonces annuaire
        application archives boutique cgu cgv charte commentaire commentaires commenter compte condition
        confidentialité connecter connexion consentement contact contacter cookies copier crédits droits déconnexion
        enregistrer facebook fermer flux gérer haut identifier imprimer inscription inscrire inscrivez lien lire
        légales mentions menu newsletter newsletters page partage partager partagez plan politique protection
        précédent publicitaire publicité recherche rechercher recrutement retour rubriques réagir régie réserver
        réservés services site suivant suivez suivre vente voir
    """,
    "pl": """
        archiwum cookies czytaj dalej dodaj drukuj formularz forum galeria hasło kanał komentarz komentarze
        komentarzy kontakt konto linki logowanie mapa menu napisz następna newsletter obserwuj odpowiedz ogłoszenia
        polecamy polityka pomoc poprzednia powiązane powrót praca prawa prenumerata prywatności przeczytaj redakcja
        regulamin rejestracja reklama reklamy serwis serwisu skomentuj skontaktuj strona subskrybuj subskrypcja
        szukaj tagi tematy udostępnij ustawienia wersja więcej wszelkie wydawca wyloguj wyszukaj wyszukiwarka
        zaloguj zarejestruj zastrzeżone zgłoś zobacz
    """,
    "el": """
        cookies αναζήτηση αρχείο αρχική δημοφιλή διαβάστε διαφήμιση διαφημιστείτε δικαιώματα είσοδος εγγραφή
        εγγραφείτε εκτύπωση ενημερωτικό επικοινωνία επόμενη επόμενο ετικέτες ευρετήριο ιδιωτικότητας κατηγορίες
        κοινοποίηση κοινοποιήστε κωδικός λογαριασμός μενού μοιραστείτε νέα περισσότερα πνευματικά πολιτική
        προηγούμενη προηγούμενο προσωπικά πρωτοσέλιδα ροή σελίδα συνδεθείτε σχετικά σχόλια σχόλιο σύνδεση σύνδεσμοι
        ταυτότητα τηλεόραση χάρτης χρήσης χρήστη όροι
    """,
    "pt": """
        acessar acesse acessibilidade ajuda anterior anunciante anuncie anúncio arquivo assinante assinantes assinar
        assinatura assine boletim busca buscar cadastrar cadastre cadastro classificados comentar comentário
        comentários compartilhar compartilhe condições conta contacto contato cookies copiar direitos editorial
        entrar enviar esqueci expediente fale favoritos fechar home imprima imprimir iniciar institucional lidas
        link login mapa menu newsletter newsletters notícias partilhar pesquisa pesquisar política privacidade
        próxima próximo publicidade receba recomendadas registar registre relacionadas reservados senha sessão
        seções siga site subscrever tags termos topo usuário veja últimas
    """,
    "it": """
        abbonamenti abbonamento abbonati accedi accesso account aiuto annunci archivio articoli avanti cerca chiudi
        commenta commenti commento condividi condizioni contattaci contatti cookie cookies copia correlati credits
        diritti facebook forum gerenza gestisci home indietro indirizzo informativa iscriviti iscrizione leggi link
        login mappa menu menù naviga necrologie newsletter password personali precedente preferenze privacy profilo
        pubblicità registrati registrazione ricerca riproduzione riservata riservati salva scarica scopri scrivici
        segui seguici servizi sezioni sito stampa successivo termini trova utente vai
    """,
}
_EXTRA_MARKS = {
    "zh": "“”‘’「」『』《》（）—…",
    "ja": "「」『』（）…",
    "es": "¿¡",
    "el": "·",
    "ar": "،؛؟",
    "fa": "،؛؟",
    "ur": "،؛؟۔",
    "hi": "।",
    "bn": "।",
    "hy": "։՝",
}
_WIDE_MARKS = "，。、；：？！｡､"
_MARKS_AT_END = ".,;:!?…"
_CLOSING = r"\s\"'”’»“)\]"

_WORD = re.compile(r"[^\W\d_]+(?:['’\-][^\W\d_]+)*")
_HAN = re.compile(r"[\u3400-\u4dbf\u4e00-\u9fff]")
_KANA = re.compile(r"[\u3040-\u30ff]")
_RUN = re.compile(
    r"[\u3040-\u309f]+|[\u30a0-\u30ff]+|[\u3400-\u4dbf\u4e00-\u9fff々]+|[^\W\d_\u3040-\u30ff\u3400-\u9fff]+"
)
_SCRIPT_OF = (
    ("zh", _HAN, 0.3),
    ("ko", re.compile(r"[\uac00-\ud7af]"), 0.3),
    ("el", re.compile(r"[\u0370-\u03ff\u1f00-\u1fff]"), 0.4),
    ("ar", re.compile(r"[\u0600-\u06ff]"), 0.4),
    ("ru", re.compile(r"[\u0400-\u04ff]"), 0.4),
)
_LETTER = re.compile(r"[^\W\d_]")
_UKRAINIAN = re.compile(r"[іїєґ]", re.IGNORECASE)
_SAMPLE = 4000


class Counts(NamedTuple):
    """What a line of text holds.

    :param words: AWC of formula 2.
    :param noise: NWC of formula 2.
    :param marks: SCL of formula 3.
    """

    words: int
    noise: int
    marks: int


class Lexicon(NamedTuple):
    """How words and sentence marks of one language are found.

    :param words: cuts a text in lower case into words.
    """

    words: Callable[[str], Iterable[str]]
    noise: frozenset[str]
    marks: re.Pattern[str]

    def counts(self, text: str) -> Counts:
        """Count the words, noise words and sentence marks of a line.

        >>> lexicon("en").counts("Home | Search. It rose by 3.5 %, he said.")
        Counts(words=7, noise=2, marks=3)
        """
        words = list(self.words(text.lower()))
        noise = sum(word in self.noise for word in words)
        return Counts(len(words), noise, len(self.marks.findall(text)))


@cache
def lexicon(language: str) -> Lexicon:
    """Words and marks of a language; of English and the general marks when it is not known.

    >>> lexicon("zh").counts("首页，搜索。")
    Counts(words=2, noise=2, marks=2)
    """
    words = frozenset(_NOISE.get(language, "").split()) | frozenset(_NOISE["en"].split())
    return Lexicon(_CUTTERS.get(language, _WORD.findall), words, _marks(language))


def languages() -> Sequence[str]:
    """Languages with noise words of their own."""
    return tuple(_NOISE)


def _marks(language: str) -> re.Pattern[str]:
    at_end = rf"[{_MARKS_AT_END}](?=[{_CLOSING}]|$)"
    return re.compile(rf"[{_WIDE_MARKS}{_EXTRA_MARKS.get(language, '')}]|{at_end}")


def _chinese_words(text: str) -> list[str]:
    if not _HAN.search(text):
        return _WORD.findall(text)
    import rjieba  # noqa: PLC0415 - its dictionary takes 30 MB and 0.1 s

    return [word for word in rjieba.cut(text) if _LETTER.match(word)]


_CUTTERS: dict[str, Callable[[str], Iterable[str]]] = {"zh": _chinese_words, "ja": _RUN.findall}


def language_of(stated: str | None, text: str) -> str:
    """The language of a page: what it states if its letters allow it, else what its script suggests.

    >>> language_of("en-GB", "The dam"), language_of("en", "大坝今天开放"), language_of(None, "Дамбу відкрили")
    ('en', 'zh', 'uk')
    """
    sample = text[:_SAMPLE]
    code = language_code(stated) if stated else None
    if code and can_be(code, sample):
        return code
    return _by_script(sample)


def _by_script(text: str) -> str:
    letters = len(_LETTER.findall(text))
    if not letters:
        return "en"
    if len(_KANA.findall(text)) > 0.1 * letters:
        return "ja"
    found = next((code for code, script, share in _SCRIPT_OF if len(script.findall(text)) > share * letters), "en")
    return "uk" if found == "ru" and len(_UKRAINIAN.findall(text)) > 0.02 * letters else found
