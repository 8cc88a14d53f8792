// The first view of the pages that people start on, with the dashboard's files in the cache of the browser: on a slow
// line each request costs a round trip, so their number and size are bounded.
/// <reference lib="dom" />
import { beforeAll, expect, setDefaultTimeout, test } from "bun:test";
import type { Page } from "playwright-core";
import { leaveNothingBehind, startBinary, type Running } from "../support/binary.ts";
import { closeBrowsers, type Visit } from "../support/browser.ts";
import { enterDemo } from "./dashboard-visit.ts";

setDefaultTimeout(180_000);
closeBrowsers();
leaveNothingBehind();

/** The page itself has 1,100 bytes, the answers of an empty hospital 1,100 to 2,700, with headers. */
const MOST_BYTES = 6_000;
/** Stays open, and tells of changes. */
const STREAM = "/dashboard/api/changes";

let server: Running;
let visitor: Visit;
beforeAll(async () => {
  server = await startBinary();
  visitor = await enterDemo(server, "/dashboard");
}, 180_000);

interface Transfers {
  /** Addresses without their query, in order. */
  paths: string[];
  bytes: number;
}

/** Opens `path` and returns what came over the line until the page has its content. */
async function transfersOf(page: Page, path: string): Promise<Transfers> {
  const session = await page.context().newCDPSession(page);
  await session.send("Network.enable");
  const asked = new Map<string, string>();
  let bytes = 0;
  session.on("Network.requestWillBeSent", ({ requestId, request }) => asked.set(requestId, request.url));
  session.on("Network.requestServedFromCache", ({ requestId }) => asked.delete(requestId));
  session.on("Network.loadingFinished", ({ requestId, encodedDataLength }) => {
    if (asked.has(requestId)) bytes += encodedDataLength;
  });
  await page.goto(`${server.url}${path}`);
  await page.locator("main h1").waitFor();
  await page.waitForFunction(() => document.querySelector(".skeleton") === null);
  await session.detach();
  const paths = [...asked.values()].map((url) => new URL(url).pathname);
  return { paths: paths.filter((each) => each !== STREAM), bytes };
}

test.each(["/dashboard", "/dashboard/overview", "/dashboard/today", "/dashboard/calls"])(
  "%s needs itself and one request",
  async (path) => {
    const { page } = visitor;
    // Fills the cache of the browser.
    await transfersOf(page, path);
    const { paths, bytes } = await transfersOf(page, path);
    expect(paths).toEqual([path, "/dashboard/api/first-view"]);
    expect(bytes).toBeWithin(500, MOST_BYTES);
  },
);
