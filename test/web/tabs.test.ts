import { expect, test } from "bun:test";
import { tabAt } from "../../src/web/tabs.ts";

const ALL = [{ name: "keys" }, { name: "docs" }, { name: "audit" }];
const [, docs, audit] = ALL;
const offered = [docs!, audit!];

test.each([
  ["the one in the address", "audit", audit],
  ["the first where the address names none", undefined, docs],
  ["the first one that is for this person", "keys", docs],
  ["none for a name that no tab has", "constructor", null],
] as const)("%s", (_, name, expected) => expect(tabAt(name, ALL, offered)).toBe(expected ?? null));
