// The mark: the icon of every page that is served, and the sign beside the name.
import { Elysia } from "elysia";
import mark from "./mark.svg" with { type: "text" };

export const MARK_PATH = "/favicon.svg";

/** An hour spares most requests; an upgrade with another mark shows soon after. */
const CACHED = "public, max-age=3600";

export function markRoutes() {
  return new Elysia({ name: "mark", detail: { hide: true } }).get(
    MARK_PATH,
    () => new Response(mark, { headers: { "content-type": "image/svg+xml", "cache-control": CACHED } }),
  );
}
