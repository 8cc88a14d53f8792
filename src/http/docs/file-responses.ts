// Documentation of recording responses: the whole file, or the requested range.

const WAV = { "audio/wav": { schema: { type: "string", format: "binary" } } };
const header = (description: string) => ({ description, schema: { type: "string" } });

export const RECORDING_RESPONSES = {
  "200": { description: "The file.", headers: { "Accept-Ranges": header("`bytes`.") }, content: WAV },
  "206": {
    description: "The requested range.",
    headers: { "Content-Range": header("Which bytes, of how many, e.g. `bytes 0-1023/160044`.") },
    content: WAV,
  },
};

export const RECORDING_ERRORS = ["VALIDATION_ERROR", "UNAUTHORIZED", "NOT_FOUND", "RANGE_NOT_SATISFIABLE"] as const;

export const RANGE_HEADER = {
  name: "Range",
  description: "One range, e.g. `bytes=0-1023`. Several at once are answered with the whole file.",
};
