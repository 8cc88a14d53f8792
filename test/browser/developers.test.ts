// The Developers pages in a real browser: API keys, the inbound hook and the documentation.
/// <reference lib="dom" />
import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from "bun:test";
import { leaveNothingBehind, runBinary, type Running } from "../support/binary.ts";
import { closeBrowsers, screenshot, visit, type Visit } from "../support/browser.ts";
import { startQuick } from "../support/calls.ts";
import { DESKTOP, enterDemo, faultsOf, misdeeds, overflow, PHONE } from "./dashboard-visit.ts";

setDefaultTimeout(180_000);
closeBrowsers();
leaveNothingBehind();

let server: Running;
beforeAll(async () => {
  // With history, so the receiver has deliveries to show.
  server = await startQuick({ RINGWARD_DEMO__HISTORY: "true" });
});

describe.each([
  ["at a desk", DESKTOP],
  ["on a phone", PHONE],
])("%s", (where, viewport) => {
  const picture = (name: string) => screenshot(visitor.page, `developers-${where.replaceAll(" ", "-")}-${name}`);
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
    await isFine();
    await picture(`${name}-dark`);
    await visitor.page.emulateMedia({ colorScheme: "light" });
  };
  beforeAll(async () => {
    visitor = await enterDemo(server, "/dashboard/developers", viewport);
    await visitor.context.grantPermissions(["clipboard-read", "clipboard-write"]);
  });
  afterAll(() => visitor.close());

  test("the demo's receiver shows what arrived, that it verifies, and how to check it", async () => {
    const { page } = visitor;
    await openTab("Receiver");
    // The list grows while the history is generated.
    await page.locator("tbody tr").nth(9).waitFor();
    await picture("receiver");
    await isFine();
    // New rows push this one down, so a click at its place could miss it.
    await page.getByRole("link", { name: "call.completed" }).first().press("Enter");
    await dialog().getByText("Verified").waitFor();
    const headers = await dialog().getByRole("region", { name: "Headers" }).textContent();
    expect(headers).toMatch(/x-webhook-signature: v1=\S{44}\n/);
    expect(await dialog().getByRole("region", { name: "Body" }).textContent()).toContain('"simulated":true');
    await dialog()
      .getByRole("link", { name: /six languages/ })
      .waitFor();
    await isFine();
    await isFineInTheDark("received");
    await dialog().getByRole("button", { name: "Close" }).click();
    await page.getByRole("navigation", { name: "Parts of this page" }).getByRole("link", { name: "API keys" }).click();
  });

  test("a key is created with scopes and an expiry date, shown once, works, and is revoked", async () => {
    const { page } = visitor;
    const name = `Ward system ${where}`;
    await page.getByRole("button", { name: "New key" }).click();
    await dialog().getByLabel("Name").fill(name);
    await dialog().getByRole("button", { name: "Create key" }).click();
    await dialog().getByRole("alert").first().waitFor();
    await dialog().getByLabel("calls:read Read and list calls").check();
    await dialog().getByLabel("Last day").fill("2099-12-31");
    await picture("new-key");
    expect(await faultsOf(visitor)).toEqual([]);
    await dialog().getByRole("button", { name: "Create key" }).click();
    const key = (await page.locator(".once code").textContent())!;
    await page.getByRole("button", { name: "Copy", exact: true }).click();
    expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(key);
    const asks = async () => (await fetch(`${server.url}/v1/calls`, { headers: { "x-api-key": key } })).status;
    expect(await asks()).toBe(200);
    const row = page.locator(".item", { hasText: name });
    expect(await row.textContent()).toContain("1 Jan 2100, 00:00:00");
    await picture("keys");
    await isFine();
    await page.getByRole("button", { name: "Done" }).click();
    expect(await page.getByText(key).count()).toBe(0);
    await page.getByRole("button", { name: `Revoke ${name}` }).click();
    await dialog().getByRole("button", { name: "Revoke", exact: true }).click();
    await row.getByText("Revoked").first().waitFor();
    expect(await asks()).toBe(401);
  });

  test("the inbound hook gets a new address, a signature and a command that works in a shell", async () => {
    const { page } = visitor;
    await openTab("Inbound hook");
    await page.getByRole("button", { name: "Create new address" }).click();
    await dialog().getByRole("button", { name: "Create new address" }).click();
    const address = await page.locator(".once code").first().textContent();
    expect(address).toStartWith(`${server.demo["base_url"]}/v1/hooks/`);
    expect((await fetch(server.demo["hook_url"]!, { method: "POST", body: "{}" })).status).toBe(401);
    await page.getByLabel("Require a signature on every request").check();
    await page.getByText("Requests without a valid signature are now refused.").waitFor();
    const code = page.getByRole("region", { name: "Try it" });
    await code.getByText("SIGNATURE").waitFor();
    await picture("hook");
    await isFine();
    const shell = Bun.spawnSync(["sh", "-c", (await code.textContent())!]);
    expect(JSON.parse(shell.stdout.toString())).toMatchObject({ data: { status: "scheduled" } });
    await page.getByLabel("Require a signature on every request").uncheck();
    await page.getByText("Requests are now accepted without a signature.").waitFor();
    await page.reload();
    await page.getByText(/^\d+ of 20,000/).waitFor();
    expect(await page.getByText(address!).count()).toBe(0);
    await isFineInTheDark("hook");
  });

  test("the documentation is linked", async () => {
    const { page } = visitor;
    await openTab("Documentation");
    for (const link of ["Open Swagger UI", "Open the webhook guide", "Open the handbook"]) {
      const href = await page.getByRole("link", { name: link }).getAttribute("href");
      expect((await fetch(`${server.url}${href}`)).status).toBe(200);
    }
    await picture("docs");
    await isFine();
  });

  test("the browser logged no error and contacted no other host", () => {
    // Rejections are regular answers of the server, which Chromium logs as errors.
    expect(misdeeds(server, visitor).filter((text) => !/status of 4(00|22)/.test(text))).toEqual([]);
  });
});

test("a viewer sees only the documentation, and sees agents read-only", async () => {
  const viewer = ["--email", "viewer@example.test", "--name", "Viewer", "--role", "viewer"];
  const made = await runBinary(["people", "create", ...viewer, "--data", server.dataDir], {
    stdin: "correct horse battery\n",
  });
  expect(made).toMatchObject({ code: 0, stderr: "" });
  const visitor = await visit(`${server.url}/dashboard/developers/keys`, PHONE);
  const { page } = visitor;
  await page.getByLabel("E-mail address").fill("viewer@example.test");
  await page.getByLabel("Password").fill("correct horse battery");
  await page.getByRole("button", { name: "Sign in" }).click();
  await page.getByRole("link", { name: "Open Swagger UI" }).waitFor();
  expect(
    await page.getByRole("navigation", { name: "Parts of this page" }).getByRole("link").allTextContents(),
  ).toEqual(["Documentation"]);
  await page.getByRole("button", { name: "More" }).click();
  await page.getByRole("link", { name: "Agents" }).click();
  await page.getByRole("link", { name: "Asha" }).click();
  await page.getByLabel("Name", { exact: true }).waitFor();
  expect(await page.getByLabel("Name", { exact: true }).isDisabled()).toBeTrue();
  expect(await page.getByLabel("Prompt", { exact: true }).isDisabled()).toBeTrue();
  // Older versions can be read but not restored.
  await page.getByRole("button", { name: "Show" }).first().waitFor();
  expect(await page.getByRole("button").allTextContents()).toEqual(["More", "Sign out", "Show"]);
  expect(await faultsOf(visitor)).toEqual([]);
  expect(misdeeds(server, visitor)).toEqual([]);
  await visitor.close();
});
