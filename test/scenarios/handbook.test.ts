// The handbook inside the executable, over HTTP.
import { afterAll, beforeAll, expect, test } from "bun:test";
import { leaveNothingBehind, startBinary, type Running } from "../support/binary.ts";

leaveNothingBehind();

let server: Running;
beforeAll(async () => {
  server = await startBinary();
});
afterAll(() => server.kill());

const get = (path: string, init: RequestInit = {}) => fetch(`${server.url}${path}`, init);
const linksOf = (html: string) => [...html.matchAll(/(?:href|src)="([^"#]+)/g)].map(([, href = ""]) => href);

test("the table of contents leads to pages, and every linked page, file and image exists", async () => {
  const contents = await get("/docs");
  expect(contents.status).toBe(200);
  expect(contents.headers.get("content-security-policy")).toContain("default-src 'none'");
  const pages = new Set(linksOf(await contents.text()).filter((href) => href.startsWith("/docs")));
  expect([...pages]).toEqual(expect.arrayContaining(["/docs/getting-started", "/docs/proofs", "/docs/webhooks"]));
  const seen = new Set<string>();
  for (const page of pages) {
    const response = await get(page);
    expect(`${page} ${response.status}`).toBe(`${page} 200`);
    const type = response.headers.get("content-type") ?? "";
    if (type.startsWith("text/html")) for (const href of linksOf(await response.text())) seen.add(href);
  }
  for (const href of seen) {
    if (!href.startsWith("/")) continue;
    expect(`${href} ${(await get(href)).status}`).toBe(`${href} 200`);
  }
});

test("a page is revalidated at every visit, its assets are cached", async () => {
  const page = await get("/docs/operation");
  expect(page.headers.get("cache-control")).toBe("no-cache");
  const etag = page.headers.get("etag") ?? "";
  const known = await get("/docs/operation", { headers: { "if-none-match": etag } });
  expect([known.status, await known.text()]).toEqual([304, ""]);
  const text = await page.text();
  expect(text).toContain('<h1 id="operation">Operation</h1>');
  const files = linksOf(text).filter((href) => href.startsWith("/docs/assets/"));
  expect(files.length).toBeGreaterThan(1);
  for (const file of files)
    expect((await get(file)).headers.get("cache-control")).toBe("public, max-age=31536000, immutable");
});

test("the search index has sections of every page", async () => {
  const [, index = ""] = /data-index="([^"]+)"/.exec(await (await get("/docs")).text()) ?? [];
  const response = await get(index);
  expect(response.headers.get("content-type")).toBe("application/json");
  const entries = (await response.json()) as { page: string; heading: string; text: string }[];
  expect(entries.length).toBeGreaterThan(100);
  expect(entries.some(({ page, heading }) => page === "/docs/commands" && heading === "ringward doctor")).toBeTrue();
});

test("HEAD returns the headers of GET and no body", async () => {
  const head = await get("/docs/proofs", { method: "HEAD" });
  expect([head.status, head.headers.get("content-type"), await head.text()]).toEqual([
    200,
    "text/html; charset=utf-8",
    "",
  ]);
  expect(head.headers.get("etag")).toBe((await get("/docs/proofs")).headers.get("etag"));
});

test("an unknown page is 404: HTML for browsers, the error body for programs", async () => {
  const forBrowsers = await get("/docs/nothing", { headers: { accept: "text/html" } });
  expect([forBrowsers.status, forBrowsers.headers.get("content-type")]).toEqual([404, "text/html; charset=utf-8"]);
  expect(await forBrowsers.text()).toContain("Page not found");
  const forPrograms = await get("/docs/nothing");
  expect(forPrograms.status).toBe(404);
  expect(await forPrograms.json()).toMatchObject({ error: { code: "NOT_FOUND" } });
  for (const path of ["/docs/assets/nothing.js", "/docs/%2e%2fetc", "/docs/a/b", "/docs/constructor"])
    expect(`${path} ${(await get(path)).status}`).toBe(`${path} 404`);
});
