"""Judging stored games and signing for them: records, verdicts, audits, receipts and the transparency log."""
