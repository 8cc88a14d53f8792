// CSV responses (RFC 4180), streamed one page at a time, so a long list needs little memory.
import { askedBy, currentAsking } from "../core/asking.ts";
import { isFormula } from "../core/formula.ts";

export function csvLine(cells: readonly (string | number | null)[]): string {
  const quoted = cells.map((cell) => {
    const text = String(cell ?? "");
    const harmless = isFormula(text) ? `'${text}` : text;
    // Spreadsheets in other locales separate cells with semicolons or tabs.
    return /[",;\t\r\n]/.test(harmless) ? `"${harmless.replaceAll('"', '""')}"` : harmless;
  });
  return `${quoted.join(",")}\r\n`;
}

/**
 * `pages` yields text when it is ready. The first page is awaited: if it fails, the request fails before a file begins.
 */
export async function csvResponse(fileName: string, pages: AsyncGenerator<string, void>): Promise<Response> {
  const encoder = new TextEncoder();
  // The stream reads the other pages on behalf of the same client.
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
