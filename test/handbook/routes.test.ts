// /docs as it is served, from source. test/scenarios/handbook.test.ts asks the executable.
import { describe, expect, test } from "bun:test";
import { Elysia } from "elysia";
import { verifierRoutes } from "../../src/events/verifier-routes.ts";
import { handbookRoutes } from "../../src/handbook/routes.ts";
import { buildHandbook } from "../../src/handbook/build-handbook.ts";

// As in compose/http.ts.
const routes = new Elysia({ strictPath: true }).use(verifierRoutes()).use(handbookRoutes());
const get = (path: string, headers: Record<string, string> = {}) =>
  routes.handle(new Request(`http://localhost${path}`, { headers }));
const { pages, assets } = await buildHandbook(new URL("../../src/handbook", import.meta.url).pathname);

const linksOf = (html: string) => [...html.matchAll(/(?:href|src)="([^"]+)"/g)].map(([, href = ""]) => href);
const idsOf = (html: string) => new Set([...html.matchAll(/ id="([^"]+)"/g)].map(([, id = ""]) => id));

describe("every page", () => {
  test.each(Object.keys(pages))("%s links to what is served, and to headings that exist", (name) => {
    const html = pages[name] ?? "";
    const dead = linksOf(html).filter((href) => {
      if (/^https:|^\/(?:favicon\.svg|dashboard|swagger|openapi\.json)$/.test(href)) return false;
      const [path = "", anchor] = href.split("#");
      if (path.startsWith("/docs/assets/")) return !(path.slice("/docs/assets/".length) in assets);
      if (
        ["/docs/webhooks", "/docs/verify-proofs", "/docs/clients/ringward.py", "/docs/clients/ringward.ts"].includes(
          path,
        )
      )
        return false;
      const target = path === "" ? html : pages[path === "/docs" ? "index" : path.replace("/docs/", "")];
      return target === undefined || (anchor !== undefined && anchor !== "main" && !idsOf(target).has(anchor));
    });
    expect(dead).toEqual([]);
  });

  test.each(Object.keys(pages))("%s is in the contents, marked where it is open", (name) => {
    const html = pages[name] ?? "";
    const listed = linksOf(html.slice(html.indexOf('<nav aria-label="Contents">'), html.indexOf("</nav>")));
    const others = Object.keys(pages).filter((other) => other !== "index");
    expect(listed.filter((href) => href.startsWith("/docs/")).toSorted()).toEqual(
      others.map((other) => `/docs/${other}`).toSorted(),
    );
    expect(html.match(/aria-current="page"/g)?.length ?? 0).toBe(name === "index" ? 0 : 1);
  });

  test("has no inline script, style or handler", () => {
    for (const html of Object.values(pages)) expect(html).not.toMatch(/<script>|<style|\sstyle="|\son\w+="/i);
  });
});

describe("a request", () => {
  test("for /docs answers the contents under a policy that lets only our own script run", async () => {
    const response = await get("/docs");
    expect(response.status).toBe(200);
    expect(response.headers.get("content-type")).toBe("text/html; charset=utf-8");
    expect(response.headers.get("content-security-policy")).toStartWith("default-src 'none'; script-src 'self';");
    expect(response.headers.get("cache-control")).toBe("no-cache");
    expect(await response.text()).toBe(pages["index"] ?? "");
  });

  test("for a page that the browser has is answered 304", async () => {
    const etag = (await get("/docs/operation")).headers.get("etag") ?? "";
    expect(etag).toMatch(/^W\/"[0-9a-f]{16}"$/);
    expect((await get("/docs/operation", { "if-none-match": `"x", ${etag}` })).status).toBe(304);
    expect((await get("/docs/operation", { "if-none-match": '"x"' })).status).toBe(200);
  });

  test("that takes gzip gets the same page compressed", async () => {
    const response = await get("/docs/operation", { "accept-encoding": "br, gzip" });
    expect(response.headers.get("content-encoding")).toBe("gzip");
    expect(new TextDecoder().decode(Bun.gunzipSync(await response.bytes()))).toBe(pages["operation"] ?? "");
  });

  test("for /docs/ is led to /docs", async () => {
    const response = await get("/docs/");
    expect([response.status, response.headers.get("location")]).toEqual([302, "/docs"]);
  });

  test("for an unknown page gets a page from a browser's accept", async () => {
    const response = await get("/docs/nothing", { accept: "text/html,*/*" });
    expect(response.status).toBe(404);
    expect(await response.text()).toContain("Page not found");
  });

  test("for the webhook reference is answered by it", async () => {
    expect(await (await get("/docs/webhooks")).text()).toContain("Receiving webhooks");
  });

  test("for an asset may be kept for ever", async () => {
    for (const [name, { type }] of Object.entries(assets)) {
      const response = await get(`/docs/assets/${name}`);
      expect(response.headers.get("content-type")).toBe(type);
      expect(response.headers.get("cache-control")).toBe("public, max-age=31536000, immutable");
    }
    expect(Object.values(assets).map(({ type }) => type)).toContain("image/png");
  });
});

test("the search index has every section with its text", async () => {
  const name = Object.keys(assets).find((each) => each.endsWith(".json")) ?? "";
  const entries = (await (await get(`/docs/assets/${name}`)).json()) as {
    page: string;
    anchor: string;
    text: string;
  }[];
  expect(entries).toContainEqual(
    expect.objectContaining({ page: "/docs/operation", anchor: "tls", text: expect.stringContaining("SIGHUP") }),
  );
  expect(new Set(entries.map(({ page }) => page)).size).toBe(Object.keys(pages).length);
});
