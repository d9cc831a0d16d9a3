"""Encodings of pages: fixtures made here, so the right answer is known."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from newsmon.encoding import decode, mojibake

RU = "Ставка Центробанка выросла до 21 процента. Об этом сообщила пресс-служба ведомства в понедельник."
UK = "Верховна Рада ухвалила закон про бюджет. Її рішення підтримали 250 депутатів, є й інші думки, ґрунтовні."
ZH = "新华社北京五月三日电，国务院总理星期五主持召开会议，讨论经济工作，并部署下一步的重点任务。"
TW = "行政院會今天通過預算案，總統府表示將依法公布，經濟部說明產業政策，記者李小明台北報導。"
JA = "東京都は三日、新しい防災計画を発表した。知事は記者会見で、住民の安全を最優先にすると述べた。"
KO = "서울시는 삼일 새로운 교통 정책을 발표했다. 시장은 기자회견에서 시민의 안전을 강조했다고 밝혔다."
PL = "Prezydent ogłosił, że wybory odbędą się w październiku. Sejm przyjął ustawę większością głosów, mówią źródła."
DE = "Der Präsident kündigte an, dass die Wahlen im März stattfinden müssen. Für Österreich gilt das größtenteils."
EL = "Η κυβέρνηση ανακοίνωσε νέα μέτρα για την οικονομία. Ο πρωθυπουργός μίλησε στη Βουλή την Παρασκευή."

WRITTEN_IN = [
    (RU, "cp1251"),
    (RU, "koi8-r"),
    (RU, "iso8859-5"),
    (RU, "cp866"),
    (UK, "koi8-u"),
    (UK, "cp1251"),
    (ZH, "gb18030"),
    (ZH, "gbk"),
    (ZH, "gb2312"),
    (TW, "big5"),
    (JA, "shift_jis"),
    (JA, "euc_jp"),
    (KO, "euc_kr"),
    (PL, "cp1250"),
    (PL, "iso8859-2"),
    (DE, "cp1252"),
    (EL, "cp1253"),
    (EL, "iso8859-7"),
]
BY_CODEC = pytest.mark.parametrize(("text", "codec"), WRITTEN_IN, ids=[codec for _, codec in WRITTEN_IN])


def page(text: str, meta: str | None = None) -> str:
    head = f'<meta charset="{meta}">' if meta else ""
    return f"<html><head>{head}<title>t</title></head><body><p>{text}</p>\n<p>{text[::-1]}</p></body></html>"


@BY_CODEC
def test_header_states_it(text: str, codec: str) -> None:
    found = decode(page(text).encode(codec), f'text/html; charset="{codec}"')
    assert found.text == page(text)
    assert found.origin == "header"


@BY_CODEC
def test_meta_states_it(text: str, codec: str) -> None:
    found = decode(page(text, codec).encode(codec), "text/html")
    assert found.text == page(text, codec)
    assert found.origin == "meta"


@BY_CODEC
def test_wrong_header_against_meta(text: str, codec: str) -> None:
    wrong = "windows-1251" if codec not in {"cp1251"} else "koi8-r"
    for header in ("utf-8", "iso-8859-1", wrong):
        assert decode(page(text, codec).encode(codec), f"text/html; charset={header}").text == page(text, codec), header


@BY_CODEC
def test_undeclared(text: str, codec: str) -> None:
    found = decode(page(text * 3).encode(codec), None)
    assert found.text == page(text * 3)
    assert found.origin == "detected"


@pytest.mark.parametrize("text", [RU, UK, ZH, JA, KO, PL, EL])
def test_utf8_wins_over_wrong_statements(text: str) -> None:
    found = decode(page(text, "windows-1251").encode(), "text/html; charset=gb2312")
    assert (found.text, found.encoding) == (page(text, "windows-1251"), "utf-8")


@pytest.mark.parametrize(
    ("codec", "bom"),
    [
        ("utf-8", b"\xef\xbb\xbf"),
        ("utf-16-le", b"\xff\xfe"),
        ("utf-16-be", b"\xfe\xff"),
        ("utf-32-le", b"\xff\xfe\0\0"),
    ],
)
def test_byte_order_mark_wins(codec: str, bom: bytes) -> None:
    found = decode(bom + RU.encode(codec), "text/html; charset=windows-1251")
    assert (found.text, found.encoding, found.origin) == (RU, codec, "bom")


@pytest.mark.parametrize(
    ("body", "content_type", "encoding", "text"),
    [
        pytest.param(b"plain", "text/html; charset=windows-1251", "utf-8", "plain", id="ASCII is the same everywhere"),
        pytest.param(b"", None, "utf-8", "", id="empty"),
        pytest.param("日本".encode("iso2022_jp"), "text/html; charset=iso-2022-jp", "iso2022_jp", "日本", id="escapes"),
        pytest.param("联通".encode("gbk"), "text/html; charset=gbk", "gb18030", "联通", id="GBK that passes as UTF-8"),
        pytest.param(
            "“ok”".encode("cp1252"), "text/html; charset=iso-8859-1", "cp1252", "“ok”", id="latin-1 is cp1252"
        ),
        pytest.param(
            b"x" + "я".encode() * 500 + b"\xd1", "text/html; charset=utf-8", "utf-8", "x" + "я" * 500 + "�", id="cut"
        ),
        pytest.param(
            RU.encode("utf-16-le"), "text/html; charset=utf-16le", "utf-16-le", RU, id="UTF-16 without a mark"
        ),
        pytest.param(RU.encode("cp1251"), "text/html; charset=hex", "cp1251", RU, id="a codec that is no encoding"),
        pytest.param(RU.encode("cp1251"), "text/html; charset=nonsense", "cp1251", RU, id="no such encoding"),
        pytest.param("aя".encode(), '<meta charset="utf-16">', "utf-8", "aя", id="nonsense header"),
    ],
)
def test_single_cases(body: bytes, content_type: str | None, encoding: str, text: str) -> None:
    found = decode(body, content_type)
    assert (found.encoding, found.text) == (encoding, text)


@pytest.mark.parametrize("text", [RU, UK, ZH, TW, JA, KO, PL, DE, EL, "Café “naïve” – don’t", "12 °C, 5 €"])
def test_good_text_is_no_mojibake(text: str) -> None:
    assert mojibake(text) == 0


@pytest.mark.parametrize(
    ("text", "written", "read"),
    [
        (RU, "cp1251", "cp1252"),
        (RU, "koi8-r", "cp1251"),
        (RU, "cp1251", "koi8-r"),
        (ZH, "gbk", "cp1252"),
        (DE, "cp1252", "cp1251"),
    ],
)
def test_wrong_decoding_is_mojibake(text: str, written: str, read: str) -> None:
    assert mojibake(text.encode(written).decode(read, "replace")) > 0.1


@given(
    st.binary(max_size=400), st.one_of(st.none(), st.text(max_size=60), st.sampled_from(["text/html; charset=utf-16"]))
)
def test_never_raises(body: bytes, content_type: str | None) -> None:
    decode(body, content_type).text.encode("utf-8")  # so no lone surrogates either


@given(st.sampled_from(["hex", "base64", "rot13", "idna", "punycode", "unicode_escape", "undefined", "utf-7", "zip"]))
def test_codecs_that_are_no_encodings_are_refused(name: str) -> None:
    assert decode(b"caf\xe9 \\u0041", f"text/html; charset={name}").encoding != name
