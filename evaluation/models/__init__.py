from evaluation.models.audit import AuditCheck, AuditFinding
from evaluation.models.benchmark import Benchmark, Question, Scenario, SourceItem
from evaluation.models.cell import Answer, Cell, CellError, Judgment, Retrieval, UnitText
from evaluation.models.doctor import DoctorFinding
from evaluation.models.ingest import IngestEvent
from evaluation.models.model_request import ModelRequest, RequestGate
from evaluation.models.protocol import Judge, Protocol, Variant
from evaluation.models.published import PublishedContrast, PublishedScore
from evaluation.models.resolution import AdoptedResolution
from evaluation.models.run import Run, RunJudge, RunVariant, Work
from evaluation.models.score_vector import ScoreVector

__all__ = [
    "AdoptedResolution",
    "Answer",
    "AuditCheck",
    "AuditFinding",
    "Benchmark",
    "Cell",
    "CellError",
    "DoctorFinding",
    "IngestEvent",
    "Judge",
    "Judgment",
    "ModelRequest",
    "Protocol",
    "PublishedContrast",
    "PublishedScore",
    "Question",
    "RequestGate",
    "Retrieval",
    "Run",
    "RunJudge",
    "RunVariant",
    "Scenario",
    "ScoreVector",
    "SourceItem",
    "UnitText",
    "Variant",
    "Work",
]
