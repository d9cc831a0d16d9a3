"""Names of months in the languages of the news, as they stand in dates: full, in the genitive, and cut short.

>>> month_number("декабря"), month_number("Dez."), month_number("Σεπτεμβρίου"), month_number("Monday")
(12, 12, 9, None)
"""

from __future__ import annotations

import unicodedata
from functools import lru_cache

_NAMES = """
january february march april may june july august september october november december
januar februar märz april mai juni juli august september oktober november dezember
jänner feber maerz apr mai jun jul aug sept okt nov dez
janvier février mars avril mai juin juillet août septembre octobre novembre décembre
enero febrero marzo abril mayo junio julio agosto septiembre octubre noviembre diciembre
ene feb mar abr may jun jul ago setiembre oct nov dic
gennaio febbraio marzo aprile maggio giugno luglio agosto settembre ottobre novembre dicembre
janeiro fevereiro março abril maio junho julho agosto setembro outubro novembro dezembro
gener febrer març abril maig juny juliol agost setembre octubre novembre desembre
januari februari maart april mei juni juli augustus september oktober november december
jan feb mrt apr maj jun jul aug sep okt nov des
januari februari mars april maj juni juli augusti september oktober november december
januar februar marts april maj juni juli august september oktober november desember
janúar febrúar mars apríl maí júní júlí ágúst september október nóvember desember
stycznia lutego marca kwietnia maja czerwca lipca sierpnia września października listopada grudnia
styczeń luty marzec kwiecień maj czerwiec lipiec sierpień wrzesień październik listopad grudzień
ledna února března dubna května června července srpna září října listopadu prosince
leden únor březen duben květen červen červenec srpen září říjen listopad prosinec
januára februára marca apríla mája júna júla augusta septembra októbra novembra decembra
ianuarie februarie martie aprilie mai iunie iulie august septembrie octombrie noiembrie decembrie
január február március április május június július augusztus szeptember október november december
tammikuuta helmikuuta maaliskuuta huhtikuuta toukokuuta kesäkuuta
heinäkuuta elokuuta syyskuuta lokakuuta marraskuuta joulukuuta
jaanuar veebruar märts aprill mai juuni juuli august september oktoober november detsember
janvāris februāris marts aprīlis maijs jūnijs jūlijs augusts septembris oktobris novembris decembris
sausio vasario kovo balandžio gegužės birželio liepos rugpjūčio rugsėjo spalio lapkričio gruodžio
ocak şubat mart nisan mayıs haziran temmuz ağustos eylül ekim kasım aralık
oca şub mar nis may haz tem ağu eyl eki kas ara
januari februari maret april mei juni juli agustus september oktober november desember
januar februar mart april maj jun jul avgust septembar oktobar novembar decembar
января февраля марта апреля мая июня июля августа сентября октября ноября декабря
январь февраль март апрель май июнь июль август сентябрь октябрь ноябрь декабрь
січня лютого березня квітня травня червня липня серпня вересня жовтня листопада грудня
січень лютий березень квітень травень червень липень серпень вересень жовтень листопад грудень
студзеня лютага сакавіка красавіка мая чэрвеня ліпеня жніўня верасня кастрычніка лістапада снежня
януари февруари март април май юни юли август септември октомври ноември декември
јануар фебруар март април мај јун јул август септембар октобар новембар децембар
ιανουαρίου φεβρουαρίου μαρτίου απριλίου μαΐου ιουνίου ιουλίου αυγούστου σεπτεμβρίου οκτωβρίου νοεμβρίου δεκεμβρίου
ιανουάριος φεβρουάριος μάρτιος απρίλιος μάιος ιούνιος ιούλιος αύγουστος σεπτέμβριος οκτώβριος νοέμβριος δεκέμβριος
γενάρη φλεβάρη μάρτη απρίλη μάη ιούνη ιούλη αύγουστο σεπτέμβρη οκτώβρη νοέμβρη δεκέμβρη
يناير فبراير مارس أبريل مايو يونيو يوليو أغسطس سبتمبر أكتوبر نوفمبر ديسمبر
جانفي فيفري مارس أفريل ماي جوان جويلية أوت سبتمبر أكتوبر نوفمبر ديسمبر
ינואר פברואר מרץ אפריל מאי יוני יולי אוגוסט ספטמבר אוקטובר נובמבר דצמבר
"""


def _folded(word: str) -> str:
    """Lower case without accents: "März" is written "Maerz" and "Marz" too."""
    decomposed = unicodedata.normalize("NFD", word.casefold())
    return "".join(sign for sign in decomposed if not unicodedata.combining(sign)).strip(".")


def _table() -> dict[str, int]:
    full: dict[str, int] = {}
    short: dict[str, set[int]] = {}
    for at, name in enumerate(map(_folded, _NAMES.split())):
        number = at % 12 + 1
        full.setdefault(name, number)
        for length in (3, 4):
            short.setdefault(name[:length], set()).add(number)
    clear = {name: numbers.pop() for name, numbers in short.items() if len(name) >= 3 and len(numbers) == 1}
    return {**clear, **full, "mar": 3, "jun": 6, "jul": 7, "lip": 7, "sie": 8}


_MONTHS = _table()


@lru_cache(maxsize=2048)
def month_number(word: str) -> int | None:
    """1 to 12 for the name of a month or its first three or four letters, in any language known; else None."""
    name = _folded(word)
    return _MONTHS.get(name) or (_MONTHS.get(name[:4]) or _MONTHS.get(name[:3]) if len(name) <= 5 else None)
