// Manifest, service worker and offline page of the installed dashboard: public, without data, replaced by an upgrade.
import { afterAll, beforeAll, expect, test } from "bun:test";
import { createTestApp, type TestApp } from "../support/test-app.ts";

let testApp: TestApp;
beforeAll(async () => void (testApp = await createTestApp()));
afterAll(() => testApp.close());

const get = async (path: string) => {
  const response = await testApp.app.handle(new Request(`http://localhost${path}`));
  return { headers: response.headers, status: response.status, text: await response.text() };
};

test("the page names the manifest and the icons, and its policy allows both and the worker", async () => {
  const { text, headers } = await get("/dashboard");
  for (const path of ["/dashboard/manifest.webmanifest", "/dashboard/icons/touch-icon.png"]) {
    expect(text).toContain(`href="${path}"`);
    expect((await get(path)).status).toBe(200);
  }
  expect(text.match(/<meta name="theme-color"/g)).toHaveLength(2);
  expect(headers.get("content-security-policy")).toContain("manifest-src 'self'; worker-src 'self'");
});

test("the worker covers the whole dashboard, and browsers look for a new one at every load", async () => {
  const { headers } = await get("/dashboard/worker.js");
  expect(headers.get("service-worker-allowed")).toBe("/dashboard");
  expect(headers.get("cache-control")).toBe("no-cache");
});

test("the offline page is complete in itself, and its policy allows its own script and style alone", async () => {
  const { text, headers } = await get("/dashboard/offline");
  expect(text).not.toMatch(/\s(?:src|href)=/);
  const hashOf = (tag: string) => {
    const [, content = ""] = new RegExp(`<${tag}>([\\s\\S]*?)</${tag}>`).exec(text) ?? [];
    return `'sha256-${new Bun.CryptoHasher("sha256").update(content).digest("base64")}'`;
  };
  const policy = headers.get("content-security-policy")!;
  expect(policy).toContain(`script-src ${hashOf("script")};`);
  expect(policy).toContain(`style-src ${hashOf("style")};`);
  expect(policy).not.toMatch(/unsafe|https?:/);
});

test("an unknown icon is not found", async () => {
  for (const name of ["nothing.png", "constructor"]) expect((await get(`/dashboard/icons/${name}`)).status).toBe(404);
});
