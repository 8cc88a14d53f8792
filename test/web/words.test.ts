// Every word of the interface stands in one catalogue per language.
import { describe, expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { plainFault } from "../../src/web/plain-fault.ts";
import { en } from "../../src/web/words/en.ts";
import { hi } from "../../src/web/words/hi.ts";
import { bestOf } from "../../src/web/language.ts";
import { ownTextOf, pathsOf, textsOf, unusedIn } from "../support/web-words.ts";

/** Texts that stay English in the Hindi dashboard. The list may only shrink. */
const NO_HINDI_YET: readonly (keyof typeof en)[] = [];

const WEB = join(import.meta.dir, "../../src/web");
const sources = new Map(
  [...new Bun.Glob("**/*.{ts,tsx}").scanSync(WEB)]
    .map((file) => file.replaceAll("\\", "/"))
    .filter((file) => !/^words\/[a-z]{2}\b/.test(file))
    .toSorted()
    .map((file) => [file, readFileSync(join(WEB, file), "utf8")] as const),
);

describe("the pages", () => {
  test("use every word of the catalogue", () => {
    expect(sources.size).toBeGreaterThan(100);
    expect(unusedIn(sources, en)).toEqual([]);
  }, 180_000);

  test("hold no text of their own", () => {
    const found = [...sources].flatMap(([file, source]) => ownTextOf(source).map((text) => `${file}: ${text}`));
    expect(found).toEqual([]);
  }, 180_000);
});

describe("Hindi", () => {
  test("has exactly the words of English", () => {
    expect(pathsOf(hi).toSorted()).toEqual(pathsOf(en).toSorted());
  });

  test("is Hindi", () => {
    const english = textsOf(hi).filter(
      ({ text }) => /(?:[a-z]{2,} ){2}[a-z]{2,}/i.test(text) && !/\p{sc=Deva}/u.test(text),
    );
    expect(english.filter(({ path }) => !NO_HINDI_YET.some((area) => path.startsWith(`${area}.`)))).toEqual([]);
  });

  test("is there, but for what is named above", () => {
    const missing = Object.keys(en).filter((area) => hi[area as keyof typeof en] === en[area as keyof typeof en]);
    expect(missing).toEqual(NO_HINDI_YET.toSorted());
  });
});

test.each([
  [["hi-IN", "en"], "hi"],
  [["HI"], "hi"],
  [["ta", "hi"], "hi"],
  [["fr-FR"], "en"],
  [[], "en"],
] as const)("a browser that asks for %j reads %s", (wanted, read) => {
  expect(bestOf(wanted, ["en", "hi"])).toBe(read);
});

describe("text in a page is found", () => {
  test.each([
    ["between tags", "show(<p>you</p>)", ["you"]],
    ["beside a value", "show(<p>Hello {name}!</p>)", ["Hello "]],
    ["in a label", 'show(<TextField label="name" />)', ["name"]],
    ["in an ARIA label", 'show(<a aria-label="close" />)', ["close"]],
    ["in a constant", 'const title = "Two words";', ["Two words"]],
    ["in a template", "say(`${name} is saved.`)", [" is saved."]],
    ["in a template within one", "say(`${a ? `Not saved` : b}`)", ["Not saved"]],
  ])("%s", (_, source, found) => {
    expect(ownTextOf(source)).toEqual(found);
  });

  test("and nothing else is taken for it", () => {
    const source = `import { a } from "./words of-a.ts"; // Some words
      const b = <p class="card wide" role="alert" aria-label={words.title}>{words.text} · {/"Some words"/.test(b)}</p>;
      if (key === "ArrowDown") throw new Error("Only a developer reads this.");`;
    expect(ownTextOf(source.replace(/^.*\n/, ""))).toEqual([]);
  });
});

test("a word that no page says is found, wherever the others are said", () => {
  const catalogue = { calls: { title: "", gone: "", states: { a: "", b: "" }, whole: { c: "" } } };
  const pages = new Map([
    ["words.ts", "export const said = make();"],
    ["calls/words.ts", "export const words = said.calls;"],
    [
      "calls/page.tsx",
      'import { words } from "./words.ts";\nshow(words.title.length, words.states[x], ...words.whole);',
    ],
  ]);
  expect(unusedIn(pages, catalogue)).toEqual(["calls.gone"]);
});

test.each([
  ["max_slots must be from 1 to 500.", "This must be from 1 to 500."],
  ["name must have 1 to 200 characters.", "This must have 1 to 200 characters."],
  ["Give user_number or contact_number.", "Give user number or contact number."],
  ["People are booked at this branch.", "People are booked at this branch."],
])("a fault is told without the API's names: %s", (message, shown) => {
  expect(plainFault(message)).toBe(shown);
});
