// The dashboard's page and its two files. Every path below /dashboard is the same page: the browser finds its way.
import { Elysia } from "elysia";
import { AppError } from "../core/errors.ts";
import { sha256Hex } from "../core/hmac.ts";
import { MARK_PATH } from "../http/mark.ts";
import { webFiles } from "./web-files.ts";

/** No inline script, nothing from elsewhere. */
const PAGE_POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self'",
  "media-src 'self'",
  "connect-src 'self'",
  "manifest-src 'none'",
  "base-uri 'none'",
  "form-action 'self'",
  "frame-ancestors 'none'",
].join("; ");

interface Asset {
  path: string;
  type: string;
  plain: string;
  compressed: Uint8Array<ArrayBuffer>;
}

async function prepare(): Promise<{ page: string; assets: Map<string, Asset> }> {
  const { script, styles } = await webFiles();
  // The name changes with the content, so a browser may keep it for ever and an upgrade is seen at once.
  const asset = (content: string, ending: string, type: string): Asset => ({
    path: `/dashboard/assets/${sha256Hex(content).slice(0, 16)}.${ending}`,
    type,
    plain: content,
    compressed: Bun.gzipSync(content),
  });
  const [js, css] = [
    asset(script, "js", "text/javascript; charset=utf-8"),
    asset(styles, "css", "text/css; charset=utf-8"),
  ];
  const page = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>Ringward</title>
<link rel="icon" type="image/svg+xml" href="${MARK_PATH}">
<link rel="stylesheet" href="${css.path}">
<script type="module" src="${js.path}"></script>
</head>
<body><div id="app"></div><noscript>The dashboard needs JavaScript.</noscript></body>
</html>
`;
  return { page, assets: new Map([js, css].map((file) => [file.path, file])) };
}

export function dashboardPages() {
  let prepared: ReturnType<typeof prepare> | undefined;
  const files = () => (prepared ??= prepare());
  const servePage = async ({ path }: { path: string }) => {
    // A page that loads data from an address that is gone must hear so, not get a page.
    if (path.startsWith("/dashboard/api/")) throw new AppError("NOT_FOUND", "There is nothing at this address.");
    return new Response((await files()).page, {
      headers: {
        "content-type": "text/html; charset=utf-8",
        "content-security-policy": PAGE_POLICY,
        "cache-control": "no-store",
        "referrer-policy": "no-referrer",
      },
    });
  };
  const serveAsset = async (request: Request, path: string) => {
    const file = (await files()).assets.get(path);
    if (!file) return new Response("Gone: reload the page.", { status: 404 });
    const headers = {
      "content-type": file.type,
      "cache-control": "public, max-age=31536000, immutable",
      vary: "accept-encoding",
    };
    const takesGzip = /\bgzip\b/.test(request.headers.get("accept-encoding") ?? "");
    return takesGzip
      ? new Response(file.compressed, { headers: { ...headers, "content-encoding": "gzip" } })
      : new Response(file.plain, { headers });
  };

  return new Elysia({ name: "dashboard-pages", detail: { hide: true } })
    .get("/dashboard/assets/:file", ({ request, params }) => serveAsset(request, `/dashboard/assets/${params.file}`))
    .get("/dashboard", servePage)
    .get("/dashboard/*", servePage)
    .get("/", ({ redirect }) => redirect("/dashboard"));
}
