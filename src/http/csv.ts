// Lists as CSV (RFC 4180), sent a page at a time so that a long one costs no memory.

/**
 * A spreadsheet takes a cell that begins so for a formula, blanks before it and full-width signs (U+FF1D, U+FF0B, U+FF0D, U+FF20) and
 * small ones (U+FE62 to U+FE6B) included; a telephone number is none.
 */
const FORMULA = /^(?:[\s\p{Cc}\p{Cf}]*[=+\-@\uff1d\uff0b\uff0d\uff20\ufe62\ufe63\ufe66\ufe6b]|[\t\r\n])/u;
const TELEPHONE_NUMBER = /^\+\d+$/;

export const isFormula = (text: string): boolean => FORMULA.test(text) && !TELEPHONE_NUMBER.test(text);

export function csvLine(cells: readonly (string | number | null)[]): string {
  const quoted = cells.map((cell) => {
    const text = String(cell ?? "");
    const harmless = isFormula(text) ? `'${text}` : text;
    // Semicolons and tabs part cells in other countries' spreadsheets.
    return /[",;\t\r\n]/.test(harmless) ? `"${harmless.replaceAll('"', '""')}"` : harmless;
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
