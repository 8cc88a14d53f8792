// A write that needs room on the disk, for /readyz. A row that is inserted finds a place in the log of SQLite or on a
// page that PostgreSQL has already, so there a sort is made as well that does not fit into its memory: its file is on
// the disk of the database, is gone with the statement, and cannot be written where the disk is full.
import { sql } from "kysely";
import { bindingOf } from "./binding.ts";
import type { Tx } from "./tables.ts";

/** About a megabyte, and a few milliseconds of PostgreSQL. */
const SPILL = sql`SELECT count(*) FROM (
  SELECT repeat(md5(n::text), 8) AS filler FROM generate_series(1, 4000) AS n ORDER BY filler OFFSET 0) AS sorted`;

export async function probeWrite(tx: Tx, id: string, at: number): Promise<void> {
  await tx.insertInto("write_probes").values({ id, at }).execute();
  await tx.deleteFrom("write_probes").where("id", "<>", id).execute();
  if (bindingOf(tx).engine === "sqlite") return;
  await sql`SET LOCAL work_mem = '64kB'`.execute(tx);
  await SPILL.execute(tx);
}
