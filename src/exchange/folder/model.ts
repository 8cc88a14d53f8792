// API schemas of delivered files.
import { Type, type Static } from "@sinclair/typebox";
import { isoTime, nullable, oneOf, PAGE_FIELDS } from "../../core/schema.ts";
import { FOLDER_PROBLEMS, SOURCE_FILE_STATES } from "../../payloads/source-file.ts";

const count = (description?: string) => Type.Integer({ minimum: 0, ...(description && { description }) });

export const SourceFileSchema = Type.Object({
  file_id: Type.String(),
  name: Type.String(),
  state: oneOf(SOURCE_FILE_STATES, {
    description:
      "`waiting`: see reason. `asking`: a complete list would cancel too much; accept or reject it. `repeated`: its " +
      "content was read before, so it was not read again.",
  }),
  reason: nullable(Type.String({ description: "Why it waits or was refused; `not_mapped`: map the columns." })),
  size: count("Bytes."),
  received_at: isoTime(),
  finished_at: nullable(isoTime()),
  rows: nullable(count()),
  last_row: count("The last row that was taken, as in a spreadsheet."),
  created: count("Appointments, or people to call."),
  updated: count(),
  unchanged: count(),
  faults: count("Rows that were not taken; see the file of faults beside it."),
  cancelled: count("Appointments that a complete list lacked."),
  absent: nullable(count("Appointments that a complete list lacks.")),
  known: nullable(count("Upcoming appointments of the source within the dates of the list.")),
  campaign_id: nullable(Type.String()),
  moved_to: nullable(Type.String({ description: "Below the folder of the source." })),
});
export type SourceFileView = Static<typeof SourceFileSchema>;

export const SourceFileListSchema = Type.Object({
  data: Type.Array(SourceFileSchema),
  next_cursor: nullable(Type.String()),
  folder: Type.Object({
    path: nullable(Type.String({ description: "Where to put files; null without `folders.root`." })),
    problem: nullable(oneOf(FOLDER_PROBLEMS)),
  }),
});
export type SourceFileList = Static<typeof SourceFileListSchema>;
export const SourceFileAnswerSchema = Type.Object({ data: SourceFileSchema });
export const ListSourceFilesQuery = Type.Object(PAGE_FIELDS);
export type ListSourceFilesInput = Static<typeof ListSourceFilesQuery>;
