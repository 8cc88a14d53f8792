// A process that writes heartbeats through the group-commit writer as fast as it can, and prints each id once it is
// acknowledged. The durability test kills it. Run with: bun writer-child.ts DATA_DIR
import { writeSync } from "node:fs";
import { systemClock } from "../../src/core/clock.ts";
import { createIds } from "../../src/core/ids.ts";
import { silentLogger } from "../../src/core/logger.ts";
import { openDatabase } from "../../src/db/database.ts";
import { recordHeartbeat } from "../../src/db/heartbeat-store.ts";

const CONCURRENT_WRITERS = 8;

const [dataDir = ""] = process.argv.slice(2);
const db = await openDatabase({ dataDir }, { logger: silentLogger, as: "server" });
const ids = createIds(systemClock);

async function writeForEver(): Promise<never> {
  for (;;) {
    const id = ids.next("req");
    await db.write((tx) => recordHeartbeat(tx, id, systemClock.now()));
    // Written to the pipe directly: an acknowledgement buffered in process.stdout would be lost by the kill.
    writeSync(1, `${id}\n`);
  }
}

await Promise.all(Array.from({ length: CONCURRENT_WRITERS }, writeForEver));
