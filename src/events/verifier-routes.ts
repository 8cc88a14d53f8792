// /docs/webhooks: how to verify our webhooks, in six languages, with test vectors. Public.
import { Elysia } from "elysia";
import { lazily } from "../core/lazily.ts";
import { FACE_PATH, faceBar, MARK_PATH } from "../http/face.ts";
import pageCss from "./verifier/page.css" with { type: "text" };
import { verifierPage } from "./verifier/page.ts";
import { SNIPPETS } from "./verifier/snippets.ts";
import { makeVectors } from "./verifier/vectors.ts";

/** The page runs no scripts and loads only its style sheet and its icon. */
const PAGE_POLICY =
  "default-src 'none'; style-src 'self'; img-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

/** The content changes only with the binary; revalidation shows an upgrade at the next visit. */
const REVALIDATED = "no-cache";

export function verifierRoutes() {
  const page = lazily(() => verifierPage({ iconPath: MARK_PATH, stylePath: FACE_PATH, bar: faceBar("docs/webhooks") }));
  const vectors = lazily(() => JSON.stringify(makeVectors(), null, 2));
  const served =
    (text: () => string, type: string, more: Record<string, string> = {}) =>
    () =>
      new Response(text(), { headers: { "content-type": type, "cache-control": REVALIDATED, ...more } });

  const routes = new Elysia({ name: "verifier", detail: { hide: true } })
    .get(
      "/docs/webhooks",
      served(page, "text/html; charset=utf-8", {
        "content-security-policy": PAGE_POLICY,
        "referrer-policy": "no-referrer",
      }),
    )
    .get(
      "/docs/webhooks/page.css",
      served(() => pageCss, "text/css; charset=utf-8"),
    )
    .get("/docs/webhooks/vectors.json", served(vectors, "application/json"));
  for (const { fileName, code } of SNIPPETS)
    routes.get(
      `/docs/webhooks/${fileName}`,
      served(() => code, "text/plain; charset=utf-8"),
    );
  return routes;
}
