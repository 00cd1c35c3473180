"""Calls of `store.jobs`; those of them that only read."""

from __future__ import annotations

from newsloom.engines.jobs.values import JobId, JobState, JobStep
from store.builders import HOUR, NOW

JOB = JobId(1)

CALLS = {
    "start_job": lambda s: s.jobs.start_job("embed", NOW, pace=5.0),
    "job": lambda s: s.jobs.job(JOB),
    "open_job": lambda s: s.jobs.open_job("embed"),
    "open_jobs": lambda s: s.jobs.open_jobs(),
    "jobs": lambda s: s.jobs.jobs(9),
    "count_job": lambda s: s.jobs.count_job(JOB, 100),
    "claim_job": lambda s: s.jobs.claim_job(JOB, now=NOW, until=NOW + HOUR),
    "renew_job": lambda s: s.jobs.renew_job("abc", NOW + HOUR),
    "release_job": lambda s: s.jobs.release_job("abc"),
    "advance_job": lambda s: s.jobs.advance_job(JOB, JobStep(done=2, position={"at": 7}), NOW),
    "tell_job": lambda s: s.jobs.tell_job(JOB, "the encoder is away"),
    "throttle_job": lambda s: s.jobs.throttle_job(JOB, pace=None, share=0.5),
    "set_job_state": lambda s: s.jobs.set_job_state(JOB, JobState.PAUSED, NOW),
}
# Of the last, as long as there is nothing to claim.
READS = {"job", "jobs", "open_job", "open_jobs", "claim_job"}
