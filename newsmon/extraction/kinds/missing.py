"""Pages that answer 200 and say that there is nothing: soft 404."""

from __future__ import annotations

from typing import TYPE_CHECKING

from newsmon.extraction import phrases
from newsmon.extraction.text import SHORT, TINY

if TYPE_CHECKING:
    from newsmon.extraction.kinds.evidence import Evidence

_GONE = frozenset((404, 410, 451))
_LONGEST_LINE = 200
_NOTICE = 320
_MOST_LINES = 600


def soft_404(evidence: Evidence) -> str | None:
    """The front page or an error page instead of what was asked for."""
    if len(evidence.asked.path) > 1 and evidence.answered.path in ("", "/") and not evidence.answered.query:
        return "redirected to the front page"
    if evidence.is_long or (evidence.trusted and evidence.size >= SHORT):
        return None
    if evidence.redirected and phrases.NOT_FOUND_ADDRESS.search(evidence.answered.path):
        return f"redirected to {evidence.page.final_url}"
    if evidence.core >= SHORT or evidence.states_article:
        return None
    if title := evidence.named(phrases.NOT_FOUND_NAME):
        return f"the title says {title!r}"
    if evidence.page.status in _GONE:
        return f"a page without content was sent with status {evidence.page.status}"
    return _notice(evidence)


def _notice(evidence: Evidence) -> str | None:
    """An error page that says it in its text only, which is no longer than the notice."""
    if evidence.says_article or evidence.core >= _NOTICE or (evidence.trusted and evidence.size >= TINY):
        return None
    for number, line in enumerate(evidence.shape.lines[:_MOST_LINES]):
        if line.linked or line.size > _LONGEST_LINE or not phrases.NOT_FOUND_LINE.search(line.text.lower()):
            continue
        around = evidence.shape.lines[max(number - 4, 0) : number + 4]
        if sum(near.size for near in around if near.is_prose) < _NOTICE:
            return f"the page says {line.text[:80]!r}"
    return None
