"""`scrapy train`: reading sets, training by site, the model files, and what packages carry."""

from __future__ import annotations

import gzip
import json
import random
from io import BytesIO
from typing import TYPE_CHECKING

import numpy as np
import pytest
from lxml import html
from scrapy.cmdline import execute
from scrapy.settings import Settings

from newsmon import training
from newsmon.corpora import read_gold
from newsmon.errors import EvaluationError, ModelError
from newsmon.evaluation import DataSet
from newsmon.extraction import paper
from newsmon.extraction.modelfile import ModelFile, load_model, read_model
from newsmon.scoring import macro, overlap, shingles
from tests.packaging import copy_checkout, install, python

if TYPE_CHECKING:
    from pathlib import Path

WORDS = "water river council dam farmer bridge market winter engine letter doctor garden office summer station".split()


def sentence(chance: random.Random) -> str:
    words = [chance.choice(WORDS) for _ in range(chance.randint(12, 24))]
    words[chance.randint(3, 8)] += ","
    return " ".join(words).capitalize() + "."


def make_page(chance: random.Random, layout: int) -> tuple[bytes, str]:
    """A page in one of some layouts, and its article."""
    paragraphs = [sentence(chance) + " " + sentence(chance) for _ in range(chance.randint(4, 8))]
    body = "".join(f"<p>{text}</p>" for text in paragraphs)
    links = "".join(f"<li><a href=/{word}>{word} {chance.choice(WORDS)}</a></li>" for word in WORDS)
    menu = f"<div class=menu><ul>{links}</ul></div>"
    footer = "<div><p>Copyright</p><p><a href=/t>Terms</a> <a href=/p>Privacy</a></p></div>"
    tag = ("div", "article", "section")[layout % 3]
    parts = [menu, f"<{tag}><h1>{chance.choice(WORDS)}</h1>{body}</{tag}>", footer]
    markup = "".join(parts if layout % 2 else [*parts[1:], parts[0]])
    return f"<html lang=en><body>{markup}</body></html>".encode(), "\n".join(paragraphs)


def make_set(folder: Path, sites: range, seed: int = 0) -> Path:
    """An extraction set with three pages of every site."""
    chance = random.Random(seed)
    (folder / "pages").mkdir(parents=True)
    records = []
    for number in (number for site in sites for number in (3 * site, 3 * site + 1, 3 * site + 2)):
        site = number // 3
        body, text = make_page(chance, site)
        (folder / "pages" / f"{number}.html.gz").write_bytes(gzip.compress(body))
        records.append({"id": str(number), "url": f"http://site{site}.example/{number}", "lang": "en", "text": text})
    (folder / "gold.jsonl").write_text("\n".join(map(json.dumps, records)), "utf-8")
    return folder


def train(*args: object) -> int:
    """Run `scrapy train` in this process and give its exit code."""
    settings = Settings({"COMMANDS_MODULE": "newsmon.commands.train"})
    with pytest.raises(SystemExit) as end:
        execute(["scrapy", "train", *map(str, args)], settings)
    assert isinstance(end.value.code, int)
    return end.value.code


@pytest.fixture
def sets(tmp_path: Path) -> Path:
    make_set(tmp_path / "data" / "one", range(8))
    make_set(tmp_path / "data" / "deeper" / "two", range(6, 12), seed=1)
    return tmp_path / "data"


# --- the command ------------------------------------------------------------------------------------------------------


def test_a_model_is_trained_measured_by_site_and_written(sets: Path, capsys: pytest.CaptureFixture[str]) -> None:
    out = sets / "mine.npz"
    assert train(sets, "--features", "paper", "--folds", "3", "--seed", "7", "--out", out) == 0
    shown = capsys.readouterr().out
    assert all(word in shown for word in ["one", "two", "all", "line_f1", "wrote", "mine-folds.npz"])
    header = read_model(out).header
    assert {name: header[name] for name in ("model", "sets", "pages", "sites", "seed", "folds")} == {
        "model": "paper",
        "sets": {"one": 24, "two": 18},
        "pages": 42,
        "sites": 12,
        "seed": 7,
        "folds": 3,
    }
    scores = {(row["group"], row["metric"]): row for row in header["scores"]}
    assert scores["all", "f1"]["n"] == 42
    assert scores["all", "f1"]["value"] > 0.9


def test_the_model_reads_a_page_it_has_not_seen(sets: Path) -> None:
    assert train(sets / "one", "--features", "paper", "--folds", "2", "--out", sets / "mine.npz") == 0
    model = paper.PaperModel.from_arrays(read_model(sets / "mine.npz").arrays)
    body, text = make_page(random.Random(99), layout=1)
    found = paper.read(html.document_fromstring(body), model=model)
    assert set(text.splitlines()) <= {paragraph.text for paragraph in found}
    assert not any("Privacy" in paragraph.text for paragraph in found)


def test_each_fold_lacks_its_sites_and_no_site_is_in_two(sets: Path) -> None:
    assert train(sets, "--features", "paper", "--folds", "3", "--out", sets / "mine.npz") == 0
    folds = read_model(sets / "mine-folds.npz")
    sites = [site for fold in folds.header["folds"] for site in fold]
    assert sorted(sites) == sorted({f"site{number}.example" for number in range(12)})
    models = [paper.PaperModel.from_arrays(folds.arrays, f"fold{number}_") for number in range(3)]
    assert len({model.blocks.intercept for model in models}) == 3


def test_the_same_data_and_seed_give_the_same_bytes(sets: Path) -> None:
    one, two = sets / "one", sets / "deeper" / "two"
    for name, folders, seed in (("a", [one, two], 0), ("b", [two, one], 0), ("c", [one, two], 1)):
        arguments = ("--features", "paper", "--folds", "2", "--seed", seed, "--out", sets / f"{name}.npz")
        assert train(*folders, *arguments) == 0
    first, second, other = (read_model(sets / f"{name}.npz") for name in "abc")
    assert all((first.arrays[name] == second.arrays[name]).all() for name in first.arrays)
    assert first.header["settings"] == second.header["settings"]
    assert first.arrays["blocks.support"].tolist() != other.arrays["blocks.support"].tolist()
    assert first.to_bytes() == first.to_bytes() == (sets / "a.npz").read_bytes()


def test_the_grid_is_searched_only_when_asked(sets: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("newsmon.training.paper.PENALTIES", (7.0,))
    monkeypatch.setattr("newsmon.training.paper.SIGMAS", (0.3, 0.7))
    assert train(sets, "--features", "paper", "--folds", "2", "--grid", "--out", sets / "grid.npz") == 0
    assert train(sets, "--features", "paper", "--folds", "2", "--out", sets / "plain.npz") == 0
    searched, plain = (read_model(sets / name).header["settings"] for name in ("grid.npz", "plain.npz"))
    assert searched["blocks"]["C"] == searched["paragraphs"]["C"] == 7.0
    assert searched["blocks"]["sigma"] in (0.3, 0.7)
    assert (plain["blocks"]["C"], plain["blocks"]["sigma"]) == (3.0, 1.6)
    assert (plain["paragraphs"]["C"], plain["paragraphs"]["sigma"]) == (2.0, 1.2)


@pytest.fixture
def bad_data(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The current folder, with sets that cannot make a model."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "empty").mkdir()
    make_set(tmp_path / "good", range(4))
    for name in ("foreign", "silent", "torn"):
        make_set(tmp_path / name, range(4))
    gold = tmp_path / "foreign" / "gold.jsonl"
    records = [json.loads(line) | {"text": "Nothing of this stands on any page."} for line in gold.open()]
    gold.write_text("\n".join(map(json.dumps, records)), "utf-8")
    (tmp_path / "silent" / "gold.jsonl").write_text('{"id": "1", "text": ""}')
    (tmp_path / "torn" / "gold.jsonl").write_text('{"id"')
    return tmp_path


@pytest.mark.parametrize(
    ("args", "code", "message"),
    [
        (["--features", "weather", "good"], 2, "--features is one of: "),
        (["--features", "paper"], 2, "--grid"),
        (["--features", "paper", "good", "--folds", "1"], 2, "--folds is 2 or more"),
        (["--features", "paper", "good", "--seed", "-1"], 2, "--seed 0 or more"),
        (["--features", "paper", "good", "--gird"], 2, "--gird"),
        (["--features", "paper", "nowhere"], 1, "nowhere: no such folder"),
        (["--features", "paper", "empty"], 1, "gold.jsonl or manifest.jsonl"),
        (["--features", "paper", "torn"], 1, "line 1 is not JSON"),
        (["--features", "paper", "silent"], 1, "no page can be used"),
        (["--features", "paper", "foreign"], 1, "text and noise to tell apart"),
        (["--features", "paper", "good", "--out", "no/such.npz"], 1, "no such folder to write to"),
    ],
)
def test_bad_input_is_named(
    args: list[str], code: int, message: str, bad_data: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert train(*args) == code
    assert message in capsys.readouterr().err
    assert not list(bad_data.glob("*.npz"))


def test_trainings_are_modules_that_say_so() -> None:
    assert "paper" in training.names()
    assert "labels" not in training.names()
    with pytest.raises(ModelError, match="choose one of"):
        training.load("labels")


# --- reading sets -----------------------------------------------------------------------------------------------------


def test_every_format_is_read_and_each_set_once(sets: Path) -> None:
    body = f"<html><body><main><p>{'The water rises. ' * 20}</p></main></body></html>".encode()
    snapshot = {"publisher": "a.example", "file": "a.example/1.html", "valid_version": "v1", "versions": {"v1": {}}}
    for name, record in (
        ("redesign", snapshot),
        ("sites/b.example", {"id": "1", "file": "pages/1.html", "url": "http://b.example/1", "rule": "//main"}),
    ):
        page = sets / name / str(record["file"])
        page.parent.mkdir(parents=True)
        page.write_bytes(body)
        (sets / name / "manifest.jsonl").write_text(json.dumps(record))
    (sets / "redesign" / "a.example" / "1.v1.txt").write_text("The water rises. " * 20)
    found = list(training.read_pages([sets, sets / "one"]))
    counted = {name: sum(page.set == name for page in found) for name in ("one", "two", "redesign", "b.example")}
    assert counted == {"one": 24, "two": 18, "redesign": 1, "b.example": 1}
    assert all(page.text.startswith("The water rises.") for page in found if page.set in ("redesign", "b.example"))


def test_folders_without_a_set_are_named(tmp_path: Path) -> None:
    with pytest.raises(EvaluationError, match="no such folder"):
        list(training.read_pages([tmp_path / "nowhere"]))


# --- model files ------------------------------------------------------------------------------------------------------


def test_a_model_file_gives_back_what_it_was_given() -> None:
    file = ModelFile({"a": np.arange(3), "b": np.asarray(1.5)}, {"seed": 0, "name": "Модель"})
    again = ModelFile.from_bytes(file.to_bytes())
    assert again.header == file.header
    assert {name: array.tolist() for name, array in again.arrays.items()} == {"a": [0, 1, 2], "b": 1.5}


def archive(**arrays: object) -> bytes:
    buffer = BytesIO()
    np.savez(buffer, **arrays)  # type: ignore[arg-type]
    return buffer.getvalue()


@pytest.mark.parametrize(
    "data",
    [
        b"",
        b"no archive",
        archive(a=np.arange(3)),
        archive(header=np.frombuffer(b"[1]", np.uint8)),
        archive(header=np.frombuffer(b"{", np.uint8)),
        archive(header=np.frombuffer(b"{}", np.uint8), a=np.array([object()], dtype=object)),  # would need pickle
        archive(header=np.frombuffer(b"{}", np.uint8), a=np.arange(99))[:-40],
    ],
    ids=["empty", "garbage", "headless", "list", "torn header", "pickle", "cut"],
)
def test_what_is_no_model_file_is_named(data: bytes, tmp_path: Path) -> None:
    (tmp_path / "bad.npz").write_bytes(data)
    with pytest.raises(ModelError, match=r"bad\.npz"):
        read_model(tmp_path / "bad.npz")


def test_missing_models_are_named(tmp_path: Path) -> None:
    with pytest.raises(ModelError, match=r"nothing: newsmon has no such model"):
        load_model("nothing")
    with pytest.raises(ModelError, match=r"nowhere\.npz"):
        read_model(tmp_path / "nowhere.npz")


USE_MODEL = """
from lxml import html
from newsmon.extraction import modelfile, paper
models = paper.PACKAGED
print(modelfile.__file__, models.whole.blocks.features, models.without("never.example").paragraphs.features)
print(len(paper.read(html.document_fromstring("<p>x</p>"))))
"""


@pytest.fixture(scope="module")
def checkout(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return copy_checkout(tmp_path_factory.mktemp("checkout"), mark="models")


def test_models_are_found_in_an_installed_package(checkout: Path, tmp_path: Path) -> None:
    target = install(checkout, tmp_path / "installed")
    ran = python("-c", USE_MODEL, cwd=tmp_path, PYTHONPATH=str(target))
    assert ran.returncode == 0, ran.stderr
    assert ran.stdout.startswith(f"{target}/newsmon/extraction/modelfile.py 5 3\n")


def test_models_are_found_in_a_zipped_egg(checkout: Path, tmp_path: Path) -> None:
    built = python("setup.py", "--quiet", "bdist_egg", "--dist-dir", str(tmp_path), cwd=checkout)
    assert built.returncode == 0, built.stderr
    (egg,) = tmp_path.glob("*.egg")
    ran = python("-c", USE_MODEL, cwd=tmp_path, PYTHONPATH=str(egg))
    assert ran.returncode == 0, ran.stderr
    assert ran.stdout.startswith(f"{egg}/newsmon/extraction/modelfile.py 5 3\n")


# --- real pages -------------------------------------------------------------------------------------------------------


def test_the_packaged_scores_are_true(shared_data: Path) -> None:
    """Every page read by the model that was trained without its site gives the figure the header states."""
    pages = list(read_gold(DataSet("naeb", shared_data / "extraction" / "naeb")))
    compared = []
    for page in pages:
        tree = page.page().tree
        found = paper.read(tree, model=paper.PACKAGED.without(page.site)) if tree is not None else []
        text = "\n".join(paragraph.text for paragraph in found)
        compared.append(overlap(shingles(page.text, page.language), shingles(text, page.language)))
    stated = {(row["group"], row["metric"]): row["value"] for row in load_model("paper").header["scores"]}
    assert macro(compared).f1 == pytest.approx(stated["naeb", "f1"], abs=0.01)
