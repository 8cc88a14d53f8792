// Every field for a phone number takes ten digits, a leading 0, spaces, dashes and brackets, and shows the complete
// number before it is used.
/// <reference lib="dom" />
import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from "bun:test";
import type { Locator } from "playwright-core";
import { en } from "../../src/web/words/en.ts";
import { hi } from "../../src/web/words/hi.ts";
import { leaveNothingBehind, type Running } from "../support/binary.ts";
import { closeBrowsers, screenshot, type Visit } from "../support/browser.ts";
import { startQuick } from "../support/calls.ts";
import { DESKTOP, enterDemo, faultsOf, misdeeds, overflow, PHONE } from "./dashboard-visit.ts";

setDefaultTimeout(180_000);
closeBrowsers();
leaveNothingBehind();

let server: Running;
beforeAll(async () => void (server = await startQuick()));

const GROUPED = "+91\u00a098765\u00a043210";

describe.each([
  ["at a desk", DESKTOP, en, "en"],
  ["on a phone, in Hindi", PHONE, hi, "hi"],
] as const)("%s", (where, viewport, words, language) => {
  let visitor: Visit;
  beforeAll(async () => {
    visitor = await enterDemo(server, "/dashboard", viewport);
    await visitor.page.addInitScript((spoken) => {
      Object.defineProperty(navigator, "languages", { get: () => [spoken] });
    }, language);
  });
  afterAll(() => visitor.close());

  const open = (path: string) => visitor.page.goto(`${server.url}/dashboard/${path}`);
  const button = (name: string) => visitor.page.getByRole("button", { name }).first();

  async function completes(field: Locator, name: string): Promise<void> {
    for (const text of ["098765 43210", "98765-43210", "(98765) 43210"]) {
      await field.fill(text);
      await visitor.page.getByText(words.shared.common.completeNumber(GROUPED)).waitFor();
    }
    expect(await overflow(visitor)).toBe(0);
    expect(await faultsOf(visitor)).toEqual([]);
    await screenshot(visitor.page, `typed-numbers-${where.replaceAll(/\W+/g, "-")}-${name}`);
  }

  test("a new call", async () => {
    const { page } = visitor;
    await open("calls");
    await button(words.calls.newCall.title).click();
    const dialog = page.getByRole("dialog");
    await completes(dialog.getByLabel(words.calls.newCallForm.number, { exact: true }), "new-call");
    await dialog.getByLabel(words.calls.newCallForm.agent, { exact: true }).selectOption({ index: 1 });
    await dialog.getByRole("button", { name: words.calls.newCallForm.check }).click();
    await dialog.getByText(GROUPED).waitFor();
  });

  test("the do-not-disturb list", async () => {
    const { page } = visitor;
    await open("settings/do-not-disturb");
    await completes(page.getByLabel(words.settings.doNotDisturbTab.number, { exact: true }), "do-not-disturb");
    await button(words.settings.doNotDisturbTab.add).click();
    await page.getByRole("rowheader", { name: "98765" }).first().waitFor();
    await page.getByRole("button", { name: words.settings.doNotDisturbTab.removeNumber("+919876543210") }).waitFor();
  });

  test("a hold", async () => {
    await open("settings/holds");
    await button(words.settings.holdsTab.add).click();
    await completes(
      visitor.page.getByRole("dialog").getByLabel(words.settings.holdsTab.number, { exact: true }),
      "hold",
    );
  });

  test("the waiting list", async () => {
    await open("calendar/waiting");
    await button(words.waiting.add).click();
    await completes(visitor.page.getByRole("dialog").getByLabel(words.waiting.number, { exact: true }), "waiting");
  });

  test("the transfer target of an agent, and its test call", async () => {
    const { page } = visitor;
    await open(`agents/${server.demo["agent_id"]}`);
    await completes(page.getByLabel(words.agents.agentRules.transferTo, { exact: true }), "transfer");
    await page.getByLabel(words.agents.agentRules.transferTo, { exact: true }).fill("201");
    await page.getByText(words.agents.agentRules.transferHint).waitFor();
    await button(words.agents.agentEditor.testCall).click();
    await completes(page.getByRole("dialog").getByLabel(words.agents.testCall.number, { exact: true }), "test-call");
    expect(misdeeds(server, visitor)).toEqual([]);
  });
});
