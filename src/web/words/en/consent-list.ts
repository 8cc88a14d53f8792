// English texts of lists of consents.
export const consentList = {
  title: "Consents",
  note: "What people agreed to be called about. A person's page shows theirs with the history. A list of consents can be imported; a number that has withdrawn since the date on the list stays withdrawn.",
  import: "Import a list",
  export: "Export as CSV",
  file: "CSV file",
  fileHint:
    "The first line names the columns: contact_number, and if wanted purpose, basis, granted_on, until and reference. Dates as 2026-11-20. Up to 100,000 lines.",
  purpose: "Purpose",
  wholeHint: "For lines that do not name their own.",
  basis: "How they agreed",
  inFile: "As in the file",
  start: "Import",
  noNumbers: "The first line must name a column “contact_number”.",
  nothing: "The file has no lines after the heading.",
  tooMany: "The file has more than 100,000 lines. Split it.",
  tooLarge: "The file is larger than 20 MB. Split it.",
  progress: "Progress of the import",
  sofar: (done: string, all: string) => `${done} of ${all} lines.`,
  counts: (granted: string, unchanged: string, refused: string) =>
    `${granted} recorded, ${unchanged} recorded before, ${refused} refused.`,
  refused: "Refused lines",
  more: (count: string) => `And ${count} more.`,
  line: "Line",
  why: "Why",
};
