// The page that verifies proofs: from the appliance, and saved on a disk without a network.
/// <reference lib="dom" />
import { afterAll, beforeAll, expect, setDefaultTimeout, test } from "bun:test";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { ask } from "../support/api-client.ts";
import { leaveNothingBehind, tempFolder, type Running } from "../support/binary.ts";
import { closeBrowsers, visit, type Visit } from "../support/browser.ts";
import { placeAndFinish, startQuick } from "../support/calls.ts";
import { storedCount } from "../support/stored-rows.ts";
import { until } from "../support/until.ts";
import { faultsOf, overflow, PHONE } from "./dashboard-visit.ts";

setDefaultTimeout(120_000);
closeBrowsers();
leaveNothingBehind();

let server: Running;
let proofs: string;
const files: Record<string, string> = {};
beforeAll(async () => {
  server = await startQuick();
  for (let calls = 1; calls <= 2; calls++) {
    await placeAndFinish(server);
    await until(() => storedCount(server.dataDir, "proofs") === calls);
  }
  const textOf = async (path: string) => (await ask(server, "GET", path)).text;
  proofs = await textOf("/v1/proofs");
  const folder = tempFolder();
  const texts = {
    proofs,
    changed: proofs.replace('"simulated":true', '"simulated":false'),
    cut: proofs.slice(0, proofs.indexOf("\n") + 1),
    marked: `\ufeff${proofs}`,
    blank: " \n",
    nothing: "",
    keys: await textOf("/v1/proofs/key"),
    head: await textOf("/v1/proofs/head"),
    page: await (await fetch(`${server.url}/docs/verify-proofs`)).text(),
  };
  for (const [name, text] of Object.entries(texts)) {
    files[name] = join(folder, name === "page" ? "page.html" : `${name}.json`);
    writeFileSync(files[name], text);
  }
});
afterAll(() => server.kill());

async function resultOf({ page }: Visit, chosen: { proofs: string; keys?: string; head?: string }): Promise<string> {
  await page.reload();
  for (const [id, name] of Object.entries(chosen)) await page.locator(`#${id}`).setInputFiles(files[name]!);
  await page.getByRole("button", { name: "Verify" }).click();
  const result = page.getByRole("status");
  await until(async () => (await result.textContent()) !== "");
  return (await result.textContent()) ?? "";
}

test.each([
  ["from the appliance", () => `${server.url}/docs/verify-proofs`, false],
  ["saved and offline", () => `file://${files["page"]!}`, true],
])("the page %s finds valid proofs valid, and names what is wrong with others", async (_, address, isOffline) => {
  const visitor = await visit(address(), PHONE);
  await visitor.context.setOffline(isOffline && !address().startsWith("http"));
  const all = { keys: "keys", head: "head" };
  expect(await resultOf(visitor, { proofs: "proofs", ...all })).toBe("Valid: 2 proofs.");
  expect(await resultOf(visitor, { proofs: "cut", keys: "keys" })).toBe("Valid: 1 proof.");
  expect(await resultOf(visitor, { proofs: "proofs" })).toMatch(
    /^Valid: 2 proofs\. Compare the key with the appliance's: [0-9a-f]{64}\.$/,
  );
  expect(await resultOf(visitor, { proofs: "changed", ...all })).toBe(
    "Not valid: the content does not match its hash.",
  );
  expect(await resultOf(visitor, { proofs: "cut", ...all })).toBe(
    "Not valid: the record that the head names is missing: records were cut off at the end.",
  );
  for (const empty of ["blank", "nothing"]) {
    expect(await resultOf(visitor, { proofs: "cut", keys: "keys", head: empty })).toBe("Not valid: the head is empty.");
    expect(await resultOf(visitor, { proofs: "proofs", keys: empty })).toBe("Not valid: the keys have no public key.");
  }
  expect(await resultOf(visitor, { proofs: "marked", ...all })).toStartWith("Not valid: ");
  expect(await resultOf(visitor, { proofs: "keys" })).toStartWith("Not valid: ");
  expect(await overflow(visitor)).toBe(0);
  expect(visitor.complaints).toEqual([]);
  // It loads itself, and nothing else.
  expect(new Set(visitor.requests)).toEqual(new Set([address()]));
  await visitor.close();
});

test("the page is accessible", async () => {
  const visitor = await visit(`${server.url}/docs/verify-proofs`);
  // The policy of the page forbids scripts of others: axe comes in by the developer protocol.
  expect(await faultsOf(visitor)).toEqual([]);
  await visitor.close();
});
