// Starts a private PostgreSQL from Debian's package: in a temporary folder, on a socket there, and gone with whoever
// started it. Run by itself it stays until Ctrl-C, for a look by hand.
import { chmodSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { until } from "../test/support/until.ts";

/** One that is running, whoever started it. */
export interface RunningPostgres {
  /** The socket's folder: what `host` of a connection is. */
  folder: string;
  version: string;
  /** The address of one of its databases, as `database.url` takes it. */
  url(database: string): string;
  /** Runs SQL as its superuser, one command after the other; answers what psql prints, unaligned. */
  psql(sql: string, database?: string): string;
  createDatabase(name: string, template?: string): void;
  /** Every row of a database, as text. */
  dump(database: string): string;
}

export interface PostgresCluster extends RunningPostgres {
  /** SIGQUIT to all of it, as where it crashes, and up again. */
  crashAndRestart(): Promise<void>;
  /** As `pg_ctl stop -m immediate`: connections break, and nothing answers until it is started again. */
  crash(): Promise<void>;
  start(): Promise<void>;
  stop(): Promise<void>;
}

export interface ClusterOptions {
  /** With fsync, as a hospital runs it: for tests that kill it. */
  durable?: boolean;
  /** Also over TCP on this machine, here. */
  port?: number;
  /** Lines of postgresql.conf that come last. */
  settings?: readonly string[];
  /** Files beside its data: certificate and key. */
  files?: Readonly<Record<string, string>>;
}

/** The newest that is installed; Debian keeps its programs beside the PATH. */
export function postgresPrograms(): string | null {
  const found = [...new Bun.Glob("/usr/lib/postgresql/*/bin/postgres").scanSync({ onlyFiles: false })];
  const newest = found.toSorted((a, b) => versionIn(b) - versionIn(a))[0];
  return newest === undefined ? null : join(newest, "..");
}

const versionIn = (path: string) => Number(/postgresql\/(\d+)\//.exec(path)?.[1] ?? 0);

/** What is in it is worth nothing, so it waits for no disk. */
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

/** The one whose socket is in this folder. */
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
  // PostgreSQL refuses to run as root; it also ends when we do, however that happens.
  const isRoot = process.getuid?.() === 0;
  const asPostgres = isRoot ? ["setpriv", "--reuid=postgres", "--regid=postgres", "--clear-groups"] : [];
  const data = join(folder, "data");
  const logFile = join(folder, "log");
  let child: Bun.Subprocess | null = null;

  function layOut(): void {
    // Whoever runs the tests connects from outside.
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
