// The shared PostgreSQL of a test run: started on first use, ended with the run. Tests that kill their server, or need
// it exclusively, start their own.
import { startPostgres, type PostgresCluster } from "./postgres-cluster.ts";

let started: Promise<PostgresCluster> | undefined;

async function start(): Promise<PostgresCluster> {
  const cluster = await startPostgres();
  // Imported late: if the source cannot be loaded, the other checks report why.
  const { createTemplate } = await import("../test/support/postgres.ts");
  await createTemplate(cluster);
  return cluster;
}

/** Environment variables with its address for a test process. */
export async function postgresOfRun(): Promise<Record<string, string>> {
  started ??= start();
  return { RINGWARD_TEST_CLUSTER: (await started).folder };
}

export async function stopPostgresOfRun(): Promise<void> {
  const cluster = await started?.catch(() => undefined);
  started = undefined;
  await cluster?.stop();
}
