// A browser as a visitor has it: Debian's Chromium, a new profile for each visit. It notes every request and every
// complaint.
import { afterAll } from "bun:test";
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { chromium, type Browser, type BrowserContext, type Page } from "playwright-core";
import { chromiumPath } from "../../scripts/debian-packages.ts";

const FLAGS = [
  "--no-sandbox",
  "--disable-gpu",
  "--disable-quic",
  "--no-first-run",
  "--disable-background-networking",
  "--disable-component-update",
  "--disable-sync",
];

/** Playwright's own 30 s are too few beside three other test files on two cores. Below the runner's limit per test. */
export const PATIENCE_MS = 120_000;

export interface Visit {
  page: Page;
  context: BrowserContext;
  /** The address of every request that the browser made. */
  requests: string[];
  /** Errors in the console, uncaught exceptions, failed requests and violations of the content security policy. */
  complaints: string[];
  close(): Promise<void>;
}

let browser: Promise<Browser> | null = null;

/** One for all visits of a file: to start it takes as long as a visit. */
const started = (): Promise<Browser> =>
  (browser ??= chromium.launch({
    executablePath: chromiumPath() ?? "chromium-headless-shell",
    headless: true,
    args: FLAGS,
  }));

/** For the top of a browser test file: no browser outlives it. */
export function closeBrowsers(): void {
  afterAll(async () => {
    await (await browser)?.close();
    browser = null;
  });
}

export async function visit(url: string, viewport = { width: 1280, height: 900 }): Promise<Visit> {
  const context = await (await started()).newContext({ viewport, ignoreHTTPSErrors: url.startsWith("https:") });
  context.setDefaultTimeout(PATIENCE_MS);
  const requests: string[] = [];
  const complaints: string[] = [];
  context.on("request", (request) => requests.push(request.url()));
  context.on("requestfailed", (request) =>
    complaints.push(`failed: ${request.url()} ${request.failure()?.errorText ?? ""}`),
  );
  const page = await context.newPage();
  page.on("pageerror", (error) => complaints.push(`exception: ${error.message}`));
  // Chromium reports a violated policy as an error in the console.
  page.on("console", (message) => {
    if (message.type() === "error" || message.type() === "warning")
      complaints.push(`${message.type()}: ${message.text()}`);
  });
  await page.goto(url);
  return { page, context, requests, complaints, close: () => context.close() };
}

/** Leaves a picture for a person where SCREENSHOT_DIR names a folder. */
export async function screenshot(page: Page, name: string): Promise<void> {
  const folder = process.env["SCREENSHOT_DIR"];
  if (folder === undefined) return;
  mkdirSync(folder, { recursive: true });
  await page.screenshot({ path: join(folder, `${name}.png`) });
}
