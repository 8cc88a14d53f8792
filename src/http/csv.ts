// CSV responses (RFC 4180), streamed one page at a time, so a long list needs little memory.
import { csvLine } from "../core/csv-line.ts";
import { streamedFile } from "./streamed-file.ts";

/** Pages of lines as pages of text. */
export async function* csvText(
  pages: AsyncGenerator<readonly (readonly (string | number | null)[])[], void>,
): AsyncGenerator<string, void> {
  for await (const lines of pages) yield lines.map(csvLine).join("");
}

export const csvResponse = (fileName: string, pages: AsyncGenerator<string, void>): Promise<Response> =>
  streamedFile(fileName, "text/csv; charset=utf-8", pages);
