// The calendar page on an empty appliance, and for a viewer.
/// <reference lib="dom" />
import { expect, test } from "bun:test";
import { ask } from "../support/api-client.ts";
import { leaveNothingBehind, runBinary, startBinary } from "../support/binary.ts";
import { closeBrowsers, visit } from "../support/browser.ts";
import { misdeeds } from "./dashboard-visit.ts";

closeBrowsers();
leaveNothingBehind();

test("a viewer sees the same, without any controls", async () => {
  const server = await startBinary();
  const { data } = await ask(server, "GET", "/v1/appointment-slots/availability");
  const [place] = data as unknown as [{ slot_id: string; date: string }];
  await ask(server, "POST", "/v1/appointments", { body: { slot_id: place.slot_id, contact_name: "Test Patient One" } });
  const password = "correct horse battery";
  const args = ["people", "create", "--email", "viewer@example.test", "--name", "Viewer", "--role", "viewer"];
  const { code } = await runBinary([...args, "--data", server.dataDir], { stdin: `${password}\n` });
  expect(code).toBe(0);
  const visitor = await visit(`${server.url}/dashboard/calendar?day=${place.date}`);
  const { page } = visitor;
  await page.getByLabel(/e-mail/i).fill("viewer@example.test");
  await page.getByLabel(/password/i).fill(password);
  await page.getByRole("button", { name: "Sign in" }).click();
  await page.getByRole("button", { name: "Test Patient One", exact: true }).waitFor();
  const buttons = await page.locator("main button").allTextContents();
  expect(buttons).toEqual(["Test Patient One"]);
  expect(misdeeds(server, visitor)).toEqual([]);
}, 180_000);

test("an appliance without a branch asks for the first one, and then for a window", async () => {
  const empty = await startBinary({ demo: false });
  const code = /setup#(\S+?),/.exec(empty.output())?.[1] ?? "";
  const setup = {
    code,
    organisation: "Test Hospital",
    time_zone: "Asia/Kolkata",
    email: "owner@example.test",
    name: "Owner",
    password: "correct horse battery",
  };
  const stranger = await visit(`${empty.url}/dashboard/setup#${code}`);
  const { page } = stranger;
  const headers = { "content-type": "application/json", "x-ringward-dashboard": "1" };
  const answer = await page.request.post(`${empty.url}/dashboard/api/setup`, { headers, data: setup });
  expect(answer.status()).toBe(200);
  await page.goto(`${empty.url}/dashboard/calendar`);
  await page.getByText("Add your first branch").waitFor();
  await page.getByLabel("Name of the branch").fill("Main branch");
  await page.getByRole("button", { name: "Add branch" }).click();
  await page.getByText("This branch has no windows yet.").waitFor();
  expect(await page.getByLabel("Branch").locator("option").allTextContents()).toEqual(["Main branch"]);
  await page.locator(".cal-overview").getByRole("button", { name: "New window" }).click();
  await page.getByRole("button", { name: "Create window" }).click();
  await page.locator(".cal-window").waitFor();
  expect(misdeeds(empty, stranger)).toEqual([]);
}, 180_000);
