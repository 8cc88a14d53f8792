// The dashboard as an installed app: manifest, and a page of ours while the appliance does not answer.
/// <reference lib="dom" />
import { afterAll, beforeAll, expect, test } from "bun:test";
import { leaveNothingBehind, startBinary, type Running } from "../support/binary.ts";
import { closeBrowsers, type Visit } from "../support/browser.ts";
import { enterDemo } from "./dashboard-visit.ts";

closeBrowsers();
leaveNothingBehind();

let server: Running;
let visitor: Visit;
beforeAll(async () => {
  server = await startBinary();
  visitor = await enterDemo(server, "/dashboard");
}, 180_000);
afterAll(() => visitor.close());

/** Addresses of everything that the service worker stored. */
const stored = () =>
  visitor.page.evaluate(async () => {
    const names = await caches.keys();
    const all = await Promise.all(names.map(async (name) => (await caches.open(name)).keys()));
    return all.flat().map(({ url }) => new URL(url).pathname);
  });

test("the manifest names icons that exist in their sizes", async () => {
  const path = await visitor.page.locator('link[rel="manifest"]').getAttribute("href");
  const manifest = (await (await fetch(`${server.url}${path!}`)).json()) as {
    start_url: string;
    display: string;
    icons: { src: string; sizes: string; type: string }[];
  };
  expect(manifest).toMatchObject({ start_url: "/dashboard", display: "standalone" });
  for (const { src, sizes, type } of manifest.icons) {
    const response = await fetch(`${server.url}${src}`);
    expect([src, response.status, response.headers.get("content-type")]).toEqual([src, 200, type]);
    if (type !== "image/png") continue;
    const bytes = Buffer.from(await response.arrayBuffer());
    // Width and height of a PNG: bytes 16 to 23.
    expect([src, `${bytes.readUInt32BE(16)}x${bytes.readUInt32BE(20)}`]).toEqual([src, sizes]);
  }
});

test("the service worker stores the offline page alone, also after pages with patients", async () => {
  const { page } = visitor;
  await page.evaluate(async () => void (await navigator.serviceWorker.ready));
  for (const path of ["/dashboard/people", "/dashboard/calls"]) {
    await page.goto(`${server.url}${path}`);
    await page.locator("h1").waitFor();
  }
  expect(await stored()).toEqual(["/dashboard/offline"]);
}, 180_000);

test("without the appliance it opens with a clear sign, in the reader's language, and returns by itself", async () => {
  const { page } = visitor;
  const { port, dataDir } = server;
  await page.evaluate(() => localStorage.setItem("ringward-language", "hi"));
  await server.stop();
  await page.goto(`${server.url}/dashboard/calls`);
  await page.getByRole("heading", { name: "Ringward से जवाब नहीं मिल रहा" }).waitFor();
  await page.evaluate(() => localStorage.removeItem("ringward-language"));
  await page.reload();
  await page.getByRole("heading", { name: "The appliance does not answer" }).waitFor();
  server = await startBinary({ port, dataDir });
  await page.getByRole("heading", { name: "Calls", level: 1 }).waitFor();
}, 300_000);

test("sign-out keeps the worker and stores nothing else", async () => {
  const { page } = visitor;
  await page.getByRole("button", { name: "Sign out" }).click();
  await page.getByRole("heading", { name: "Sign in" }).waitFor();
  expect(await page.evaluate(async () => (await navigator.serviceWorker.getRegistrations()).length)).toBe(1);
  expect(await stored()).toEqual(["/dashboard/offline"]);
}, 180_000);
