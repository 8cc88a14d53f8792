// A file as a response, streamed one page at a time, so a long list needs little memory.
import { askedBy, currentAsking } from "../core/asking.ts";

/**
 * `pages` yields text when it is ready. The first page is awaited: if it fails, the request fails before a file begins.
 */
export async function streamedFile(
  fileName: string,
  contentType: string,
  pages: AsyncGenerator<string | Uint8Array, void>,
): Promise<Response> {
  const encoder = new TextEncoder();
  // The stream reads the other pages on behalf of the same client.
  const asking = currentAsking();
  const next = () => (asking ? askedBy(asking, () => pages.next()) : pages.next());
  let first: IteratorResult<string | Uint8Array, void> | null = await next();
  const body = new ReadableStream<Uint8Array>({
    async pull(controller) {
      const page = first ?? (await next());
      first = null;
      if (page.done) controller.close();
      else controller.enqueue(typeof page.value === "string" ? encoder.encode(page.value) : page.value);
    },
    async cancel() {
      await pages.return();
    },
  });
  return new Response(body, {
    headers: {
      "content-type": contentType,
      "content-disposition": `attachment; filename="${fileName}"`,
      "cache-control": "no-store",
    },
  });
}
