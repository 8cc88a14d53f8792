// Lists as CSV (RFC 4180), sent a page at a time so that a long one costs no memory.
import { askedBy, currentAsking } from "../core/asking.ts";
import { isFormula } from "../core/formula.ts";

export function csvLine(cells: readonly (string | number | null)[]): string {
  const quoted = cells.map((cell) => {
    const text = String(cell ?? "");
    const harmless = isFormula(text) ? `'${text}` : text;
    // Semicolons and tabs part cells in other countries' spreadsheets.
    return /[",;\t\r\n]/.test(harmless) ? `"${harmless.replaceAll('"', '""')}"` : harmless;
  });
  return `${quoted.join(",")}\r\n`;
}

/**
 * `pages` yields text as it is ready. The first page is awaited: where it fails, so does the request, and no file
 * begins.
 */
export async function csvResponse(fileName: string, pages: AsyncGenerator<string, void>): Promise<Response> {
  const encoder = new TextEncoder();
  // The stream asks for the other pages, in the name of the same client.
  const asking = currentAsking();
  const next = () => (asking ? askedBy(asking, () => pages.next()) : pages.next());
  let first: IteratorResult<string, void> | null = await next();
  const body = new ReadableStream<Uint8Array>({
    async pull(controller) {
      const page = first ?? (await next());
      first = null;
      if (page.done) controller.close();
      else controller.enqueue(encoder.encode(page.value));
    },
    async cancel() {
      await pages.return();
    },
  });
  return new Response(body, {
    headers: {
      "content-type": "text/csv; charset=utf-8",
      "content-disposition": `attachment; filename="${fileName}"`,
      "cache-control": "no-store",
    },
  });
}
