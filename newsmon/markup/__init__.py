"""An article for other programs and for people: Markdown and XML with its headings, lists, quotes, tables and code.

::

    Extract, Article or paragraphs ──┬── as_markdown(found, url=...) ── str      CommonMark, tables as in GFM
                                     └── as_xml(found, url=...) ─────── bytes ── read_xml ── the same paragraphs

Nothing in a text can turn into markup: what a page says is quoted, whatever it says.

>>> from newsmon.model import Paragraph, Role
>>> text = [Paragraph("Prices", Role.HEADING, 2), Paragraph("1. *Oil* fell."), Paragraph("Gas", Role.ITEM, 1)]
>>> print(as_markdown(text))
## Prices
<BLANKLINE>
1\\. \\*Oil\\* fell.
<BLANKLINE>
- Gas
<BLANKLINE>
>>> read_xml(as_xml(text)) == text
True
"""

from newsmon.markup.markdown import as_markdown
from newsmon.markup.xml import as_xml, read_xml

__all__ = ["as_markdown", "as_xml", "read_xml"]
