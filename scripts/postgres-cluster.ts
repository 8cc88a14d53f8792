// Starts a private PostgreSQL from Debian's package: in a temporary folder, on a socket there, ended with its parent
// process. Run directly, it stays up until Ctrl-C, for manual inspection.
import { chmodSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { until } from "../test/support/until.ts";

/** A running cluster, started by this process or another. */
export interface RunningPostgres {
  /** The socket's folder, used as `host` of a connection. */
  folder: string;
  version: string;
  /** The URL of one of its databases, in the format of `database.url`. */
  url(database: string): string;
  /** Runs SQL as superuser, one command after the other; returns psql's unaligned output. */
  psql(sql: string, database?: string): string;
  createDatabase(name: string, template?: string): void;
  /** Every row of a database, as text. */
  dump(database: string): string;
}

export interface PostgresCluster extends RunningPostgres {
  /** SIGQUIT to all processes, as in a crash, followed by a restart. */
  crashAndRestart(): Promise<void>;
  /** As `pg_ctl stop -m immediate`: connections break, and the cluster is down until it is started again. */
  crash(): Promise<void>;
  start(): Promise<void>;
  stop(): Promise<void>;
}

export interface ClusterOptions {
  /** With fsync, as in production: for tests that kill it. */
  durable?: boolean;
  /** Also listens on TCP at this port of the machine. */
  port?: number;
  /** Lines appended to postgresql.conf. */
  settings?: readonly string[];
  /** Files in its data folder: certificate and key. */
  files?: Readonly<Record<string, string>>;
}

/** The latest installed version; Debian keeps its programs outside the PATH. */
export function postgresPrograms(): string | null {
  const found = [...new Bun.Glob("/usr/lib/postgresql/*/bin/postgres").scanSync({ onlyFiles: false })];
  const newest = found.toSorted((a, b) => versionIn(b) - versionIn(a))[0];
  return newest === undefined ? null : join(newest, "..");
}

const versionIn = (path: string) => Number(/postgresql\/(\d+)\//.exec(path)?.[1] ?? 0);

/** The data is disposable, so durability is off. */
const FAST = ["fsync = off", "synchronous_commit = off", "full_page_writes = off", "autovacuum = off"];

const SETTINGS = [
  "max_connections = 300",
  "shared_buffers = 64MB",
  "jit = off",
  "max_pred_locks_per_page = 64",
  "max_pred_locks_per_transaction = 256",
  "log_min_messages = fatal",
];

const USUAL_PORT = 5432;

function run(folder: string, command: string[], input?: string): string {
  const { success, stdout, stderr } = Bun.spawnSync(command, {
    cwd: folder,
    env: { PATH: process.env["PATH"] ?? "", TZ: "UTC" },
    ...(input === undefined ? {} : { stdin: Buffer.from(input) }),
  });
  if (!success) throw new Error(`${command[0]} failed: ${stdout.toString()}${stderr.toString()}`);
  return stdout.toString();
}

/** The cluster with its socket in this folder. */
export function postgresAt(folder: string, port = USUAL_PORT): RunningPostgres {
  const programs = installedPrograms();
  const there = (database: string) => ["-h", folder, "-p", String(port), "-U", "postgres", "-d", database];
  function psql(sql: string, database = "postgres"): string {
    const quietly = ["-X", "-q", "-A", "-t", "-v", "ON_ERROR_STOP=1"];
    return run(folder, [join(programs, "psql"), ...quietly, ...there(database)], sql).trim();
  }
  return {
    folder,
    get version() {
      return psql("SHOW server_version");
    },
    url: (database) =>
      `postgres://postgres@${port === USUAL_PORT ? "" : `:${port}`}/${database}?host=${encodeURIComponent(folder)}`,
    psql,
    createDatabase(name, template = "template0") {
      psql(`CREATE DATABASE "${name}" TEMPLATE "${template}"`);
    },
    dump: (database) => run(folder, [join(programs, "pg_dump"), "--data-only", ...there(database)]),
  };
}

function installedPrograms(): string {
  const programs = postgresPrograms();
  if (programs === null) throw new Error("There is no PostgreSQL in /usr/lib/postgresql: install Debian's postgresql.");
  return programs;
}

export async function startPostgres(options: ClusterOptions = {}): Promise<PostgresCluster> {
  const { durable = false, port = USUAL_PORT, settings = [], files = {} } = options;
  const programs = installedPrograms();
  const folder = mkdtempSync(join(tmpdir(), "rw-pg-"));
  // PostgreSQL refuses to run as root; it is killed when this process ends in any way.
  const isRoot = process.getuid?.() === 0;
  const asPostgres = isRoot ? ["setpriv", "--reuid=postgres", "--regid=postgres", "--clear-groups"] : [];
  const data = join(folder, "data");
  const logFile = join(folder, "log");
  let child: Bun.Subprocess | null = null;

  function layOut(): void {
    // The tests connect as another user.
    chmodSync(folder, 0o755);
    if (isRoot) run(folder, ["chown", "postgres:postgres", folder]);
    const made = ["-E", "UTF8", "--locale=C.UTF-8", "--auth=trust", "-U", "postgres", "--no-sync"];
    run(folder, [...asPostgres, join(programs, "initdb"), "-D", data, ...made]);
    const listening = `listen_addresses = '${options.port === undefined ? "" : "127.0.0.1"}'`;
    const place = [`unix_socket_directories = '${folder}'`, `port = ${port}`, listening];
    const lines = [...SETTINGS, ...place, ...(durable ? [] : FAST), ...settings];
    writeFileSync(join(data, "postgresql.auto.conf"), `${lines.join("\n")}\n`);
    for (const [name, text] of Object.entries(files)) writeFileSync(join(data, name), text, { mode: 0o600 });
    if (isRoot) run(folder, ["chown", "-R", "postgres:postgres", data]);
  }

  const log = () => (existsSync(logFile) ? readFileSync(logFile, "utf8") : "");

  async function start(): Promise<void> {
    const output = Bun.file(logFile);
    const withUs = isRoot ? [...asPostgres, "--pdeathsig=QUIT"] : ["setpriv", "--pdeathsig=QUIT"];
    const started = Bun.spawn([...withUs, join(programs, "postgres"), "-D", data], {
      cwd: folder,
      env: { PATH: process.env["PATH"] ?? "", TZ: "UTC" },
      stdin: "ignore",
      stdout: output,
      stderr: output,
    });
    child = started;
    await until(
      () => {
        if (started.exitCode !== null) throw new Error(`PostgreSQL ended with ${started.exitCode}:\n${log()}`);
        const ready = [join(programs, "pg_isready"), "-q", "-h", folder, "-p", String(port), "-t", "1"];
        return Bun.spawnSync(ready, { cwd: folder }).success;
      },
      { everyMs: 20, what: () => `PostgreSQL does not start:\n${log()}` },
    );
  }

  async function end(signal: "SIGINT" | "SIGQUIT"): Promise<void> {
    child?.kill(signal);
    await child?.exited;
    child = null;
  }

  layOut();
  await start();
  return {
    ...postgresAt(folder, port),
    async crashAndRestart() {
      await end("SIGQUIT");
      await start();
    },
    crash: () => end("SIGQUIT"),
    start,
    async stop() {
      await end("SIGQUIT");
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

if (import.meta.main) {
  const cluster = await startPostgres();
  cluster.createDatabase("ringward");
  console.log(`PostgreSQL ${cluster.version}: ${cluster.url("ringward")}`);
  for (const signal of ["SIGINT", "SIGTERM"])
    process.once(signal, () => void cluster.stop().then(() => process.exit(0)));
  setInterval(() => {}, 60_000);
}
