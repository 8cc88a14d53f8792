// An unknown address: a page for browsers, JSON for programs.
import { afterAll, beforeAll, expect, test } from "bun:test";
import { createTestApp, type TestApp } from "../support/test-app.ts";

const BROWSER = "text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8";

let testApp: TestApp;
beforeAll(async () => void (testApp = await createTestApp()));
afterAll(() => testApp.close());

const open = (path: string, headers: Record<string, string> = { accept: BROWSER }, method = "GET") =>
  testApp.app.handle(new Request(`http://localhost${path}`, { method, headers }));

test("a browser gets a page, without a script and with a way back", async () => {
  for (const path of ["/nowhere", "/favicon.ico", "/public/nothing/here"]) {
    const response = await open(path);
    const text = await response.text();
    expect([path, response.status, response.headers.get("content-type")]).toEqual([
      path,
      404,
      "text/html; charset=utf-8",
    ]);
    expect(response.headers.get("content-security-policy")).toStartWith("default-src 'none'; style-src 'self'");
    expect(text).toContain("Page not found");
    expect(text).toContain('href="/dashboard"');
    expect(text).not.toMatch(/<script|<style|\sstyle=|\son\w+=/i);
  }
});

test("the page speaks the browser's language", async () => {
  const response = await open("/nowhere", { accept: BROWSER, "accept-language": "hi-IN,hi;q=0.9,en;q=0.8" });
  const text = await response.text();
  expect(text).toContain('<html lang="hi">');
  expect(text).toContain("पेज नहीं मिला");
});

test.each([
  ["/nowhere", {}, "GET"],
  ["/nowhere", { accept: "*/*" }, "GET"],
  ["/nowhere", { accept: BROWSER }, "POST"],
  // Java's default asks for HTML too.
  ["/v1/nowhere", { accept: "text/html, image/gif, image/jpeg, */*; q=.2" }, "GET"],
  ["/dashboard/api/nowhere", { accept: BROWSER }, "GET"],
] as const)("a program gets JSON: %s %p %s", async (path, headers, method) => {
  const response = await open(path, { ...headers }, method);
  expect([response.status, response.headers.get("content-type")]).toEqual([404, "application/json;charset=utf-8"]);
  expect(((await response.json()) as { error: { code: string } }).error.code).toBe("NOT_FOUND");
});
