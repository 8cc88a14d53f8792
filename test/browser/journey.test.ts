// From the first start to a completed call with its webhook delivered, as a new owner does it: every step in a real
// browser, on a desktop and on a phone.
import { describe, expect, test } from "bun:test";
import { leaveNothingBehind, startBinary } from "../support/binary.ts";
import { closeBrowsers, screenshot, visit } from "../support/browser.ts";
import { QUICK } from "../support/calls.ts";
import { closeReceivers, startReceiver } from "../support/receiver.ts";
import { DESKTOP, misdeeds, overflow, PHONE } from "./dashboard-visit.ts";

closeBrowsers();
closeReceivers();
leaveNothingBehind();

describe.each([
  ["a desk", DESKTOP],
  ["a telephone", PHONE],
] as const)("on %s", (name, viewport) => {
  test("a new owner gets from the printed link to a delivered event", async () => {
    const receiver = startReceiver();
    const server = await startBinary({ demo: false, env: { ...QUICK, ...receiver.env } });
    const [, code = ""] = /setup#(\S{20,}),/.exec(server.output()) ?? [];
    const visitor = await visit(`${server.url}/dashboard/setup#${code}`, viewport);
    const { page } = visitor;
    const dialog = page.getByRole("dialog");
    const menu = page.getByRole("navigation", { name: "Menu" });
    const open = async (place: string) => {
      const isBehindMore = viewport === PHONE && !["Today", "Calls", "People", "Calendar"].includes(place);
      if (isBehindMore) await menu.getByRole("button", { name: "More" }).click();
      await menu.getByRole("link", { name: place }).click();
    };

    await page.getByLabel("Name of the hospital").fill("St. Mary");
    await page.getByLabel("Your name").fill("Kamala");
    await page.getByLabel("Your e-mail address").fill("owner@hospital.example");
    await page.getByLabel("Password").fill("correct horse battery");
    await page.getByRole("button", { name: "Finish setup" }).click();
    await page.getByText("0 of 5 done").waitFor();

    await open("Agents");
    await page.getByRole("link", { name: "New agent" }).first().click();
    await page.getByLabel("Name", { exact: true }).fill("Asha");
    await page.getByLabel("Greeting", { exact: true }).fill("Hello {{user_name}}, this is Asha.");
    // A new agent calls from 09:00 to 20:00; this test runs at any hour.
    await page.getByLabel("Call only at these hours").uncheck();
    await page.getByRole("button", { name: "Create agent" }).click();
    await page.getByRole("heading", { level: 1, name: "Asha" }).waitFor();
    await page.getByRole("link", { name: "All agents" }).click();
    await page.getByRole("button", { name: "Add number" }).first().click();
    await dialog.getByLabel("Phone number").fill("+15555550190");
    await dialog.getByRole("button", { name: "Add number" }).click();
    await page.getByLabel("Agent of +15555550190").selectOption({ label: "Asha" });

    await open("Developers");
    await page.getByRole("navigation", { name: "Parts of this page" }).getByRole("link", { name: "Endpoints" }).click();
    await page.getByRole("button", { name: "New endpoint" }).first().click();
    await dialog.getByLabel("Address (URL)").fill(receiver.url);
    await dialog.getByLabel("call.completed").check();
    await dialog.getByRole("button", { name: "Add endpoint" }).click();
    await page.getByRole("button", { name: "Done" }).click();

    await open("Agents");
    await page.getByRole("link", { name: "Asha" }).first().click();
    await page.getByRole("button", { name: "Place a test call" }).click();
    await dialog.getByLabel("Phone number").fill("+1 555 201 0100");
    await dialog.getByLabel("Name of the contact").fill("Test Patient");
    await dialog.getByRole("button", { name: "Place the call" }).click();
    await dialog.getByRole("link", { name: "Open the call" }).click();
    await page.getByText("Completed").first().waitFor();
    await page.getByText("Hello Test Patient, this is Asha.").first().waitFor();
    await page.getByText("delivered", { exact: false }).first().waitFor();
    expect(receiver.received.map(({ json }) => json.event_type)).toEqual(["call.completed"]);
    expect(await overflow(visitor)).toBe(0);
    await screenshot(page, `journey-${viewport.width}`);

    await open("Overview");
    await page.getByText(/[45] of 5 done/).waitFor();
    expect({ name, misdeeds: misdeeds(server, visitor) }).toEqual({ name, misdeeds: [] });
    await server.stop();
  }, 180_000);
});
