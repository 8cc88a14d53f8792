// The line section of a call in a real browser: statistics in words, the ladder diagram, both downloads, and hanging
// up.
/// <reference lib="dom" />
import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from "bun:test";
import { readFileSync } from "node:fs";
import { silentLogger } from "../../src/core/logger.ts";
import { saveLine } from "../../src/calls/life/line-store.ts";
import { openDatabase } from "../../src/db/database.ts";
import { leaveNothingBehind, type Running } from "../support/binary.ts";
import { closeBrowsers, type Visit } from "../support/browser.ts";
import { callIn, finished, numberEnding, place, readCall, startQuick } from "../support/calls.ts";
import type { TurnTimes } from "../../src/payloads/turn-times.ts";
import { LADDER, lineRow, ONE_WAY_SOUND, REFUSED_LADDER, trunkRow } from "../support/line-data.ts";
import { readPcap } from "../telephony/read-pcap.ts";
import { complaintsOf, expectFit } from "./calls-visit.ts";
import { DESKTOP, enterDemo, PHONE } from "./dashboard-visit.ts";

setDefaultTimeout(180_000);
closeBrowsers();
leaveNothingBehind();

let server: Running;
const ids = { talked: "", oneWay: "", busy: "", simulated: "" };

/** A greeting, an answer delayed by a slow voice, and a fast one that the contact interrupted. */
const TURNS = JSON.stringify([
  { ...turn(0), speech_end: null, stt_start: null, stt_final: null, commit: 0, tts_first: 0, rtp_first: 40 },
  { ...turn(6_000), tts_first: 6_900, rtp_first: 6_915 },
  { ...turn(14_000), interrupted_at: 16_000 },
]);

function turn(atMs: number): TurnTimes {
  return {
    speech_end: atMs,
    stt_start: atMs + 210,
    stt_final: atMs + 430,
    commit: atMs + 460,
    llm_start: atMs + 461,
    llm_first: atMs + 463,
    tts_first: atMs + 500,
    rtp_first: atMs + 515,
    interrupted_at: null,
  };
}

/** The rows that a trunk would have written. */
async function seedLines(dataDir: string): Promise<void> {
  const db = await openDatabase({ dataDir }, { logger: silentLogger, as: "command" });
  const { id: organisationId } = await db.reader.selectFrom("organisations").select("id").executeTakeFirstOrThrow();
  const trunk = trunkRow(organisationId);
  await db.write(async (tx) => {
    await tx.insertInto("trunks").values(trunk).execute();
    await saveLine(tx, lineRow(ids.talked, { trunk_id: trunk.id }));
    await tx.updateTable("call_results").set({ turn_times: TURNS }).where("call_id", "=", ids.talked).execute();
    await saveLine(tx, lineRow(ids.oneWay, { trunk_id: trunk.id, media: JSON.stringify(ONE_WAY_SOUND) }));
    await saveLine(tx, lineRow(ids.busy, { trunk_id: trunk.id, trace: JSON.stringify(REFUSED_LADDER), media: null }));
  });
  await db.close();
}

beforeAll(async () => {
  const quick = await startQuick();
  const names = ["talked", "oneWay", "busy", "simulated"] as const;
  for (const name of names) {
    const user_number = numberEnding(name === "busy" ? "0001" : "0100");
    ids[name] = await place(quick, { user_name: "Meera Nair", user_number });
  }
  await Promise.all(names.map((name) => finished(quick, ids[name])));
  await quick.stop();
  await seedLines(quick.dataDir);
  // In real time, so that a call can be hung up.
  server = await startQuick({ RINGWARD_TELEPHONY__SIMULATOR__SPEED: "1" }, { dataDir: quick.dataDir });
}, 180_000);

describe.each([
  ["at a desk", DESKTOP],
  ["on a phone", PHONE],
])("%s", (where, viewport) => {
  let visitor: Visit;
  beforeAll(async () => {
    visitor = await enterDemo(server, `/dashboard/calls/${ids.talked}`, viewport);
    await visitor.context.grantPermissions(["clipboard-read", "clipboard-write"]);
  });
  afterAll(() => visitor.close());

  const oneScheme = [viewport === PHONE ? "dark" : "light"] as const;
  const card = () =>
    visitor.page.locator(".card", { has: visitor.page.getByRole("heading", { name: "Line", exact: true }) });
  const steps = () => card().locator(".ladder li");
  async function open(id: string): Promise<void> {
    await visitor.page.goto(`${server.url}/dashboard/calls/${id}`);
    await visitor.page.getByRole("heading", { level: 1, name: /^Call with/ }).waitFor();
  }
  async function isFit(name: string, schemes?: readonly ("light" | "dark")[]): Promise<void> {
    await card().scrollIntoViewIfNeeded();
    await expectFit(visitor, `line ${where} ${name}`, schemes);
  }

  test("the audio quality of a call is shown in figures and in words", async () => {
    await open(ids.talked);
    const facts = (await card().locator(".facts").textContent()) ?? "";
    for (const text of [
      "Ward exchange",
      "Very good",
      "4.3 of 4.4",
      "0.4% (9 packets never came, 3 came too late)",
      "4.2 ms, smoothed by a buffer of 40 ms",
      "38.4 ms",
      "3,056 sent, 3,044 received",
    ]) {
      expect(facts).toContain(text);
    }
    expect(await card().locator(".ladder").isVisible()).toBeFalse();
  });

  test("response times are shown per answer, with their breakdown", async () => {
    await open(ids.talked);
    const rows = visitor.page.getByRole("list", { name: "Answers of the agent" }).getByRole("listitem");
    expect(await rows.allTextContents()).toEqual(["0:06915 ms", "0:14515 msinterrupted"]);
    expect(await rows.first().getByRole("img").getAttribute("aria-label")).toBe(
      "waiting to see if they go on 210 ms, recognising 220 ms, waiting to see if they go on 30 ms, deciding 3 ms, making the voice 437 ms, sending 15 ms",
    );
    const widthOf = async (at: number) => (await rows.nth(at).locator(".voice").boundingBox())?.width ?? 0;
    expect(await widthOf(0)).toBeGreaterThan(5 * (await widthOf(1)));
    await rows.first().scrollIntoViewIfNeeded();
    await expectFit(visitor, `answer times ${where}`);
    await open(ids.simulated);
    expect(await visitor.page.getByRole("heading", { name: "Answer times" }).count()).toBe(0);
  });

  test("the messages are arrows with times, and each opens by key to its text, which can be copied", async () => {
    const { page } = visitor;
    await open(ids.talked);
    await card().getByText(`${LADDER.length} SIP messages`).click();
    expect(await steps().count()).toBe(LADDER.length);
    expect(await steps().nth(1).textContent()).toMatch(
      /^\+500 msRingward to the trunk: INVITE .*asks for a call, again/,
    );
    expect(await steps().nth(6).textContent()).toMatch(/^\+811 msThe trunk to Ringward: 180 Ringing it rings/);
    expect(await steps().nth(9).textContent()).toMatch(/^\+67\.33 sThe trunk to Ringward: BYE .* hangs up/);
    await isFit("ladder");
    await steps().nth(4).locator("summary").focus();
    await page.keyboard.press("Enter");
    const message = steps().nth(4).locator("pre");
    await message.waitFor();
    expect(await message.textContent()).toBe(LADDER[4]!.text.replaceAll("\r", ""));
    await steps().nth(4).getByRole("button", { name: "Copy" }).click();
    await steps().nth(4).getByRole("button", { name: "Copied" }).waitFor();
    expect(await page.evaluate(() => navigator.clipboard.readText())).toContain("Authorization: Digest (removed)");
    await isFit("message", oneScheme);
  });

  test("they are downloaded as text and as packets", async () => {
    const { page } = visitor;
    const fileOf = async (name: string) => {
      const [download] = await Promise.all([page.waitForEvent("download"), card().getByRole("link", { name }).click()]);
      return { name: download.suggestedFilename(), bytes: readFileSync(await download.path()) };
    };
    const text = await fileOf("Download as text");
    expect(text.name).toBe(`${ids.talked}-sip.txt`);
    expect(text.bytes.toString()).toContain("+811 ms  Ringward <-- udp 192.0.2.10:5060");
    const packets = await fileOf("Download packets");
    expect(packets.name).toBe(`${ids.talked}.pcap`);
    expect(readPcap(packets.bytes)).toHaveLength(LADDER.length);
  });

  test("a failed call shows its messages immediately, and that it received no audio", async () => {
    await open(ids.busy);
    await steps().last().waitFor();
    expect(await steps().nth(6).textContent()).toContain("486 Busy Here busy");
    expect(await card().textContent()).toContain("No sound was exchanged.");
    await isFit("refused", oneScheme);
  });

  test("one-way audio is shown as a warning", async () => {
    await open(ids.oneWay);
    await card().getByText("No sound arrived from the other side.").waitFor();
    expect(await card().textContent()).toContain("Nothing was heard");
    expect(await card().textContent()).toContain(
      "If the trunk is behind a NAT, tick “Its audio comes through a NAT” in its settings.",
    );
    expect(await card().textContent()).toContain("0 received, 311 ignored");
    await isFit("one-way", oneScheme);
  });

  test("a finished simulated call has no line to show", async () => {
    const answered = visitor.page.waitForResponse((response) => response.url().endsWith(`${ids.simulated}/line`));
    await open(ids.simulated);
    expect((await answered).status()).toBe(200);
    await visitor.page.getByRole("heading", { name: "Webhook deliveries" }).waitFor();
    expect(await card().count()).toBe(0);
    expect(await visitor.page.getByRole("button", { name: "Hang up …" }).count()).toBe(0);
  });

  test("a call in progress is hung up after a confirmation", async () => {
    const { page } = visitor;
    const id = await place(server, { user_name: "Cut Off" });
    await callIn(server, id, ["ringing", "in_progress"]);
    await open(id);
    await card().getByText("Nothing has passed over a trunk yet.").waitFor();
    await page.getByRole("button", { name: "Hang up …" }).click();
    const dialog = page.getByRole("dialog");
    expect(await dialog.textContent()).toContain("The call with Cut Off ends at once");
    await expectFit(visitor, `line ${where} hang up`, oneScheme);
    await dialog.getByRole("button", { name: "Keep talking" }).click();
    expect((await readCall(server, id)).status).toMatch(/ringing|in_progress/);
    await page.getByRole("button", { name: "Hang up …" }).click();
    await dialog.getByRole("button", { name: "Hang up" }).click();
    await page.getByText("Hanging up.").waitFor();
    await finished(server, id);
    await page.getByRole("button", { name: "Hang up …" }).waitFor({ state: "detached" });
  });

  test("no other host was contacted, the policy was not violated, no error was logged", () => {
    expect(complaintsOf(server, visitor)).toEqual([]);
  });
});
