"""Loader of scientific-recall benchmarks in their released layout::

    benchmarks/<slice>/{corpus_spec,queries,ground_truth,queries_holdout,ground_truth_holdout}.md
    datasets/<slice>/{full_text,papers}/NN_short.md

``load`` takes the slice's folder under ``benchmarks``, or the root where it holds one slice. The
corpus is ``full_text``; where there is none, the notes in ``papers``. A document's id is its
file's name without the ending, and ``#15`` in a question points to the file that begins with 15.
Keys are derived from the words of each must-have fact (see ``fact_keys``); its quote is looked
for in the documents it points to, then in the question's, then in all others. Of a question that
is only negative the right answer is to abstain; one that is also of another type has a substance.

A question that cannot be read is left out and named in the report's problems with its line and
the reason. Holdout questions carry ``holdout`` and are asked last.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from evaluation.benchmarks.assembly import LoadedQuestion, LoadedScenario, assemble
from evaluation.benchmarks.cards import card_for
from evaluation.benchmarks.markdown_documents import read_documents
from evaluation.benchmarks.srb_questions import QuestionReader, read_queries
from evaluation.records import Benchmark
from evaluation.source_files.reading import MAX_FILE_BYTES, read_text
from evaluation.source_files.refusals import WrongKindOfFile

FORMAT = "srb"
CITATION = (
    "Sheverev, Finkelstein, Nikolenko: Beyond Memory Leaderboards: Evaluating Scientific Memory "
    "as Budgeted Context Restoration. arXiv:2607.16848"
)
QUERIES, GROUND_TRUTH, CORPUS_SPEC = "queries.md", "ground_truth.md", "corpus_spec.md"
HOLDOUT = ("queries_holdout.md", "ground_truth_holdout.md")


def load(
    path: Path,
    *,
    slug: str | None = None,
    title: str | None = None,
    licence: str | None = None,
    slice_file: Path | None = None,
    max_bytes: int = MAX_FILE_BYTES,
) -> Benchmark:
    """The benchmark of one slice: one scenario, documents by id, then the questions.

    Raises WrongKindOfFile for another layout, duplicate ids, and when no question can be read.
    """
    folder = _slice_folder(path)
    corpus = _corpus_folder(folder)
    documents = read_documents(corpus, max_bytes=max_bytes)
    if not documents:
        raise WrongKindOfFile(corpus, "no Markdown document was found in it")
    items = {item.id: item for item in documents.values()}
    problems: list[str] = []
    if corpus.name == "papers":
        problems.append("there is no full_text folder: the corpus is the notes in papers")
    reader = QuestionReader(items)
    files = [folder / QUERIES, folder / GROUND_TRUTH]
    questions = _questions(reader, files, False, problems, max_bytes)
    holdout = [folder / name for name in HOLDOUT]
    if holdout[0].exists():
        questions += _questions(reader, holdout, True, problems, max_bytes)
        files += holdout
    if not questions:
        raise WrongKindOfFile(
            folder / QUERIES, "no question could be read; " + "; ".join(problems[:5])
        )
    card = card_for(
        folder,
        family="scientific",
        format_name="scientific-recall benchmark",
        files=[*files, *documents],
        slug=slug,
        title=title,
        licence=licence,
        description=_description(folder / CORPUS_SPEC, max_bytes),
        citation=CITATION,
        slice_file=slice_file,
        max_bytes=max_bytes,
    )
    scenario = LoadedScenario("corpus", tuple(items.values()), tuple(questions))
    return assemble(
        card, [scenario], path=folder / QUERIES, problems=problems, slice_file=slice_file
    )


def _questions(
    reader: QuestionReader,
    files: Sequence[Path],
    holdout: bool,
    problems: list[str],
    max_bytes: int,
) -> list[LoadedQuestion]:
    queries_file, truth_file = files
    queries = read_queries(queries_file, read_text(queries_file, max_bytes=max_bytes))
    problems.extend(queries.problems)
    truth = read_text(truth_file, max_bytes=max_bytes)
    return reader.read(queries, queries_file, truth_file, truth, holdout=holdout, problems=problems)


def _slice_folder(path: Path) -> Path:
    if not path.is_dir():
        raise WrongKindOfFile(path, "a folder is needed: benchmarks/<slice> of the release")
    if (path / QUERIES).is_file():
        return path
    slices = sorted(file.parent for file in (path / "benchmarks").glob(f"*/{QUERIES}"))
    if not slices:
        raise WrongKindOfFile(
            path, f"there is neither {QUERIES} nor benchmarks/<slice>/{QUERIES} in it"
        )
    if len(slices) > 1:
        names = ", ".join(f"benchmarks/{folder.name}" for folder in slices)
        raise WrongKindOfFile(path, f"it holds several slices; name one of {names}")
    return slices[0]


def _corpus_folder(folder: Path) -> Path:
    datasets = folder.resolve().parent.parent / "datasets" / folder.resolve().name
    for name in ("full_text", "papers"):
        for corpus in (datasets / name, folder / name):
            if corpus.is_dir():
                return corpus
    raise WrongKindOfFile(
        folder, f"its documents are missing: there is no datasets/{folder.name}/full_text"
    )


def _description(corpus_spec: Path, max_bytes: int) -> str:
    if not corpus_spec.is_file():
        return ""
    paragraphs = read_text(corpus_spec, max_bytes=max_bytes).split("\n\n")
    prose = (" ".join(text.split()) for text in paragraphs if not text.lstrip().startswith("#"))
    return next((text for text in prose if text), "")
