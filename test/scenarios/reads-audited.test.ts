// Audit entries of concurrent reads are batched into one row and moved into place later. A search of the audit trail
// finds every answered read, immediately and after a kill.
import { expect, setDefaultTimeout, test } from "bun:test";
import { ask, createCall } from "../support/api-client.ts";
import { leaveNothingBehind, startBinary, tempFolder, type Running } from "../support/binary.ts";
import { enterDemo } from "../support/demo-staff.ts";
import { storedCount } from "../support/stored-rows.ts";

leaveNothingBehind();
setDefaultTimeout(180_000);

const READERS = 64;
const KILLS = 4;
const ENV = { RINGWARD_PLANS__BASE__REQUESTS_PER_MINUTE: "unlimited", RINGWARD_LOG__LEVEL: "warn" };

/** Request ids of the audited reads of a call, found by a search for the call. */
async function onRecord(server: Running, callId: string): Promise<string[]> {
  const staff = await enterDemo(server);
  const found: string[] = [];
  for (let cursor = ""; ;) {
    const { text } = await staff("GET", `audit?subject_id=${callId}&action=call.read${cursor}`);
    const page = JSON.parse(text) as { data: { request_id: string }[]; next_cursor: string | null };
    found.push(...page.data.map(({ request_id }) => request_id));
    if (page.next_cursor === null) return found;
    cursor = `&cursor=${page.next_cursor}`;
  }
}

async function readAtOnce(server: Running, callId: string): Promise<string[]> {
  const answers = await Promise.all(Array.from({ length: READERS }, () => ask(server, "GET", `/v1/calls/${callId}`)));
  expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 200));
  return answers.map(({ headers }) => headers.get("x-request-id") ?? "");
}

test(`every answered read is found by a search, immediately and after ${KILLS} kills`, async () => {
  const dataDir = tempFolder();
  let server = await startBinary({ dataDir, env: ENV });
  const callId = await createCall(server, { scheduled_time: new Date(Date.now() + 86_400_000).toISOString() });
  const answered = await readAtOnce(server, callId);
  expect((await onRecord(server, callId)).toSorted()).toEqual(answered.toSorted());
  let wereKept = 0;
  for (let kill = 0; kill < KILLS; kill++) {
    answered.push(...(await readAtOnce(server, callId)));
    await server.kill();
    wereKept += storedCount(dataDir, "audit_batches");
    server = await startBinary({ dataDir, env: ENV });
  }
  // Otherwise the test does not cover the rows that a kill leaves.
  expect(wereKept).toBeGreaterThan(0);
  expect((await onRecord(server, callId)).toSorted()).toEqual(answered.toSorted());
  expect(storedCount(dataDir, "audit_batches")).toBe(0);
  expect(await server.stop()).toBe(0);
});
