// Write that needs disk space, for /readyz. An inserted row may fit into SQLite's WAL or an existing PostgreSQL page.
// On PostgreSQL it therefore also runs a sort that spills to disk: the temporary file is on the database's disk, is
// deleted with the statement, and cannot be written if the disk is full.
import { sql } from "kysely";
import { bindingOf } from "./binding.ts";
import type { Tx } from "./tables.ts";

/** About a megabyte, and a few milliseconds on PostgreSQL. */
const SPILL = sql`SELECT count(*) FROM (
  SELECT repeat(md5(n::text), 8) AS filler FROM generate_series(1, 4000) AS n ORDER BY filler OFFSET 0) AS sorted`;

export async function probeWrite(tx: Tx, id: string, at: number): Promise<void> {
  await tx.insertInto("write_probes").values({ id, at }).execute();
  await tx.deleteFrom("write_probes").where("id", "<>", id).execute();
  if (bindingOf(tx).engine === "sqlite") return;
  await sql`SET LOCAL work_mem = '64kB'`.execute(tx);
  await SPILL.execute(tx);
}
