// The one PostgreSQL of a whole run of tests: started when the first of them needs it, and gone with the run. Those
// that kill theirs, or need nobody else on it, start their own.
import { startPostgres, type PostgresCluster } from "./postgres-cluster.ts";

let started: Promise<PostgresCluster> | undefined;

async function start(): Promise<PostgresCluster> {
  const cluster = await startPostgres();
  // Not before: where the source cannot be loaded, the other checks say why.
  const { createTemplate } = await import("../test/support/postgres.ts");
  await createTemplate(cluster);
  return cluster;
}

/** What tells a test process where it is. */
export async function postgresOfRun(): Promise<Record<string, string>> {
  started ??= start();
  return { RINGWARD_TEST_CLUSTER: (await started).folder };
}

export async function stopPostgresOfRun(): Promise<void> {
  const cluster = await started?.catch(() => undefined);
  started = undefined;
  await cluster?.stop();
}
