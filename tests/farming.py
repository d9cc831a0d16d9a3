"""Asking the news farm and reading its answers, for the tests."""

from __future__ import annotations

import gzip
import http.client
import json
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import cache
from pathlib import Path
from typing import Any
from urllib.parse import urljoin, urlsplit

import yaml
from lxml import etree, html

from newsmon.encoding import decode
from newsmon.farm import Expectation, Farm
from newsmon.farm.server import Server
from newsmon.page import Page
from newsmon.siterules import SiteRules

NOW = datetime(2026, 11, 20, 12, 0, tzinfo=UTC)
RULES = Path(__file__).parent.parent / "rules"


@dataclass(frozen=True)
class Answer:
    status: int
    headers: http.client.HTTPMessage
    body: bytes

    @property
    def text(self) -> str:
        return decode(self.body, self.headers["Content-Type"]).text


def fetch(farm: Server, url: str, **headers: str) -> Answer:
    """One request to the farm, without redirects; ``if_none_match`` is the header ``If-None-Match``."""
    parts = urlsplit(url)
    connection = http.client.HTTPConnection("127.0.0.1", farm.port, timeout=10)
    own = {name.replace("_", "-"): value for name, value in headers.items()}
    connection.request("GET", parts._replace(scheme="", netloc="").geturl(), headers={"Host": parts.netloc} | own)
    response = connection.getresponse()
    body = response.read()
    connection.close()
    if response.headers["Content-Encoding"] == "gzip":
        body = gzip.decompress(body)
    return Answer(response.status, response.headers, body)


def one(farm: Farm, **fields: Any) -> Expectation:
    """The only expectation with these fields."""
    (found,) = [each for each in farm.expected if all(getattr(each, name) == value for name, value in fields.items())]
    return found


def load(farm: Server, url: str) -> Page:
    """A page as a crawler has it: redirects followed, a busy answer asked once more."""
    final, answer = url, fetch(farm, url)
    while answer.status != 200:
        final = urljoin(final, answer.headers["Location"] or "")
        answer = fetch(farm, final)
    headers = {name.lower(): value for name, value in answer.headers.items()}
    return Page(url, final, answer.status, answer.body, farm.now, headers)


@cache
def rules_of(site: str) -> SiteRules:
    rules = SiteRules.model_validate(yaml.safe_load((RULES / f"{site}.yaml").read_text("utf-8")))
    assert rules.domain == site
    return rules


def rule_versions(site: str) -> list[dict[str, Any]]:
    return yaml.safe_load((RULES / f"{site}.yaml").read_text("utf-8"))["versions"]


def read_by_rule(page: str, versions: list[dict[str, Any]]) -> tuple[str, str]:
    """Title and text, white space collapsed, by the first version that finds a text."""
    for version in versions:
        tree = html.document_fromstring(page)
        for path in version.get("strip", ()):
            for element in tree.xpath(path):
                element.drop_tree()
        found = [element.text_content() for path in version["text"] for element in tree.xpath(path)]
        if found:
            title = next(element.text_content() for path in version["title"] for element in tree.xpath(path))
            return " ".join(title.split()), " ".join(" ".join(found).split())
    return "", ""


def links_of(farm: Farm, url: str) -> list[str]:
    """Links of a feed, read by other means than newsmon's own."""
    answer = fetch(farm, url)
    body = gzip.decompress(answer.body) if url.endswith(".gz") else answer.body
    if "json" in answer.headers["Content-Type"]:
        return [item["url"] for item in json.loads(body)["items"]]
    root = etree.fromstring(body, etree.XMLParser(recover=True))
    entries = [node for name in ("item", "entry") for node in root.iter(f"{{*}}{name}")]
    links = [link for entry in entries for link in entry.iterfind("{*}link")] or list(root.iter("{*}loc"))
    return [link.get("href") or link.text for link in links]
