// Lists as CSV (RFC 4180), sent a page at a time so that a long one costs no memory.

/** A spreadsheet takes a cell that begins so for a formula; a telephone number is none. */
const FORMULA = /^[=+\-@\t\r]/;
const TELEPHONE_NUMBER = /^\+\d+$/;

export function csvLine(cells: readonly (string | number | null)[]): string {
  const quoted = cells.map((cell) => {
    const text = String(cell ?? "");
    const harmless = FORMULA.test(text) && !TELEPHONE_NUMBER.test(text) ? `'${text}` : text;
    return /[",\r\n]/.test(harmless) ? `"${harmless.replaceAll('"', '""')}"` : harmless;
  });
  return `${quoted.join(",")}\r\n`;
}

/** `pages` yields text as it is ready. */
export function csvResponse(fileName: string, pages: AsyncGenerator<string, void>): Response {
  const encoder = new TextEncoder();
  const body = new ReadableStream<Uint8Array>({
    async pull(controller) {
      const page = await pages.next();
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
