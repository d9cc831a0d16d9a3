"""One Markdown file per article: metadata as front matter, then the text with its structure."""

from __future__ import annotations

from typing import TYPE_CHECKING

from newsmon.export.folder import FolderWriter
from newsmon.markup import as_markdown

if TYPE_CHECKING:
    from newsmon.model import Article


class MarkdownWriter(FolderWriter):
    """A folder with one folder per site and one file per article in it: ``lenta.ru/17.md``."""

    suffix = ".md"

    def content(self, article: Article) -> bytes:
        """The article as Markdown in UTF-8."""
        return as_markdown(article).encode()
