// Retention holds, a person's file and the breach report on the compiled binary: by API, on the command line, on a full
// disk, twice at once, and for a client that goes away.
import { beforeAll, describe, expect, test } from "bun:test";
import { mkdirSync, readdirSync, readFileSync, readlinkSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { openArchive } from "../../src/lists/zip.ts";
import { ask, expectError } from "../support/api-client.ts";
import { leaveNothingBehind, runBinary, tempFolder, type Running } from "../support/binary.ts";
import { command, placeAndFinish, startQuick, talkative } from "../support/calls.ts";
import { isRoot } from "../support/sandbox.ts";
import { skipsFor } from "../support/skips.ts";
import { storedRows } from "../support/stored-rows.ts";
import { until } from "../support/until.ts";

leaveNothingBehind();

const RECORDING_BYTES = 24 * 1024 * 1024;
const NUMBER = talkative();

let server: Running;
let callId: string;
let files: string;
beforeAll(async () => {
  server = await startQuick();
  files = tempFolder();
  ({ call_id: callId } = await placeAndFinish(server, { user_number: NUMBER, user_name: "Zelmira" }));
  // The simulator makes a recording when it is first asked for; this one is larger than any buffer on the way.
  const [call] = storedRows<{ recording_file: string }>(
    server.dataDir,
    `SELECT recording_file FROM calls WHERE id = '${callId}'`,
  );
  mkdirSync(join(server.dataDir, "recordings"), { recursive: true });
  writeFileSync(join(server.dataDir, "recordings", call?.recording_file ?? ""), Buffer.alloc(RECORDING_BYTES, "sound"));
});

/** A command that is expected to fail. */
const failing = async (...args: string[]) => runBinary([...args, "--data", server.dataDir]);
const personFile = (signal?: AbortSignal) =>
  fetch(`${server.url}/v1/people/file`, {
    method: "POST",
    headers: { "x-api-key": server.demo["api_key"] ?? "", "content-type": "application/json" },
    body: JSON.stringify({ contact_number: NUMBER }),
    ...(signal && { signal }),
  });
/** Recordings that the server has open. */
const openRecordings = () =>
  readdirSync(`/proc/${server.process.pid}/fd`).filter((fd) => {
    try {
      return readlinkSync(`/proc/${server.process.pid}/fd/${fd}`).includes("/recordings/");
    } catch {
      return false;
    }
  }).length;
const added = (said: string) => /^Added: (rth_\w+)$/m.exec(said)?.[1] ?? "";

describe("holds on the command line", () => {
  test("a hold on everything keeps a call from DELETE until it is released", async () => {
    const end = new Date(Date.now() + 86_400_000).toISOString();
    const words = ["--reason", "Inspection 4", "--until", end];
    const id = added(await command(server, "holds", "add", "--everything", ...words));
    expect(await command(server, "holds", "list")).toBe(`${id}  organisation  until ${end}  Inspection 4\n`);
    const refused = await ask(server, "DELETE", `/v1/calls/${callId}`);
    expectError(refused, 409, "RETENTION_HOLD");
    expect(JSON.parse(refused.text)).toMatchObject({ error: { until: end } });
    expect(await command(server, "holds", "release", "--reason", "It is over.", "--", id)).toBe("Released.\n");
    expect(await command(server, "holds", "list")).toBe("None.\n");
  });

  test("a call and a person are held by their own options", async () => {
    const call = added(await command(server, "holds", "add", "--call", callId, "--reason", "Case 7/2026"));
    const person = added(await command(server, "holds", "add", "--person", NUMBER, "--reason", "Case 8/2026"));
    expect((await command(server, "holds", "list")).split("\n").toSorted()).toEqual(
      [
        "",
        `${call}  ${callId}  until released  Case 7/2026`,
        `${person}  ${NUMBER}  until released  Case 8/2026`,
      ].toSorted(),
    );
    for (const id of [call, person]) await command(server, "holds", "release", "--reason", "It is over.", "--", id);
  });

  test.each([
    [["holds", "add", "--reason", "Case"], 2, "Give one of --call, --person and --everything."],
    [["holds", "add", "--everything", "--call", "call_1", "--reason", "Case"], 2, "Give one of"],
    [["holds", "add", "--everything"], 2, "--reason"],
    [["holds", "add", "--everything", "--reason", "Case", "--until", "tomorrow"], 1, "until"],
    [["holds", "add", "--person", "98100", "--reason", "Case"], 1, "E.164"],
    [["holds", "add", "--call", "call_unknown", "--reason", "Case"], 1, "There is no call with this id."],
    [["holds", "release", "--reason", "Over", "rth_unknown"], 1, "There is no hold with this id."],
    [["people", "file", "+15550000000", "/tmp/never.zip"], 1, "Nothing is stored about this person."],
    [["people", "file", "98100", "/tmp/never.zip"], 1, "E.164"],
    [["breach-report", "/tmp/never.csv", "--from", "2026-01-01T00:00:00Z"], 2, "--to"],
    [["breach-report", "/tmp/never.csv", "--from", "2026-01-02T00:00:00Z", "--to", "2026-01-01T00:00:00Z"], 1, "after"],
  ])("%j is refused", async (args, code, words) => {
    const said = await failing(...args);
    expect([said.code, said.stdout]).toEqual([code, ""]);
    expect(said.stderr).toContain(words);
    // An explanation, not a trace of the program.
    expect(said.stderr).not.toMatch(/^\s+at /m);
  });
});

describe("a person's file", () => {
  test("is written by the command, for its owner alone, and never over another file", async () => {
    const file = join(files, "person.zip");
    expect(await command(server, "people", "file", NUMBER, file)).toBe(
      `Written to ${file}. It contains personal data.\n`,
    );
    expect(statSync(file).mode & 0o777).toBe(0o600);
    const archive = openArchive(readFileSync(file));
    const person = JSON.parse(Buffer.from((await archive.read("person.json")) ?? []).toString()) as object;
    expect(person).toMatchObject({ number: NUMBER, calls: [{ id: callId, contact_name: "Zelmira" }] });
    expect((await archive.read(`recordings/${callId}.wav`))?.byteLength).toBe(RECORDING_BYTES);
    const again = await failing("people", "file", NUMBER, file);
    expect([again.code, again.stderr]).toEqual([2, expect.stringContaining("exists already")]);
    const missing = await failing("people", "file", NUMBER, join(files, "nowhere", "person.zip"));
    expect([missing.code, missing.stderr]).toEqual([1, expect.stringContaining("the folder does not exist")]);
    expect(readdirSync(files)).toEqual(["person.zip"]);
  });

  test.skipIf(skipsFor(!isRoot, "needs root"))("that does not fit on the disk is not there in part", async () => {
    const disk = join(files, "disk");
    mkdirSync(disk);
    expect(Bun.spawnSync(["mount", "-t", "tmpfs", "-o", "size=4m,mode=0700", "tmpfs", disk]).success).toBeTrue();
    try {
      const said = await failing("people", "file", NUMBER, join(disk, "person.zip"));
      expect([said.code, said.stdout, said.stderr]).toEqual([
        1,
        "",
        `${join(disk, "person.zip")} was not written: the disk is full. Free some space, or name a file on another disk.\n`,
      ]);
      expect(readdirSync(disk)).toEqual([]);
    } finally {
      expect(Bun.spawnSync(["umount", disk]).success).toBeTrue();
    }
  });

  test("two at once are both whole", async () => {
    const both = await Promise.all([personFile(), personFile()]);
    for (const response of both) {
      expect(response.status).toBe(200);
      const archive = openArchive(new Uint8Array(await response.arrayBuffer()));
      expect((await archive.read(`recordings/${callId}.wav`))?.byteLength).toBe(RECORDING_BYTES);
    }
  });

  test("a client that goes away in the middle leaves no open recording", async () => {
    const leaving = new AbortController();
    const response = await personFile(leaving.signal);
    const reader = response.body!.getReader();
    let bytes = 0;
    // Past the texts, in the middle of the recording.
    while (bytes < 1_000_000) bytes += (await reader.read()).value?.byteLength ?? Infinity;
    expect(openRecordings()).toBe(1);
    leaving.abort();
    await until(() => openRecordings() === 0, { what: () => "a recording is still open" });
    expect((await ask(server, "GET", "/v1/calls")).status).toBe(200);
  });
});

test("the breach report names the command that wrote the person's file, and is written once", async () => {
  const file = join(files, "breach.csv");
  const period = ["--from", "2026-01-01T00:00:00Z", "--to", new Date(Date.now() + 3_600_000).toISOString()];
  await command(server, "breach-report", ...period, file);
  expect(statSync(file).mode & 0o777).toBe(0o600);
  const lines = readFileSync(file, "utf8").trimEnd().split("\r\n");
  expect(lines[0]).toStartWith("who,who_id,who_name,what,record");
  const read = lines.filter((line) => line.includes("contact.read") && line.includes(NUMBER));
  expect(new Set(read.map((line) => line.split(",")[0]))).toEqual(new Set(["cli", "key"]));
  const again = await failing("breach-report", ...period, file);
  expect([again.code, again.stderr]).toEqual([2, expect.stringContaining("exists already")]);
  const actions = storedRows<{ action: string }>(
    server.dataDir,
    "SELECT DISTINCT action FROM audit_entries WHERE actor_kind = 'cli'",
  ).map(({ action }) => action);
  expect(actions).toEqual(
    expect.arrayContaining(["retention_hold.added", "retention_hold.released", "contact.read", "audit.breach_report"]),
  );
});
