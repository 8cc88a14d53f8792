// A process that seals what waits, and kills itself at one point of a batch. Run with:
// bun sealer-child.ts DATA_DIR POSTGRES_URL POINT BATCH
import { writeSync } from "node:fs";
import { systemClock } from "../../src/core/clock.ts";
import { createIds } from "../../src/core/ids.ts";
import { silentLogger } from "../../src/core/logger.ts";
import { createSecretBox } from "../../src/core/secret-box.ts";
import type { Database } from "../../src/db/database.ts";
import { createProofKeys } from "../../src/rules/proof/proof-keys.ts";
import { createSealing } from "../../src/rules/proof/sealing.ts";
import { openBeside } from "./temp.ts";

const [dataDir = "", url = "", point = "", batch = "1"] = process.argv.slice(2);
const opened = await openBeside(dataDir, url === "" ? undefined : url);
const clock = systemClock;
const keys = createProofKeys({
  db: opened,
  clock,
  ids: createIds(clock),
  logger: silentLogger,
  secrets: createSecretBox(new Uint8Array(32).fill(7)),
});

let batches = 0;
let signed = 0;

function killedAt(name: string): void {
  if (name === point && batches === Number(batch)) process.kill(process.pid, "SIGKILL");
}

const db: Database = {
  ...opened,
  reader: opened.reader,
  async write(command, options) {
    killedAt("before the transaction");
    const result = await opened.write(async (tx) => {
      killedAt("at the begin of the transaction");
      const stored = await command(tx);
      killedAt("before the commit");
      return stored;
    }, options);
    killedAt("after the commit");
    return result;
  },
};

const sealing = createSealing({
  db,
  clock,
  logger: silentLogger,
  proofKeys: {
    async current() {
      batches += 1;
      signed = 0;
      killedAt("after the read");
      return keys.current();
    },
  },
  agentVersionsIn: () => async () => {
    signed += 1;
    if (signed === 10) killedAt("between signatures");
    return 1;
  },
  wake: () => {},
});

// Two of these begin together.
writeSync(1, "ready\n");
await Bun.stdin.text();
for (;;) {
  try {
    await sealing.sealAll();
    break;
  } catch (error) {
    // Another process sealed the same call first.
    if (point !== "none") throw error;
  }
}
await opened.close();
