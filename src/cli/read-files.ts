// ringward read-files: internal process that the server starts to parse files.
import { serveJobs } from "../core/reader-side.ts";
import { FILE_JOBS } from "../compose/file-jobs.ts";
import type { Command } from "./command.ts";

export const readFiles: Command = {
  name: "read-files",
  summary: "Read files for the server that started this, over standard input and output.",
  isInternal: true,
  async run() {
    await serveJobs(FILE_JOBS, Bun.stdin.stream(), (bytes) => Bun.write(Bun.stdout, bytes));
    return 0;
  },
};
