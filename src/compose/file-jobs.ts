// All types of uploaded files, each parsed by its job in a separate process.
import { recordingJob } from "../agents/recording-job.ts";
import { holidaysJob } from "../calendar/ical/holidays-job.ts";
import type { AnyFileJob } from "../core/reader-side.ts";
import { listJob } from "../dashboard/list-job.ts";

export const FILE_JOBS: readonly AnyFileJob[] = [listJob, holidaysJob, recordingJob];
