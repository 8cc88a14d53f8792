// Routes of what every served page loads: the logo, and the style sheet of pages outside the dashboard.
import { Elysia } from "elysia";
import { FACE_CSS, FACE_PATH, MARK_PATH } from "./face.ts";
import mark from "./mark.svg" with { type: "text" };

/** An hour saves most requests; a new logo appears soon after an upgrade. */
const CACHED = "public, max-age=3600";

export function markRoutes() {
  const served = (text: string, type: string) => () =>
    new Response(text, { headers: { "content-type": type, "cache-control": CACHED } });
  return new Elysia({ name: "mark", detail: { hide: true } })
    .get(MARK_PATH, served(mark, "image/svg+xml"))
    .get(FACE_PATH, served(FACE_CSS, "text/css; charset=utf-8"));
}
