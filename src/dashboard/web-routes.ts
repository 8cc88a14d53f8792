// The dashboard's page and its assets. Every path below /dashboard except the API returns the same page; routing
// happens in the browser.
import { basename } from "node:path";
import { Elysia } from "elysia";
import { sha256Hex } from "../core/hmac.ts";
import { MARK_PATH } from "../http/face.ts";
import { installedAppRoutes, MANIFEST_PATH, TOUCH_ICON_PATH } from "./installed/app-routes.ts";
import { webFiles } from "./web-files.ts";

/** No inline scripts, and nothing from other origins. */
const PAGE_POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self'",
  "media-src 'self'",
  "connect-src 'self'",
  "manifest-src 'self'",
  "worker-src 'self'",
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
  const { script, styles, parts } = await webFiles();
  const asset = (content: string, name: string): Asset => ({
    path: `/dashboard/assets/${name}`,
    type: name.endsWith(".css") ? "text/css; charset=utf-8" : "text/javascript; charset=utf-8",
    plain: content,
    // Smaller than zlib in the same time.
    compressed: Bun.gzipSync(content, { library: "libdeflate", level: 8 }),
  });
  // The name contains a content hash, so that browsers can cache the file forever and still see an upgrade at once.
  const named = (content: string, ending: string) => asset(content, `${sha256Hex(content).slice(0, 16)}.${ending}`);
  const [js, css] = [named(script, "js"), named(styles, "css")];
  // The bundler names chunks by their content, and the script loads them from its own folder.
  const later = Object.entries(parts).map(([name, content]) => asset(content, name));
  // Static imports of the script are preloaded with it.
  const atOnce = later.filter(({ path }) => script.includes(`from"./${basename(path)}"`));
  const page = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>Ringward</title>
<meta name="theme-color" content="#ffffff" media="(prefers-color-scheme: light)">
<meta name="theme-color" content="#171f22" media="(prefers-color-scheme: dark)">
<link rel="icon" type="image/svg+xml" href="${MARK_PATH}">
<link rel="apple-touch-icon" href="${TOUCH_ICON_PATH}">
<link rel="manifest" href="${MANIFEST_PATH}">
<link rel="stylesheet" href="${css.path}">
${atOnce.map(({ path }) => `<link rel="modulepreload" href="${path}">\n`).join("")}<script type="module" src="${js.path}"></script>
</head>
<body><div id="app"></div><noscript>The dashboard needs JavaScript.</noscript></body>
</html>
`;
  return { page, assets: new Map([js, css, ...later].map((file) => [file.path, file])) };
}

export function dashboardPages() {
  let prepared: ReturnType<typeof prepare> | undefined;
  const files = () => (prepared ??= prepare());
  const servePage = async () =>
    new Response((await files()).page, {
      headers: {
        "content-type": "text/html; charset=utf-8",
        "content-security-policy": PAGE_POLICY,
        "cache-control": "no-store",
        "referrer-policy": "no-referrer",
      },
    });
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
    .use(installedAppRoutes())
    .get("/dashboard/assets/:file", ({ request, params }) => serveAsset(request, `/dashboard/assets/${params.file}`))
    .get("/dashboard", servePage)
    .get("/dashboard/*", servePage)
    .get("/", ({ redirect }) => redirect("/dashboard"));
}
