// Parses a calendar file in a separate process.
import type { FileJob } from "../../core/file-job.ts";
import { holidaysIn, type Holidays } from "./holiday-days.ts";

export const holidaysJob: FileJob<{ bytes: Uint8Array; from: string; to: string }, Holidays> = {
  name: "holidays",
  run: async ({ bytes, from, to }) => holidaysIn(new TextDecoder().decode(bytes), { from, to }),
};
