// The executable refuses to serve with a key other than its database's, and reports when its files are gone.
import { expect, setDefaultTimeout, test } from "bun:test";
import { randomBytes } from "node:crypto";
import { readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { ask } from "../support/api-client.ts";
import { leaveNothingBehind, runBinary, startBinary } from "../support/binary.ts";
import { onlySqlite } from "../support/engines.ts";
import { until } from "../support/until.ts";

leaveNothingBehind();
setDefaultTimeout(180_000);

test("a key other than the database's stops the start with 6 until the right one is back, or a person accepts it", async () => {
  const first = await startBinary();
  const { dataDir } = first;
  expect(await first.stop()).toBe(0);
  const key = join(dataDir, "secret.key");
  const right = readFileSync(key, "utf8");
  writeFileSync(key, `${randomBytes(32).toString("base64")}\n`);
  const start = () => runBinary(["serve", "--data", dataDir, "--port", "0"]);
  const refused = await start();
  expect(refused.code).toBe(6);
  expect(refused.stderr).toMatch(/The secret key is not the one that sealed .*\. Put the right one back\./);
  // Commands refuse to encrypt with it too.
  expect((await runBinary(["hook", "regenerate", "--data", dataDir])).code).toBe(6);

  writeFileSync(key, right);
  const again = await startBinary({ dataDir, demo: false });
  expect((await ask(again, "GET", "/readyz")).status).toBe(200);
  expect(await again.stop()).toBe(0);

  writeFileSync(key, `${randomBytes(32).toString("base64")}\n`);
  expect((await start()).code).toBe(6);
  const accepted = await runBinary(["key", "accept", "--data", dataDir]);
  expect(accepted).toMatchObject({ code: 0, stdout: expect.stringContaining("The key was accepted.") });
  expect(accepted.stderr).toContain("ringward hook regenerate");
  const served = await startBinary({ dataDir, demo: false });
  expect((await ask(served, "GET", "/readyz")).status).toBe(200);
  expect(served.output()).toContain("Renew them");
  expect(await served.stop()).toBe(0);
});

onlySqlite("it removes a file of SQLite")(
  "a log of the database that is removed under it is told by /readyz and once in the log",
  async () => {
    const server = await startBinary();
    expect((await ask(server, "GET", "/readyz")).status).toBe(200);
    rmSync(join(server.dataDir, "ringward.db-wal"));
    await until(async () => (await ask(server, "GET", "/readyz")).status === 503, { everyMs: 100 });
    const { checks } = JSON.parse((await ask(server, "GET", "/readyz")).text) as { checks: Record<string, string> };
    // A connection that opens meanwhile creates a new one.
    expect(checks["database"]).toMatch(/^ringward\.db-wal was (removed|replaced) while it is in use\./);
    // Writes still succeed, into a file that is already unlinked.
    expect(checks["write"]).toBe("ok");
    await until(() => server.output().includes('"message":"Not ready."'), { everyMs: 50 });
    expect(server.output().split('"message":"Not ready."')).toHaveLength(2);
    await server.kill();
  },
);
