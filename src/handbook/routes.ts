// /docs: serves the handbook from the executable. Public, like /docs/webhooks.
import { Elysia } from "elysia";
import { AppError } from "../core/errors.ts";
import { sha256Hex } from "../core/hmac.ts";
import { lazily } from "../core/lazily.ts";
import type { AssetEncoding } from "./build-handbook.ts";
import { handbookFiles } from "./handbook-files.ts";

/** One script and one style sheet, both same-origin, as is the search index. */
const PAGE_POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self'",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join("; ");

/** Pages change only with the executable: browsers revalidate every time, and usually get 304. */
const PAGE_HEADERS = {
  "content-type": "text/html; charset=utf-8",
  "content-security-policy": PAGE_POLICY,
  "cache-control": "no-cache",
  "referrer-policy": "no-referrer",
  vary: "accept, accept-encoding",
};

/** The name of an asset changes with its content. */
const KEPT = "public, max-age=31536000, immutable";

interface Body {
  bytes: Uint8Array<ArrayBuffer>;
  /** Compressed on first use, then cached. */
  gzipped: () => Uint8Array<ArrayBuffer>;
}

function bodyOf(content: string, encoding: "utf8" | AssetEncoding = "utf8"): Body {
  const stored = new Uint8Array(Buffer.from(content, encoding === "gzip" ? "base64" : encoding));
  const bytes = encoding === "gzip" ? Bun.gunzipSync(stored) : stored;
  return { bytes, gzipped: lazily(() => Bun.gzipSync(bytes)) };
}

async function prepare() {
  const { pages, notFound, assets } = await handbookFiles();
  return {
    pages: new Map(
      Object.entries(pages).map(([name, text]) => [
        name,
        { body: bodyOf(text), tag: `W/"${sha256Hex(text).slice(0, 16)}"` },
      ]),
    ),
    notFound: bodyOf(notFound),
    assets: new Map(
      Object.entries(assets).map(([name, { type, content, encoding }]) => [
        name,
        { type, body: bodyOf(content, encoding) },
      ]),
    ),
  };
}

export function handbookRoutes() {
  const prepared = lazily(prepare);

  const servePage = async (request: Request, name: string) => {
    const { pages, notFound } = await prepared();
    const page = pages.get(name);
    if (page) {
      const headers = { ...PAGE_HEADERS, etag: page.tag };
      if (isKnown(request, page.tag)) return new Response(null, { status: 304, headers });
      return answer(request, page.body, 200, headers);
    }
    // Programs get the same error body as from every other route.
    if (!request.headers.get("accept")?.includes("text/html"))
      throw new AppError("NOT_FOUND", "The handbook has no such page. /docs lists every page.");
    return answer(request, notFound, 404, PAGE_HEADERS);
  };

  const serveAsset = async (request: Request, name: string) => {
    const file = (await prepared()).assets.get(name);
    if (!file) throw new AppError("NOT_FOUND", "The handbook has no such file. Reload the page that asked for it.");
    return answer(request, file.body, 200, {
      "content-type": file.type,
      "cache-control": KEPT,
      vary: "accept-encoding",
    });
  };

  return new Elysia({ name: "handbook", detail: { hide: true } })
    .get("/docs", ({ request }) => servePage(request, "index"))
    .get("/docs/", ({ redirect }) => redirect("/docs"))
    .get("/docs/assets/:file", ({ request, params }) => serveAsset(request, params.file))
    .get("/docs/:page", ({ request, params }) => servePage(request, params.page));
}

function isKnown(request: Request, tag: string): boolean {
  const known = request.headers.get("if-none-match") ?? "";
  return known.split(",").some((each) => each.trim() === tag);
}

function answer(request: Request, body: Body, status: number, headers: Record<string, string>): Response {
  const takesGzip = /\bgzip\b/.test(request.headers.get("accept-encoding") ?? "");
  return takesGzip
    ? new Response(body.gzipped(), { status, headers: { ...headers, "content-encoding": "gzip" } })
    : new Response(body.bytes, { status, headers });
}
