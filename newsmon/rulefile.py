"""The text of a rule file to rules; every problem comes with its line and with what to write instead.

::

    YAML text ──> node tree (lines) ──> plain values ──> pydantic ──┬──> SiteRules
                                                                    └──> errors at keys ──(node tree)──> errors at lines
"""

from __future__ import annotations

import difflib
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import yaml
from pydantic import BaseModel, ValidationError

from newsmon.errors import RuleError
from newsmon.siterules import RuleVersion, SiteRules, normal_domain

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from pydantic_core import ErrorDetails

MAX_SIZE = 256 * 1024  # characters of a file
MAX_VALUES = 20_000  # of a file, those that aliases repeat counted again
MAX_DEPTH = 20

_QUOTE = "put the whole value in single or double quotes"


@dataclass(frozen=True)
class RuleFile:
    """What reading a rule file gave: the rules, or the problems in the order of their lines.

    :param site: the domain the file is for, when that much can be read.
    """

    file: str
    rules: SiteRules | None = None
    problems: tuple[RuleError, ...] = ()
    site: str | None = None

    @property
    def error(self) -> RuleError | None:
        """The first problem, saying how many more there are; None when the file is good."""
        if not self.problems:
            return None
        first, more = self.problems[0], len(self.problems) - 1
        message = f"{first.message} (and {more} more: scrapy rules check)" if more else first.message
        return RuleError(message, file=self.file, line=first.line, site=self.site)


class _Problem(Exception):
    def __init__(self, message: str, line: int | None = None) -> None:
        self.message, self.line = message, line
        super().__init__(message)


def read_rules(text: str, *, file: str) -> RuleFile:
    """Read the text of a rule file. Never raises for what the text contains.

    :param file: the file's name for messages.

    >>> print(read_rules("domain: lenta.ru\\ntitel: //h1", file="lenta.ru.yaml").error)
    lenta.ru.yaml:2: unknown key 'titel'; did you mean 'title' in an entry of 'versions'?
    """
    try:
        root = _parsed(text)
        values = _constructed(text, root)
    except _Problem as problem:
        return RuleFile(file, problems=(RuleError(problem.message, file=file, line=problem.line),))
    site = _site(values)
    found = [*_repeated_keys(root)]
    rules = None
    try:
        rules = SiteRules.model_validate(values)
    except ValidationError as invalid:
        found += [_explained(error, root, text.splitlines()) for error in invalid.errors(include_url=False)]
    if not found:
        return RuleFile(file, rules, site=site)
    problems = sorted(found, key=lambda problem: problem.line or 0)
    return RuleFile(
        file, problems=tuple(RuleError(p.message, file=file, line=p.line, site=site) for p in problems), site=site
    )


def _site(values: dict[str, Any]) -> str | None:
    try:
        return normal_domain(str(values["domain"]))
    except (KeyError, ValueError):
        return None


def _parsed(text: str) -> yaml.MappingNode:
    if len(text) > MAX_SIZE:
        raise _Problem(f"the file has {len(text):,} characters, at most {MAX_SIZE:,} are allowed")
    try:
        _check_events(text)
        root = yaml.compose(text, Loader=yaml.CSafeLoader)
    except yaml.MarkedYAMLError as error:
        raise _syntax_problem(error, text) from error
    except yaml.YAMLError as error:  # characters that no YAML file may hold
        raise _Problem(f"not YAML: {str(error).partition(chr(10))[0]}; write the file again as plain text") from error
    if not isinstance(root, yaml.MappingNode):
        raise _Problem("the file must hold keys and values, the first of them like: domain: lenta.ru", 1)
    _check_size(root)
    return root


def _check_events(text: str) -> None:
    """Refuse what must not become a tree or values.

    The C loader builds trees by recursion, and deep nesting would crash it. Tags (``!!int x``) name a constructor, and
    PyYAML's fall over values that do not fit them, each with an error of its own.
    """
    depth = 0
    for event in yaml.parse(text, Loader=yaml.CSafeLoader):
        depth += isinstance(event, yaml.CollectionStartEvent) - isinstance(event, yaml.CollectionEndEvent)
        if depth > MAX_DEPTH:
            raise _Problem("nested too deeply for a rule file", _line(event.start_mark))
        if tag := getattr(event, "tag", None):
            written = tag.replace("tag:yaml.org,2002:", "!!")
            raise _Problem(f"a tag like {written} has no place in a rule file; {_QUOTE}", _line(event.start_mark))


def _check_size(root: yaml.Node) -> None:
    """Refuse a file that aliases blow up."""
    waiting, seen = [(root, 1)], 0
    while waiting:
        node, depth = waiting.pop()
        seen += 1
        if seen > MAX_VALUES or depth > MAX_DEPTH:
            raise _Problem("too many values for a rule file", _line(node.start_mark))
        waiting += [(child, depth + 1) for child in _children(node)]


def _constructed(text: str, root: yaml.MappingNode) -> dict[str, Any]:
    try:
        values: dict[str, Any] = yaml.load(text, Loader=yaml.CSafeLoader)
    except yaml.MarkedYAMLError as error:
        raise _Problem(f"not YAML: {error.problem}", _line(error.problem_mark)) from error
    except ValueError as error:
        raise _Problem(f"{str(error)[:100]}; mend the value or put it in quotes", _impossible_value(root)) from error
    return values


def _impossible_value(node: yaml.Node) -> int | None:
    """The line of a value that looks like a date or a number but is none, like 2024-02-31."""
    if isinstance(node, yaml.ScalarNode):
        try:
            yaml.constructor.SafeConstructor().construct_object(node)
        except ValueError:
            return _line(node.start_mark)
    return next(filter(None, map(_impossible_value, _children(node))), None)


def _syntax_problem(error: yaml.MarkedYAMLError, text: str) -> _Problem:
    if (error.context or "").startswith("while parsing a flow"):
        return _Problem("not YAML: a [ or { that begins here is not closed in order", _line(error.context_mark))
    line = _line(error.problem_mark)
    lines = text.splitlines()
    content = lines[line - 1].strip()[:80] if line is not None and line <= len(lines) else ""
    hint = f"; {_QUOTE}" if any(sign in content for sign in "/@*%`&!|>{}[]:") else ""
    return _Problem(f"not YAML: {error.problem or error.context}{hint}{content and f': {content}'}", line)


def _line(mark: Any) -> int | None:
    """1-based line of a mark of either of YAML's two loaders."""
    return None if mark is None else mark.line + 1


def _children(node: yaml.Node) -> Iterator[yaml.Node]:
    if isinstance(node, yaml.MappingNode):
        for key, value in node.value:
            yield key
            yield value
    elif isinstance(node, yaml.SequenceNode):
        yield from node.value


def _repeated_keys(node: yaml.Node) -> Iterator[_Problem]:
    if isinstance(node, yaml.MappingNode):
        seen: dict[str, int | None] = {}
        for key, _ in node.value:
            if key.value in seen and isinstance(key, yaml.ScalarNode):
                yield _Problem(
                    f"the key {key.value!r} stands in line {seen[key.value]} already; join the two",
                    _line(key.start_mark),
                )
            seen.setdefault(str(key.value), _line(key.start_mark))
    for child in _children(node):
        yield from _repeated_keys(child)


def _explained(error: ErrorDetails, root: yaml.MappingNode, lines: list[str]) -> _Problem:
    location = error["loc"]
    if error["type"] == "extra_forbidden":
        return _Problem(_unknown_key(location), _line(_key_at(root, location).start_mark))
    node = _node_at(root, location)
    message = _message(error, node) + _cut_short(node, lines)
    return _Problem(f"{_place(location)}: {message}" if location else message, _line(node.start_mark))


def _node_at(root: yaml.Node, location: Sequence[int | str]) -> yaml.Node:
    """The node a location of pydantic names, or the deepest one on the way that the file has."""
    node = root
    for step in location:
        if isinstance(node, yaml.MappingNode):
            following = [value for key, value in node.value if key.value == step]
        elif isinstance(node, yaml.SequenceNode) and isinstance(step, int):
            following = node.value[step : step + 1]
        else:
            following = []
        node = following[-1] if following else node
    return node


def _key_at(root: yaml.Node, location: Sequence[int | str]) -> yaml.Node:
    parent = _node_at(root, location[:-1])
    keys = [key for key, _ in parent.value if key.value == location[-1]] if isinstance(parent, yaml.MappingNode) else []
    return keys[0] if keys else parent


def _place(location: Sequence[int | str]) -> str:
    """A location as a person would say it.

    >>> _place(("versions", 0, "text", 1))
    'versions 1, text 2'
    """
    words: list[str] = []
    for step in location:
        if isinstance(step, int) and words:
            words[-1] += f" {step + 1}"
        else:
            words.append(str(step))
    return ", ".join(words)


def _unknown_key(location: Sequence[int | str]) -> str:
    model: type[BaseModel] = SiteRules
    for step in location[:-1]:
        model = _model_of(model, step) if isinstance(step, str) else model
    known, key = list(model.model_fields), str(location[-1])
    close = difflib.get_close_matches(key, known, n=1, cutoff=0.6)
    if close:
        return f"unknown key {key!r}; did you mean {close[0]!r}?"
    elsewhere = difflib.get_close_matches(key, _version_keys(), n=1, cutoff=0.6) if model is SiteRules else []
    if elsewhere:
        return f"unknown key {key!r}; did you mean {elsewhere[0]!r} in an entry of 'versions'?"
    return f"unknown key {key!r}; known keys here: {', '.join(known)}"


def _version_keys() -> list[str]:
    return list(RuleVersion.model_fields)


def _model_of(model: type[BaseModel], field: str) -> type[BaseModel]:
    found = _models_in(model.model_fields[field].annotation)
    return found[0] if found else model


def _models_in(annotation: Any) -> list[type[BaseModel]]:
    if isinstance(annotation, type) and issubclass(annotation, BaseModel):
        return [annotation]
    return [model for part in getattr(annotation, "__args__", ()) for model in _models_in(part)]


_EXPECTED = {
    "string_type": "text",
    "tuple_type": "a list",
    "dict_type": "keys and values",
    "model_type": "keys and values",
    "model_attributes_type": "keys and values",
    "float_type": "a number",
    "date_type": "a day like 2024-01-31",
    "date_from_datetime_inexact": "a day like 2024-01-31, without a time",
}


_IN_WORDS = {"bool": "true or false", "int": "a number", "float": "a number", "timestamp": "a date"}


def _message(error: ErrorDetails, node: yaml.Node) -> str:
    kind = error["type"]
    if kind == "missing":
        return "this key is missing"
    if kind == "value_error":
        message = str(error["ctx"]["error"])
        return message + _shown(node, message)
    if kind in _EXPECTED:
        return _wrong_type(_EXPECTED[kind], node)
    return error["msg"].replace("Input", "this", 1)


def _wrong_type(expected: str, node: yaml.Node) -> str:
    if not isinstance(node, yaml.ScalarNode):
        given = "a list" if isinstance(node, yaml.SequenceNode) else "keys and values"
        return f"must be {expected}, not {given}"
    if node.tag == "tag:yaml.org,2002:null":
        return f"has no value; write {expected} after it or remove the key"
    if expected == "text" and node.tag != "tag:yaml.org,2002:str":
        read_as = node.tag.rpartition(":")[2]
        return f'YAML reads {node.value} as {_IN_WORDS.get(read_as, read_as)}; write "{node.value}" in quotes'
    return f"must be {expected}, not {node.value!r}"


def _shown(node: yaml.Node, message: str) -> str:
    """The faulty value, unless the message has it."""
    if not isinstance(node, yaml.ScalarNode) or len(node.value) > 200 or node.value in message:
        return ""
    return f": {node.value}"


def _cut_short(node: yaml.Node, lines: list[str]) -> str:
    """A hint when YAML took the end of an unquoted value for a comment."""
    if not isinstance(node, yaml.ScalarNode) or node.style:
        return ""
    rest = lines[node.end_mark.line][node.end_mark.column :] if node.end_mark.line < len(lines) else ""
    return f"; YAML takes what stands after the space and # for a comment: {_QUOTE}" if rest.startswith(" #") else ""


def write_rules(rules: SiteRules, *, comments: Sequence[str] = ()) -> str:
    """Return the text of a rule file that reads back as the same rules.

    >>> print(write_rules(SiteRules(domain="a.example", feeds="https://a.example/rss"), comments=["by hand"]), end="")
    # by hand
    domain: a.example
    feeds:
    - https://a.example/rss
    """
    values = _plain(rules.model_dump(exclude_defaults=True))
    body: str = yaml.dump(values, Dumper=yaml.CSafeDumper, allow_unicode=True, sort_keys=False, width=1000)
    notes = ("".join(sign for sign in line if sign.isprintable()) for line in comments)
    return "".join(f"# {note}\n" for note in notes) + body


def _plain(value: Any) -> Any:
    """Lists for tuples, and an address for a feed that is nothing else."""
    if isinstance(value, dict):
        return value["url"] if set(value) == {"url"} else {key: _plain(item) for key, item in value.items()}
    return [_plain(item) for item in value] if isinstance(value, tuple) else value
