// Run as a process of its own: opens the data folder as a server, says so, and stays until it is killed.
import { openDatabase } from "../../src/db/database.ts";
import { silentLogger } from "../../src/core/logger.ts";

const db = await openDatabase({ dataDir: process.argv[2] ?? "" }, { logger: silentLogger, as: "server" });
await db.write((tx) => tx.insertInto("heartbeats").values({ name: "child", at: 1 }).execute());
process.stdout.write("open\n");
for await (const _ of Bun.stdin.stream());
