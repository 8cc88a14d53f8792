// The Agents page in a real browser, as staff use it at a desk and on a phone.
/// <reference lib="dom" />
import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from "bun:test";
import { leaveNothingBehind, type Running } from "../support/binary.ts";
import { closeBrowsers, screenshot, type Visit } from "../support/browser.ts";
import { startQuick } from "../support/calls.ts";
import { DESKTOP, enterDemo, faultsOf, misdeeds, overflow, PHONE } from "./dashboard-visit.ts";

setDefaultTimeout(180_000);
closeBrowsers();
leaveNothingBehind();

let server: Running;
beforeAll(async () => {
  server = await startQuick();
});

describe.each([
  ["at a desk", DESKTOP],
  ["on a phone", PHONE],
])("%s", (where, viewport) => {
  const picture = (name: string) => screenshot(visitor.page, `agents-${where.replaceAll(" ", "-")}-${name}`);
  const agentName = `Meera ${where}`;
  let visitor: Visit;
  beforeAll(async () => {
    visitor = await enterDemo(server, "/dashboard/agents", viewport);
  });
  afterAll(() => visitor.close());

  test("the list shows each agent with its number, and fits", async () => {
    const { page } = visitor;
    await page.getByRole("link", { name: "Asha" }).waitFor();
    expect(await page.locator(".agent-row", { hasText: "Asha" }).textContent()).toContain("+15555550190");
    expect(await overflow(visitor)).toBe(0);
    expect(await faultsOf(visitor)).toEqual([]);
    await picture("list");
  });

  test("an agent is created with hours, retries and a branch to book at", async () => {
    const { page } = visitor;
    await page.getByRole("link", { name: "New agent" }).click();
    await page.getByLabel("Name", { exact: true }).fill(agentName);
    await page.getByLabel("Greeting", { exact: true }).fill("Hello {{user_name}}, this is {{agent_name}}.");
    await page.getByLabel("Prompt", { exact: true }).fill("Ask about {{ visit }}.\n");
    await page.getByLabel("Retries", { exact: true }).fill("2");
    await page.getByLabel("Minutes in between").fill("45");
    await page.getByLabel("No answer").check();
    await page.getByLabel("Open announcements").check();
    await page.getByLabel("Call only at these hours").check();
    await page.getByLabel("Monday").uncheck();
    await page.getByLabel("From").fill("10:00");
    await page.getByLabel("Branch").selectOption({ label: "Main branch" });
    await page.getByLabel("Service").selectOption({ label: "General consultation" });
    await page.getByRole("button", { name: "Create agent" }).click();
    await page.getByRole("heading", { level: 1, name: agentName }).waitFor();
    await page.waitForURL(/\/dashboard\/agents\/agt_/);
    await page.reload();
    await page.getByRole("heading", { level: 1, name: agentName }).waitFor();
    expect(await page.getByLabel("Minutes in between").inputValue()).toBe("45");
    expect(await page.getByLabel("No answer").isChecked()).toBeTrue();
    expect(await page.getByLabel("Open announcements").isChecked()).toBeTrue();
    expect(await page.getByLabel("Monday").isChecked()).toBeFalse();
    expect(await page.getByLabel("Tuesday").isChecked()).toBeTrue();
    expect(await page.getByLabel("From").inputValue()).toBe("10:00");
    await page.getByLabel("Branch").getByRole("option", { name: "Main branch" }).waitFor({ state: "attached" });
    expect(
      await page.getByLabel("Branch").evaluate((select: HTMLSelectElement) => select.selectedOptions[0]?.text),
    ).toBe("Main branch");
  });

  test("placeholders are highlighted in place, and the preview shows which have no value", async () => {
    const { page } = visitor;
    expect(await page.locator(".template-marks mark").allTextContents()).toEqual([
      "{{user_name}}",
      "{{agent_name}}",
      "{{ visit }}",
    ]);
    const isAligned = await page.locator(".template-box").evaluateAll((boxes) =>
      boxes.every((box) => {
        const [marks, field] = [box.children[0], box.children[1] as HTMLTextAreaElement];
        return marks?.clientWidth === field.clientWidth && field.scrollHeight <= field.clientHeight;
      }),
    );
    expect(isAligned).toBeTrue();
    const missing = page.locator(".missing code");
    await missing.first().waitFor();
    expect(await missing.allTextContents()).toEqual(["{{user_name}}", "{{visit}}"]);
    await page.getByLabel("user_name", { exact: true }).fill("Ravi");
    await page.getByLabel("visit", { exact: true }).fill("the check-up");
    await page.getByText("Every placeholder has a value.").waitFor();
    expect(await page.locator(".preview blockquote").allTextContents()).toEqual([
      `Hello Ravi, this is ${agentName}.`,
      "Ask about the check-up.\n",
    ]);
    expect(await overflow(visitor)).toBe(0);
    expect(await faultsOf(visitor)).toEqual([]);
    await picture("editor");
    await page.emulateMedia({ colorScheme: "dark" });
    expect(await faultsOf(visitor)).toEqual([]);
    await picture("editor-dark");
    await page.emulateMedia({ colorScheme: "light" });
  });

  test("a change rejected by the server stays in the form, with the reason at its field", async () => {
    const { page } = visitor;
    await page.getByRole("combobox", { name: "Language", exact: true }).fill("not a language");
    await page.getByRole("button", { name: "Save changes" }).click();
    await page.locator(".field.wrong", { hasText: "language tag" }).waitFor();
    expect(await page.getByRole("combobox", { name: "Language", exact: true }).inputValue()).toBe("not a language");
    await page.getByRole("button", { name: "Discard" }).click();
    await page.getByText("All changes saved").waitFor();
    expect(await page.getByRole("combobox", { name: "Language", exact: true }).inputValue()).toBe("en-IN");
  });

  test("a number is added, given more lines and assigned to the agent", async () => {
    const { page } = visitor;
    const number = viewport === PHONE ? "+15555550196" : "+15555550195";
    await page.getByRole("link", { name: "All agents" }).click();
    await page.getByRole("button", { name: "Add number" }).click();
    await page.getByRole("dialog").getByLabel("Phone number").fill("12345");
    await page.getByRole("dialog").getByRole("button", { name: "Add number" }).click();
    await page.getByRole("dialog").locator(".field.wrong").waitFor();
    await page
      .getByRole("dialog")
      .getByLabel("Phone number")
      .fill(`${number.slice(0, 5)} ${number.slice(5)}`);
    await page.getByRole("dialog").getByRole("button", { name: "Add number" }).click();
    await page.getByLabel(`Agent of ${number}`).selectOption({ label: agentName });
    await page.locator(".agent-row", { hasText: agentName }).getByText(number).waitFor();
    await page.getByLabel(`Lines of ${number}`).fill("3");
    await page.getByRole("button", { name: `Save lines: ${number}` }).click();
    await page.getByText("now carries up to 3 calls at once").waitFor();
    await page.reload();
    await page.getByLabel(`Lines of ${number}`).waitFor();
    expect(await page.getByLabel(`Lines of ${number}`).inputValue()).toBe("3");
  });

  test("a test call is started, followed to its end, and links to its page", async () => {
    const { page } = visitor;
    await page.getByRole("link", { name: "Asha" }).click();
    await page.getByRole("button", { name: "Place a test call" }).click();
    const dialog = page.getByRole("dialog");
    await dialog.getByLabel("Phone number").fill(viewport === PHONE ? "+1 555 201 0100" : "+1 555 202 0100");
    await dialog.getByLabel("Name of the contact").fill("Test Patient");
    await dialog.getByLabel("{{doctor}}").fill("Dr. Example");
    expect(await faultsOf(visitor)).toEqual([]);
    await picture("test-call");
    await dialog.getByRole("button", { name: "Place the call" }).click();
    await dialog.getByText("Completed").waitFor();
    await picture("test-call-done");
    expect(await dialog.getByRole("link", { name: "Open the call" }).getAttribute("href")).toMatch(
      /^\/dashboard\/calls\/[\w-]+$/,
    );
    await page.keyboard.press("Escape");
    await dialog.waitFor({ state: "hidden" });
  });

  test("the address of an unknown agent says so", async () => {
    const { page } = visitor;
    await page.goto(`${server.url}/dashboard/agents/agt_nobody`);
    await page.getByText("There is no agent with this address.").waitFor();
    expect(await faultsOf(visitor)).toEqual([]);
  });

  test("the browser logged no error and contacted no other host", () => {
    // The two rejections above are regular answers of the server, which Chromium logs as errors.
    const faults = misdeeds(server, visitor).filter((text) => !/status of 4(00|22)/.test(text));
    expect(faults).toEqual([]);
  });
});
