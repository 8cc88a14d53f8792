// Lists as CSV (RFC 4180), sent a page at a time so that a long one costs no memory.
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

/** `pages` yields text as it is ready. The first page is awaited: where it fails, so does the request, and no file begins. */
export async function csvResponse(fileName: string, pages: AsyncGenerator<string, void>): Promise<Response> {
  const encoder = new TextEncoder();
  let first: IteratorResult<string, void> | null = await pages.next();
  const body = new ReadableStream<Uint8Array>({
    async pull(controller) {
      const page = first ?? (await pages.next());
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
