// All types of uploaded files, each parsed by its job in a separate process.
import { recordingJob } from "../agents/recording-job.ts";
import { holidaysJob } from "../calendar/ical/holidays-job.ts";
import type { AnyFileJob } from "../core/reader-side.ts";
import { listJob } from "../dashboard/list-job.ts";
import { appointmentsJob, faultsJob, peopleJob, sampleJob } from "../exchange/folder/reading/read-jobs.ts";

export const FILE_JOBS: readonly AnyFileJob[] = [
  listJob,
  holidaysJob,
  recordingJob,
  appointmentsJob,
  peopleJob,
  faultsJob,
  sampleJob,
];
