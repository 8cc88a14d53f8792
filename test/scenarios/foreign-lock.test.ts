// Another program opens the database and starts to write: reads without personal data continue, writes wait, and
// nothing is lost. A read of a person waits too, because its audit entry is a write.
import { Database } from "bun:sqlite";
import { expect, test } from "bun:test";
import { join } from "node:path";
import { ask, createCall, newCall } from "../support/api-client.ts";
import { leaveNothingBehind, startBinary } from "../support/binary.ts";

leaveNothingBehind();

test("a write waits for the other program, and so does a read of a person; other reads do not wait", async () => {
  const server = await startBinary();
  const known = await createCall(server);
  const other = new Database(join(server.dataDir, "ringward.db"));
  other.run("PRAGMA busy_timeout = 5000");
  other.run("BEGIN EXCLUSIVE");

  let isAnswered = false;
  const write = ask(server, "POST", "/v1/calls", { body: newCall(server) }).finally(() => (isAnswered = true));
  let isRead = false;
  const read = ask(server, "GET", `/v1/calls/${known}`).finally(() => (isRead = true));
  for (let i = 0; i < 20; i++) expect((await ask(server, "GET", "/v1/me")).status).toBe(200);
  expect((await ask(server, "GET", "/healthz")).status).toBe(200);
  expect([isAnswered, isRead]).toEqual([false, false]);

  other.run("ROLLBACK");
  other.close();
  expect([(await write).status, (await read).status]).toEqual([201, 200]);
  await server.kill();
});
