// Webhook endpoints and their deliveries in a real browser, with a real HTTPS receiver behind them.
/// <reference lib="dom" />
import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from "bun:test";
import { leaveNothingBehind, type Running } from "../support/binary.ts";
import { closeBrowsers, screenshot, type Visit } from "../support/browser.ts";
import { placeAndFinish, startQuick } from "../support/calls.ts";
import { closeReceivers, startReceiver, type Receiver } from "../support/receiver.ts";
import { DESKTOP, enterDemo, faultsOf, misdeeds, overflow, PHONE } from "./dashboard-visit.ts";

setDefaultTimeout(180_000);
closeBrowsers();
closeReceivers();
leaveNothingBehind();

let server: Running;
let receiver: Receiver;
beforeAll(async () => {
  receiver = startReceiver();
  server = await startQuick(receiver.env);
});

describe.each([
  ["at a desk", DESKTOP],
  ["on a phone", PHONE],
])("%s", (where, viewport) => {
  const picture = (name: string) => screenshot(visitor.page, `endpoints-${where.replaceAll(" ", "-")}-${name}`);
  let visitor: Visit;
  const dialog = () => visitor.page.getByRole("dialog");
  const openTab = (name: string) =>
    visitor.page.getByRole("navigation", { name: "Parts of this page" }).getByRole("link", { name }).click();
  const isFine = async () => {
    expect(await overflow(visitor)).toBe(0);
    expect(await faultsOf(visitor)).toEqual([]);
  };
  const isFineInTheDark = async (name: string) => {
    await visitor.page.emulateMedia({ colorScheme: "dark" });
    expect(await faultsOf(visitor)).toEqual([]);
    await picture(`${name}-dark`);
    await visitor.page.emulateMedia({ colorScheme: "light" });
  };
  beforeAll(async () => {
    receiver.answer = () => new Response("thank you");
    visitor = await enterDemo(server, "/dashboard/developers/endpoints", viewport);
  });
  afterAll(() => visitor.close());

  test("an endpoint is created, its secret shown once, and a test event shows its result", async () => {
    const { page } = visitor;
    await page.getByText("No endpoints yet.").waitFor();
    await page.getByRole("button", { name: "New endpoint" }).click();
    await dialog().getByLabel("Address (URL)").fill("https://10.0.0.1/hook");
    await dialog().getByLabel("call.completed").check();
    await dialog().getByRole("button", { name: "Add endpoint" }).click();
    await dialog().locator(".field.wrong").waitFor();
    await dialog().getByLabel("Address (URL)").fill(receiver.url);
    await picture("new");
    expect(await faultsOf(visitor)).toEqual([]);
    await dialog().getByRole("button", { name: "Add endpoint" }).click();
    expect(await page.locator(".once code").textContent()).toStartWith("whsec_");
    await page.getByRole("button", { name: "Done" }).click();
    expect(await page.getByText("whsec_").count()).toBe(0);
    await page.getByRole("button", { name: /^Send test event/ }).click();
    await page.getByText(/^Delivered: answered 200 after [\d,]+ ms/).waitFor();
    expect(receiver.received.at(-1)?.json.data["test"]).toBeTrue();
    await page.getByRole("link", { name: "1 delivered" }).waitFor();
    await picture("list");
    await isFine();
    await isFineInTheDark("list");
  });

  test("an endpoint is changed, and its secret replaced", async () => {
    const { page } = visitor;
    await page.getByRole("button", { name: /^Edit/ }).click();
    await dialog().getByLabel("Description").fill("Hospital records");
    await dialog().getByLabel("call.initiated").check();
    await dialog().getByRole("button", { name: "Save" }).click();
    await page.getByText("Hospital records").waitFor();
    await page.getByRole("button", { name: /^New secret/ }).click();
    await dialog().getByRole("button", { name: "Create new secret" }).click();
    await page.getByRole("heading", { name: "The new signing secret" }).waitFor();
    await page.getByText(/The old secret also signs until/).waitFor();
    await page.getByRole("button", { name: "Done" }).click();
  });

  test("a failed delivery shows the response, and is sent again", async () => {
    const { page } = visitor;
    receiver.answer = () => new Response("no room here", { status: 503 });
    await page.getByRole("button", { name: /^Send test event/ }).click();
    await page.getByText(/^Not delivered: Answered 503/).waitFor();
    await page.getByRole("link", { name: "Open the delivery" }).click();
    await page.waitForURL(/\/dashboard\/developers\/deliveries\?id=dlv_/);
    await dialog().getByText("Status 503").waitFor();
    await dialog().getByText("Answer", { exact: true }).click();
    await dialog().getByText("no room here").waitFor();
    const shown = await dialog().getByRole("region", { name: "Request body" }).textContent();
    const sent = receiver.received.at(-1)!.json;
    expect(JSON.parse(shown!)).toMatchObject({
      event_id: sent.event_id,
      created_at: sent.created_at,
      data: { test: true },
    });
    await picture("delivery");
    await isFine();
    await isFineInTheDark("delivery");
    receiver.answer = () => new Response("thank you");
    await dialog().getByRole("button", { name: "Send again" }).click();
    await dialog()
      .getByText(/^Delivered: answered 200/)
      .waitFor();
    await dialog().getByText("Status 200").waitFor();
    expect(receiver.received.at(-1)?.json.event_id).toBe(sent.event_id);
    await page.keyboard.press("Escape");
    await page.waitForURL(/\/deliveries$/);
  });

  test("while an endpoint is disabled events are held; once exhausted, a time range of them is replayed", async () => {
    const { page } = visitor;
    await openTab("Endpoints");
    await page.getByRole("button", { name: /^Switch off/ }).click();
    await dialog().getByRole("button", { name: "Switch off" }).click();
    await page.getByText("Switched off by hand.").waitFor();
    await placeAndFinish(server);
    await page.getByRole("link", { name: /held/ }).click();
    await page.waitForURL(/state=held/);
    const rows = page.locator("table.deliveries tbody tr");
    await rows.nth(1).waitFor();
    expect(await rows.count()).toBe(2);
    expect(await rows.first().textContent()).toContain("Held");

    await openTab("Endpoints");
    await page.getByRole("button", { name: /^Switch on/ }).click();
    await dialog().getByText("2 deliveries were held while it was off.").waitFor();
    await picture("switch-on");
    await dialog()
      .getByLabel(/^Discard it/)
      .check();
    await dialog().getByRole("button", { name: "Switch on" }).click();
    await page.getByRole("link", { name: "2 given up" }).click();
    await page.waitForURL(/state=exhausted/);

    await page.getByRole("button", { name: "Replay a time range" }).click();
    await dialog().getByText("2 deliveries were given up in this range.").waitFor();
    expect(await faultsOf(visitor)).toEqual([]);
    const before = receiver.received.length;
    await dialog().getByRole("button", { name: "Send 2 again" }).click();
    await dialog().getByText("Done: 2 sent again.").waitFor();
    await dialog()
      .getByText(/0 waiting, 0 held, 0 given up/)
      .waitFor();
    await picture("replayed");
    expect(receiver.received.length).toBe(before + 2);
    await page.keyboard.press("Escape");
    await page.getByLabel("State").selectOption({ label: "Any state" });
    await rows.nth(3).waitFor();
    await picture("deliveries");
    await isFine();
  });

  test("an endpoint is deleted, with all pending deliveries", async () => {
    const { page } = visitor;
    await openTab("Endpoints");
    await page.getByRole("button", { name: /^Delete/ }).click();
    await dialog().getByRole("button", { name: "Delete endpoint" }).click();
    await page.getByText("No endpoints yet.").waitFor();
    await openTab("Deliveries");
    await page.getByText("Nothing sent yet").waitFor();
    await isFine();
  });

  test("the browser logged no error and contacted no other host", () => {
    // Rejections are regular answers of the server, which Chromium logs as errors.
    expect(misdeeds(server, visitor).filter((text) => !/status of 4(00|22)/.test(text))).toEqual([]);
  });
});
