"""``scrapy train``: trains the models of extraction from pages whose article is known."""

from __future__ import annotations

import argparse
import sys
from collections import Counter
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar

from scrapy.commands import ScrapyCommand

from newsmon import __version__
from newsmon.commands.evaluate import print_rows, show_progress
from newsmon.errors import EvaluationError, ModelError
from newsmon.extraction.modelfile import ModelFile
from newsmon.training import Trained, load, names, read_pages

if TYPE_CHECKING:
    from collections.abc import Sequence

    from newsmon.corpora import GoldPage

_DEFAULT = "default"


class Command(ScrapyCommand):
    """Trains a model, prints its cross-validated figures, writes its file."""

    requires_project = False
    requires_crawler_process = False
    default_settings: ClassVar[dict[str, Any]] = {"LOG_ENABLED": False}

    def syntax(self) -> str:
        """Usage line of the help."""
        return "DATA_DIR... [--features NAME] [--seed N] [--folds K] [--out FILE] [options of NAME]"

    def short_desc(self) -> str:
        """Line in the list of commands."""
        return "Train a model of extraction from pages whose article is known"

    def long_desc(self) -> str:
        """Text of the help."""
        return (
            "Reads every set in and below the folders (gold.jsonl or manifest.jsonl, gzipped or not), trains one kind "
            f"of model on them ({', '.join(names())}) and writes it to a file, the models of cross-validation beside "
            "it as FILE-folds.npz. The figures printed are of pages whose site the model had not seen. The same data, "
            "seed, versions of NumPy and scikit-learn and number of threads (OMP_NUM_THREADS; newsmon's models: 2) "
            "give the same file. `scrapy train --features NAME` without a folder shows the options of NAME. Exit "
            "code 0: trained; 1: the data cannot be used; 2: wrong usage."
        )

    def add_options(self, parser: argparse.ArgumentParser) -> None:
        """Add what all models share; the options of one are read once it is known which one is meant."""
        super().add_options(parser)
        parser.add_argument(
            "--features", default=_DEFAULT, metavar="NAME", help=f"which model to train (default: {_DEFAULT})"
        )
        parser.add_argument(
            "--seed", type=int, default=0, metavar="N", help="of everything drawn at random (default: 0)"
        )
        parser.add_argument(
            "--folds", type=int, default=5, metavar="K", help="folds of the cross-validation by site (default: 5)"
        )
        parser.add_argument("--out", type=Path, metavar="FILE", help="where the model goes (default: NAME.npz)")

    def run(self, args: list[str], opts: argparse.Namespace) -> None:
        """Train, print, write."""
        try:
            self._train(args, opts)
        except (EvaluationError, ModelError) as error:
            self._fail(str(error), code=1)
        except OSError as error:
            self._fail(f"{error.filename}: {error.strerror}", code=1)

    def _train(self, args: list[str], opts: argparse.Namespace) -> None:
        if opts.features not in names() or opts.folds < 2 or opts.seed < 0:
            self._fail(f"--features is one of: {', '.join(names())}; --folds is 2 or more, --seed 0 or more", code=2)
            return
        training = load(opts.features)
        parser = argparse.ArgumentParser(
            prog=f"scrapy train --features {opts.features}",
            description=training.summary,
            add_help=False,
            allow_abbrev=False,
        )
        parser.add_argument("data_dir", type=Path, nargs="+", metavar="DATA_DIR", help="a set, or a folder of sets")
        training.add_options(parser)
        if not args:
            parser.print_help(sys.stderr)
            self.exitcode = 2
            return
        options = parser.parse_args(args, argparse.Namespace(seed=opts.seed, folds=opts.folds))
        out = opts.out or Path(f"{opts.features}.npz")
        if not out.parent.is_dir():  # told before the long work, not after it
            raise EvaluationError("no such folder to write to", path=out.parent)
        pages = list(read_pages(options.data_dir))
        with show_progress() as progress:
            trained = training.train(pages, options, progress)
        print_rows(trained.rows)
        for path, file in model_files(trained, pages, options, opts.features, out):
            path.write_bytes(file.to_bytes())
            print(f"wrote {path} ({path.stat().st_size:,} bytes)")

    def _fail(self, message: str, *, code: int) -> None:
        print(f"scrapy train: {message}", file=sys.stderr)
        self.exitcode = code


def model_files(
    trained: Trained, pages: Sequence[GoldPage], options: argparse.Namespace, name: str, out: Path
) -> list[tuple[Path, ModelFile]]:
    """The model and, where there are any, the models of cross-validation; their headers tell what they are made of."""
    header: dict[str, Any] = {
        "model": name,
        "newsmon": __version__,
        "sets": dict(sorted(Counter(page.set for page in pages).items())),
        "pages": len(pages),
        "sites": len({page.site for page in pages}),
        "seed": options.seed,
        "folds": options.folds,
        "settings": dict(trained.settings),
        "scores": [asdict(row) | {"value": round(row.value, 4)} for row in trained.rows],
    }
    files = [(out, ModelFile(trained.arrays, header))]
    if trained.folds:
        arrays = {
            f"fold{number}_{key}": array
            for number, fold in enumerate(trained.folds)
            for key, array in fold.arrays.items()
        }
        of_folds = {"model": name, "newsmon": __version__, "folds": [list(fold.sites) for fold in trained.folds]}
        files.append((out.with_name(f"{out.stem}-folds.npz"), ModelFile(arrays, of_folds)))
    return files
