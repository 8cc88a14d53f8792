import { describe, expect, test } from "bun:test";
import { EVENT_TYPES, EVENTS } from "../../../src/events/catalogue.ts";
import { verifierRoutes } from "../../../src/events/verifier-routes.ts";
import { durationWords } from "../../../src/events/verifier/duration-words.ts";
import { SNIPPETS } from "../../../src/events/verifier/snippets.ts";
import { makeVectors, TOLERANCE_SECONDS } from "../../../src/events/verifier/vectors.ts";

const routes = verifierRoutes();
const get = (path: string) => routes.handle(new Request(`http://localhost${path}`));
const page = await (await get("/docs/webhooks")).text();

/** Visible text: no tags, entities resolved, whitespace collapsed. */
function textOf(markup: string): string {
  const entities: Record<string, string> = { amp: "&", lt: "<", gt: ">", quot: '"', "#39": "'" };
  const plain = markup
    .replaceAll(/<[^>]*>/g, "")
    .replaceAll(/&(\w+|#39);/g, (whole, name: string) => entities[name] ?? whole);
  return plain.replaceAll(/\s+/g, " ");
}

describe("the page", () => {
  test("is HTML under a policy that allows no scripts", async () => {
    const { status, headers } = await get("/docs/webhooks");
    expect(status).toBe(200);
    expect(headers.get("content-type")).toBe("text/html; charset=utf-8");
    expect(headers.get("content-security-policy")).toStartWith("default-src 'none'; style-src 'self';");
    expect(page).not.toMatch(/<script|<style|\sstyle=|\son\w+=/i);
  });

  test("lists the events, each with its trigger", () => {
    expect(EVENT_TYPES).toHaveLength(15);
    for (const type of EVENT_TYPES) expect(textOf(page)).toMatch(new RegExp(`${type} ?${EVENTS[type].firedWhen}`));
  });

  test("states when attempts are made and how long an answer may take", () => {
    for (const words of [
      "2xx within 8 seconds",
      "at once 30 seconds after attempt 1 2 minutes after attempt 2 10 minutes after attempt 3 1 hour after attempt 4",
      "both secrets sign for 24 hours",
      "accepts the second, 30 seconds later",
      "more than 5 minutes away",
      "After 50 failed attempts",
    ]) {
      expect(textOf(page.replaceAll("</li>", " "))).toContain(words);
    }
  });

  test("shows every snippet unchanged, with the first one open", () => {
    for (const { code, language } of SNIPPETS) {
      const block = new RegExp(`aria-label="${language}[^>]*><code>([^<]*)</code>`).exec(page)?.[1];
      expect(textOf(block!)).toBe(textOf(code.replaceAll("&", "&amp;").replaceAll("<", "&lt;")));
    }
    expect(page.match(/<details [^>]*open/g)).toHaveLength(1);
  });

  test("links only to existing targets", async () => {
    const links = [...page.matchAll(/href="([^"]+)"/g)].map(([, href]) => href!);
    const ids = new Set([...page.matchAll(/ id="([^"]+)"/g)].map(([, id]) => id));
    expect(links.filter((href) => href.startsWith("#") && !ids.has(href.slice(1)))).toEqual([]);
    const ours = links.filter((href) => href.startsWith("/docs/"));
    expect(ours).toContain("/docs/webhooks/page.css");
    // Style sheet, vectors, and the page itself in the bar.
    expect(ours.length).toBe(3 + SNIPPETS.length);
    for (const href of ours) expect(`${href} ${(await get(href)).status}`).toBe(`${href} 200`);
  });
});

test("serves the vectors as they are generated", async () => {
  const response = await get("/docs/webhooks/vectors.json");
  expect(response.headers.get("content-type")).toBe("application/json");
  expect(await response.json()).toEqual(makeVectors());
});

describe("every snippet", () => {
  test.each(SNIPPETS.map((snippet) => [snippet.fileName, snippet] as const))(
    "%s downloads as plain text",
    async (fileName, { code }) => {
      const response = await get(`/docs/webhooks/${fileName}`);
      expect(response.headers.get("content-type")).toBe("text/plain; charset=utf-8");
      expect(await response.text()).toBe(code);
    },
  );

  test("contains the tolerance of the vectors and says to use the raw bytes", () => {
    for (const { code } of SNIPPETS) {
      expect(code).toMatch(new RegExp(`tolerance_?seconds = ${TOLERANCE_SECONDS}\\b`, "i"));
      expect(code).toMatch(/the bytes as they arrived/i);
    }
  });

  test("is for a different language", () => {
    expect(SNIPPETS.map(({ language }) => language)).toEqual(["TypeScript", "Python", "Go", "Java", "PHP", "C#"]);
  });
});

test("the routes are not in the API document", () => {
  expect(routes.routes.length).toBe(3 + SNIPPETS.length);
  for (const { hooks } of routes.routes) expect(hooks).toMatchObject({ detail: { hide: true } });
});

test.each([
  [30_000, "30 seconds"],
  [90_000, "90 seconds"],
  [120_000, "2 minutes"],
  [3_600_000, "1 hour"],
  [86_400_000, "24 hours"],
  [1, "1 millisecond"],
  [1_500, "1500 milliseconds"],
])("%p ms in words is %p", (ms, words) => {
  expect(durationWords(ms)).toBe(words);
});
