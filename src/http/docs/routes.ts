// /openapi.json, Swagger UI and API clients, served from the binary without requests to other hosts.
import swaggerCss from "swagger-ui-dist/swagger-ui.css" with { type: "file" };
import swaggerBundle from "swagger-ui-dist/swagger-ui-bundle.js" with { type: "file" };
import { Elysia } from "elysia";
import { faceBar } from "../face.ts";
import { pythonClient } from "./clients/python.ts";
import { typescriptClient } from "./clients/typescript.ts";
import type { OpenApiDocument } from "./document.ts";
import startScript from "./start.js" with { type: "text" };
import swaggerFace from "./swagger.css" with { type: "text" };

const PAGE = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>Ringward API</title>
<link rel="icon" type="image/svg+xml" href="favicon.svg">
<link rel="stylesheet" href="swagger/swagger-ui.css">
<link rel="stylesheet" href="face.css">
<link rel="stylesheet" href="swagger/swagger.css">
</head>
<body>
<a class="face-skip" href="#swagger-ui">Skip to the routes</a>
${faceBar("swagger", "").text}
<div id="swagger-ui" tabindex="-1"></div>
<script src="swagger/swagger-ui-bundle.js"></script>
<script src="swagger/start.js"></script>
</body>
</html>
`;

/** Swagger UI sets style attributes and uses data URLs for icons; scripts come only from this host. */
const PAGE_POLICY =
  "default-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; frame-ancestors 'none'";

/** The bundle changes only with the binary; an hour saves reloads and is short enough for upgrades. */
const CACHED = "public, max-age=3600";

/** `verify`: the sources of the function that checks signatures of webhooks, for the clients. */
export function docsRoutes(document: () => OpenApiDocument, verify: { python: string; typescript: string }) {
  let json: string | undefined;
  const serveDocument = () => {
    json ??= JSON.stringify(document());
    return new Response(json, { headers: { "content-type": "application/json", "cache-control": "no-cache" } });
  };
  const clients = new Map<string, string>();
  /** Made on the first request, from the document of this executable. */
  const serveClient = (type: string, make: () => string) => () => {
    const client = clients.get(type) ?? make();
    clients.set(type, client);
    return new Response(client, { headers: { "content-type": `${type}; charset=utf-8`, "cache-control": "no-cache" } });
  };
  const assets = new Map<string, Promise<Uint8Array<ArrayBuffer>>>();
  const asset = async (file: string, type: string, request: Request) => {
    const headers = { "content-type": type, "cache-control": CACHED, vary: "accept-encoding" };
    if (!/\bgzip\b/.test(request.headers.get("accept-encoding") ?? ""))
      return new Response(Bun.file(file), { headers });
    // Compressed on the first request and cached: 1.7 MB become 0.5 MB.
    let compressed = assets.get(file);
    if (!compressed)
      assets.set(
        file,
        (compressed = Bun.file(file)
          .bytes()
          .then((bytes) => Bun.gzipSync(bytes))),
      );
    return new Response(await compressed, { headers: { ...headers, "content-encoding": "gzip" } });
  };

  return new Elysia({ name: "docs", detail: { hide: true } })
    .get("/openapi.json", serveDocument)
    .get(
      "/docs/clients/ringward.py",
      serveClient("text/x-python", () => pythonClient(document(), verify.python)),
    )
    .get(
      "/docs/clients/ringward.ts",
      serveClient("text/plain", () => typescriptClient(document(), verify.typescript)),
    )
    .get("/swagger/json", serveDocument)
    .get(
      "/swagger",
      () =>
        new Response(PAGE, {
          headers: { "content-type": "text/html; charset=utf-8", "content-security-policy": PAGE_POLICY },
        }),
    )
    .get(
      "/swagger/start.js",
      () => new Response(startScript, { headers: { "content-type": "text/javascript; charset=utf-8" } }),
    )
    .get(
      "/swagger/swagger.css",
      () => new Response(swaggerFace, { headers: { "content-type": "text/css; charset=utf-8" } }),
    )
    .get("/swagger/swagger-ui.css", ({ request }) => asset(swaggerCss, "text/css; charset=utf-8", request))
    .get("/swagger/swagger-ui-bundle.js", ({ request }) =>
      asset(swaggerBundle, "text/javascript; charset=utf-8", request),
    );
}
