// Makes the dashboard an app that can be installed: manifest, icons, service worker and the offline page.
import { Elysia } from "elysia";
import { sha256Hex } from "../../core/hmac.ts";
import { lazily } from "../../core/lazily.ts";
import { MARK_PATH } from "../../http/face.ts";
import icon192 from "./icon-192.png" with { type: "file" };
import icon512 from "./icon-512.png" with { type: "file" };
import { offlinePage, offlinePolicy } from "./offline-page.ts";
import touchIcon from "./touch-icon.png" with { type: "file" };
import worker from "./worker.js" with { type: "text" };

export const MANIFEST_PATH = "/dashboard/manifest.webmanifest";
export const TOUCH_ICON_PATH = "/dashboard/icons/touch-icon.png";

/** The address without a slash at the end is a page too, so it is inside. */
const SCOPE = "/dashboard";

const ICONS = new Map([
  ["icon-192.png", icon192],
  ["icon-512.png", icon512],
  ["touch-icon.png", touchIcon],
]);

const MANIFEST = {
  id: SCOPE,
  name: "Ringward",
  short_name: "Ringward",
  start_url: SCOPE,
  scope: SCOPE,
  display: "standalone",
  background_color: "#f6f8f8",
  theme_color: "#0b6275",
  icons: [
    { src: MARK_PATH, sizes: "any", type: "image/svg+xml" },
    { src: "/dashboard/icons/icon-192.png", sizes: "192x192", type: "image/png" },
    // Its edges may be cut off to a circle.
    { src: "/dashboard/icons/icon-512.png", sizes: "512x512", type: "image/png", purpose: "maskable" },
  ],
};

/** An hour saves most requests; new icons appear soon after an upgrade. */
const CACHED = "public, max-age=3600";

export function installedAppRoutes() {
  const page = lazily(offlinePage);
  /** A new offline page is a new worker, which replaces the stored page. */
  const script = lazily(() => worker.replace("VERSION", sha256Hex(page() + offlinePolicy()).slice(0, 16)));
  const fresh = (text: string, type: string, more: Record<string, string> = {}) =>
    new Response(text, { headers: { "content-type": type, "cache-control": "no-cache", ...more } });

  return new Elysia({ name: "installed-app", detail: { hide: true } })
    .get(MANIFEST_PATH, () => fresh(JSON.stringify(MANIFEST), "application/manifest+json"))
    .get("/dashboard/icons/:file", ({ params }) => {
      const path = ICONS.get(params.file);
      if (path === undefined) return new Response("Not found.", { status: 404 });
      return new Response(Bun.file(path), { headers: { "content-type": "image/png", "cache-control": CACHED } });
    })
    .get("/dashboard/worker.js", () =>
      fresh(script(), "text/javascript; charset=utf-8", {
        "service-worker-allowed": SCOPE,
        "content-security-policy": "default-src 'none'; connect-src 'self'",
      }),
    )
    .get("/dashboard/offline", () =>
      fresh(page(), "text/html; charset=utf-8", {
        "content-security-policy": offlinePolicy(),
        "referrer-policy": "no-referrer",
      }),
    );
}
