"""Names of authors in Chinese and Korean lines, where no capital letters tell a name from a word.

A Chinese name is two or three signs that begin with a family name; other names (of minorities, pen-names) count only
where a sign parts them from the word that announces them.

>>> list(chinese_names("本报记者 王小明 李华 北京报道")), list(chinese_names("记者训练营"))
(['王小明', '李华'], [])
"""

from __future__ import annotations

import re
from itertools import islice
from typing import TYPE_CHECKING, Any, cast

from lxml import etree

from newsmon.text import one_line

if TYPE_CHECKING:
    from collections.abc import Iterator

    from newsmon.extraction.elements import Element

_FAMILY_NAMES = frozenset(
    "王李张刘陈杨黄赵吴周徐孙马朱胡郭何高林郑谢罗梁宋唐许韩冯邓曹彭曾肖田董袁潘于蒋蔡余杜叶程苏魏吕丁任沈姚卢姜崔钟谭陆汪范金石廖贾夏韦付方白"
    "邹孟熊秦邱江尹薛闫段雷侯龙史陶黎贺顾毛郝龚邵万钱严覃武戴莫孔向汤常温康施文牛樊葛邢安齐易乔伍庞颜倪庄聂章鲁岳翟殷詹申欧耿关兰焦俞左柳甘祝包宁"
    "尚符舒阮柯纪梅童凌毕单季裴霍涂成苗谷盛曲翁冉骆蓝路游辛靳管柴蒙鲍华喻祁蒲房滕屈饶解牟艾尤阳时穆农司卓古吉缪简车项连芦麦褚娄窦戚岑景党宫费卜"
    "冷晏席卫米柏宗瞿桂全佟应臧闵苟邬边卞姬师和仇栾隋商刁沙荣巫寇桑郎甄丛仲虞敖巩明佘池查麻苑迟邝官封谈匡鞠惠荆乐冀郁胥南班储原栗燕楚鄢劳谌奚"
    "皮粟冼蔺楼盘满闻位厉伊仝区郜海阚花权强帅屠豆朴盖练廉禹井祖漆巴丰支卿国狄平计索宣晋相初门云容敬来扈晁芮都普阙浦戈伏鹿薄邸雍辜羊阿乌母裘亓修邰"
    "趙吳劉陳楊黃孫馬鄭謝羅許韓馮鄧蕭蔣葉蘇魏呂盧鍾譚陸範賈韋鄒閆龍陶賀顧龔邵萬錢嚴湯齊喬龐顏莊聶魯關蘭歐紀單"
)
_LONG_FAMILY_NAMES = (
    "欧阳",
    "司马",
    "上官",
    "诸葛",
    "司徒",
    "东方",
    "皇甫",
    "尉迟",
    "公孙",
    "慕容",
    "令狐",
    "夏侯",
    "歐陽",
)
_NAME = r"[\u4e00-\u9fff]{2,4}(?:·[\u4e00-\u9fff]{1,8})?"
_LIST = rf"{_NAME}(?:(?:\s|[、,，/]\s?){_NAME})*"
_LABEL = r"(?:作\s?者|撰\s?文|执\s?笔|记\s?者|記\s?者|实习生|通讯员|(?<![\u4e00-\u9fff])文)"
_LABELLED = re.compile(rf"{_LABEL}(?P<parted>\s?[:：/／丨|]?\s?)(?P<names>{_LIST})(?P<after>.?)")
_BEFORE = re.compile(rf"(?:^|[\s(（]|记者|通讯员)(?P<names>{_LIST})\s?[/／]\s?文")
_EDITOR = re.compile(rf"(?:责任编辑|責任編輯|编辑|編輯)\s?[:：]\s?(?P<names>{_NAME})(?![\u4e00-\u9fff])")
_SIGN = "\u3040-\u30ff\u4e00-\u9fff\uac00-\ud7af々"
_EASTERN_NAME = re.compile(rf"[{_SIGN}]{{2,5}}|[{_SIGN}]{{1,8}}·[{_SIGN}·]{{1,12}}")
_OFFICES = tuple(
    """
    报 報 社 网 網 台 局 部 院 版 媒体 媒體 频道 新聞 新闻 来源 网络 中心 委 办
    組 组 室 时间 編輯 编辑 记者 記者 作者
    """.split()
)
_WORDS = frozenset(
    """
    文章 方面 时间 时候 高度 全国 向来 成为 关于 任何 于是 应该 方法 平时 安全 马上 温度 常常 和平 关注
    关闭 简介 简体 金融 房产 石油 国内 国际 平台 安徽 江苏 江西 云南 海南 贵州 宁夏 吉林 武汉 温州 常州
    苏州 郑州 金华 党建 党史 党政 党务 文化 文学 文教 文旅 时政 时评 时尚 经济 项目 路况 车市 花卉 水利
    强国 支部 支付 车险 高考 高校 高清 古籍 祖国 明星 白酒 牛市 司法 农业 农村 英语 巴西 黎明 向上 程序
    方式 方案 计划 应用 安装 包括 游戏 祖籍 解放 解读 全部 全文 万象 利好 明天 元旦 权威 方便 常见 常用
    容易 麻烦 谈谈 麦田 黄色 黃色 白色 黑色 金色 蓝色 红色 来源
    """.split()
)
"""Words of page furniture that begin with a sign which is a family name as well."""

_CLOSING = ("", ")", "）", " ", "】", "]", "|", "/", "／", "文", "摄", "报", "\u3000")
_BRACKETS = re.compile(r"[(（【\[][^()（）【】\[\]]{2,40}[)）】\]]")
_BRACKETED = re.compile(rf"[(（\[【]\s?({_NAME})\s?[)）\]】]")
_TEXTS = etree.XPath(
    "//body//text()[contains(., '记者') or contains(., '作者') or contains(., '记 者') or contains(., '编辑')"
    " or contains(., '文：') or contains(., '文/')"
    " or (starts-with(normalize-space(), '（') and string-length(normalize-space()) < 9)]"
    "[not(parent::script or parent::style or parent::a)]"
)
_MOST_TEXTS = 200
_LONGEST = 60
_BEGINNING = 25
_LONGEST_BARE = 15
_KOREAN = re.compile(r"(?<![\uac00-\ud7af])([\uac00-\ud7af]{2,4})\s?(?:선임)?(?:기자|특파원)(?![\uac00-\ud7af])")
_EASTERN = re.compile(r"[\u3040-\u30ff\u4e00-\u9fff\uac00-\ud7af]")
_PARTS = re.compile(r"[\s、,，/]+")


def is_eastern(text: str) -> bool:
    """True when the text holds Chinese, Japanese or Korean signs."""
    return _EASTERN.search(text) is not None


def is_eastern_name(text: str) -> bool:
    """True for two to five signs, more around a middle dot, that do not end as the names of papers and offices do.

    >>> [is_eastern_name(text) for text in ("王小明", "经济日报", "时间：", "卡尔·马克思")]
    [True, False, False, True]
    """
    return _EASTERN_NAME.fullmatch(text) is not None and not text.endswith(_OFFICES)


def chinese_names(text: str) -> Iterator[str]:
    """The names that a line calls author or reporter."""
    if match := _BEFORE.search(text):
        yield from filter(_is_known, _PARTS.split(match["names"]))
        return
    for match in _LABELLED.finditer(text):
        names = _PARTS.split(match["names"])
        if not _is_known(names[0]):
            names = names[:1] if _stands_alone(match) and len(names) == 1 and is_eastern_name(names[0]) else []
        elif not (match["parted"] or match["after"] in _CLOSING):
            names = []
        if names:
            yield names[0]
            yield from filter(_is_known, names[1:])
            return


def signatures(line: str) -> list[str]:
    """The names a line calls reporter or author: a short line anywhere, a long one at its beginning or in brackets."""
    parts = [line] if len(line) <= _LONGEST else [line[:_BEGINNING], *_BRACKETS.findall(line)]
    return next(filter(None, ([*chinese_names(part)] for part in parts)), [])


def signed(tree: Element) -> tuple[str, ...]:
    """The names that any short line or bracket of a page calls reporter or author, or else its editor in charge."""
    editor: tuple[str, ...] = ()
    for text in islice(cast("list[Any]", _TEXTS(tree)), _MOST_TEXTS):
        line = _around(text)
        if names := tuple(signatures(line)):
            return names
        for part in _BRACKETS.findall(line) if len(line) > _LONGEST else (line,):
            if _BRACKETED.fullmatch(part) and (names := tuple(bracketed_names(part))):
                return names
            editor = editor or tuple(editors(part))
    return editor


def _around(text: Any) -> str:
    """A text with the rest of its element, where that is short: a name may stand in a link of its own."""
    box = text.getparent()
    box = box.getparent() if text.is_tail else box
    whole = one_line("".join(islice(box.itertext(), 20)))
    return whole if len(whole) <= _LONGEST else one_line(text)


def bare_names(text: str) -> Iterator[str]:
    """The names of a line that holds nothing else."""
    names = [name for name in _PARTS.split(text) if name]
    if len(text) <= _LONGEST_BARE and names and all(map(_is_known, names)):
        yield from names


def bracketed_names(text: str) -> Iterator[str]:
    """Names that stand alone in brackets."""
    yield from (match[1] for match in _BRACKETED.finditer(text) if _is_known(match[1]))


def editors(text: str) -> Iterator[str]:
    """The names that a line calls editor in charge."""
    for match in _EDITOR.finditer(text):
        yield match["names"]


def korean_names(text: str) -> Iterator[str]:
    """The names in front of a Korean reporter's title."""
    yield from (match[1] for match in _KOREAN.finditer(text))


def _is_known(name: str) -> bool:
    """True when the name begins with a family name and is as long as such names are."""
    if name.startswith(_LONG_FAMILY_NAMES):
        return len(name) in (3, 4)
    return len(name) in (2, 3) and name[0] in _FAMILY_NAMES and name not in _WORDS


def _stands_alone(match: re.Match[str]) -> bool:
    """True when a sign parts a name from its label and nothing else follows."""
    return match["after"] in (")", "）", "】") or (match["after"] in ("", " ") and match["parted"].strip() != "")
