// The table of pages, and what is made from it.
import { describe, expect, test } from "bun:test";
import {
  firstPage,
  isEnough,
  isPageOpen,
  isTabOpen,
  MENU,
  PAGES,
  pathOf,
  tabsOf,
  type PageName,
} from "../../src/web/pages.ts";
import { en } from "../../src/web/words/en.ts";
import { hi } from "../../src/web/words/hi.ts";

const names = Object.keys(PAGES) as PageName[];

test("no two pages have the same address", () => {
  expect(new Set(names.map((name) => PAGES[name].path)).size).toBe(names.length);
});

test("an address without parameters comes before those that would match it as well", () => {
  const routes = names.map((name) => PAGES[name].path);
  const fixed = routes.filter((path) => !path.includes(":"));
  for (const path of fixed) {
    const open = routes.findIndex((route) =>
      new RegExp(`^${route.replaceAll(/\/:\w+\?/g, "(/[^/]+)?").replaceAll(/:\w+/g, "[^/]+")}$`).test(path),
    );
    expect(routes[open]).toBe(path);
  }
});

test("the menu leads to addresses without parameters, and says each in every language", () => {
  expect(MENU.map(({ path }) => path)).toEqual(
    names.filter((name) => "menu" in PAGES[name]).map((name) => pathOf(name)),
  );
  for (const { path, icon } of MENU) {
    expect(path).toMatch(/^\/dashboard\/[a-z]+$/);
    for (const words of [en, hi]) expect(words.shared.navigation[icon]).not.toBe("");
  }
});

test("a tab has an address below its page, and the role that opens it", () => {
  expect(tabsOf("developers").at(-1)).toEqual({ name: "docs", role: "viewer", path: "/dashboard/developers/docs" });
});

describe("a role is enough", () => {
  test.each([
    ["owner", "staff", true],
    ["staff", "staff", true],
    ["viewer", "staff", false],
    ["viewer", "viewer", true],
  ] as const)("%s for what needs %s: %p", (role, required, expected) => {
    expect(isEnough(role, required)).toBe(expected);
  });
});

describe("a person's pages", () => {
  const pagesOf = (role: Parameters<typeof isEnough>[0], is_bound = false) =>
    names.filter((name) => isPageOpen({ role, is_bound }, name));
  const tabsOpen = (role: Parameters<typeof isEnough>[0], is_bound = false) =>
    tabsOf("settings").flatMap((tab) => (isTabOpen({ role, is_bound }, tab) ? [tab.name] : []));

  test("are a few for doctors and auditors, and their first page is one of them", () => {
    expect(pagesOf("doctor")).toEqual(["appointments", "calls", "call", "settings"]);
    expect(pagesOf("auditor")).toEqual(["agents", "settings"]);
    expect(tabsOpen("doctor")).toEqual(["account"]);
    expect(tabsOpen("auditor")).toContain("audit");
    expect(tabsOpen("auditor")).not.toContain("do-not-disturb");
    for (const role of ["owner", "staff", "viewer", "doctor", "auditor"] as const)
      expect(pagesOf(role)).toContain(firstPage({ role, is_bound: false }));
  });

  test("are the same for staff with branches, but for those about the whole organisation", () => {
    const closed = pagesOf("staff").filter((name) => !pagesOf("staff", true).includes(name));
    expect(closed).toEqual(["overview"]);
    expect(tabsOpen("staff").filter((name) => !tabsOpen("staff", true).includes(name))).toEqual([
      "do-not-disturb",
      "folders",
    ]);
    expect(pagesOf("owner")).not.toContain("appointments");
  });
});
