import { describe, expect, test } from "bun:test";
import { search, wordsOf, type Entry } from "../../src/handbook/search.ts";

const entry = (heading: string, text: string, title = "Operation"): Entry => ({
  page: "/docs/operation",
  title,
  heading,
  anchor: heading.toLowerCase(),
  text,
});

const ENTRIES = [
  entry("Logs", "A certificate is mentioned here: certificate, certificate."),
  entry("Certificate", "How TLS works."),
  entry("Backup", `${"filler ".repeat(60)}The key is kept apart. ${"more ".repeat(60)}`),
];
const headings = (query: string) => search(ENTRIES, query).map(({ entry: { heading } }) => heading);

describe("search", () => {
  test("puts headings before text", () => {
    expect(headings("certificate")).toEqual(["Certificate", "Logs"]);
  });

  test("wants every word, in any order and case", () => {
    expect(headings("APART key")).toEqual(["Backup"]);
    expect(headings("key certificate")).toEqual([]);
  });

  test("shows the text around the word", () => {
    const [hit] = search(ENTRIES, "apart");
    expect(hit?.excerpt).toStartWith("… filler ");
    expect(hit?.excerpt).toEndWith("more …");
    expect(hit?.excerpt).toContain("The key is kept apart.");
    expect(hit?.excerpt.length).toBeLessThan(180);
  });

  test("takes what is typed as text", () => {
    expect(headings("(.*)")).toEqual([]);
    expect(headings("   ")).toEqual([]);
  });

  test("is bounded in words and results", () => {
    expect(wordsOf("a ".repeat(100))).toHaveLength(8);
    const many = Array.from({ length: 100 }, (_, index) => entry(`h${index}`, "word"));
    expect(search(many, "word")).toHaveLength(20);
  });
});
