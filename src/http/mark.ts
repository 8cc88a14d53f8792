// The logo: icon of every served page, shown next to the name.
import { Elysia } from "elysia";
import mark from "./mark.svg" with { type: "text" };

export const MARK_PATH = "/favicon.svg";

/** An hour saves most requests; a new logo appears soon after an upgrade. */
const CACHED = "public, max-age=3600";

export function markRoutes() {
  return new Elysia({ name: "mark", detail: { hide: true } }).get(
    MARK_PATH,
    () => new Response(mark, { headers: { "content-type": "image/svg+xml", "cache-control": CACHED } }),
  );
}
