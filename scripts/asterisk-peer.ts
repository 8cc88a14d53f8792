// Starts the Asterisk built by scripts/asterisk-peer in a separate folder on loopback, and controls it through its
// command line. Run directly, it stays up until Ctrl-C, for manual calls.
import { appendFileSync, chmodSync, cpSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { audioPorts, freeSipPort } from "../test/support/free-ports.ts";
import { createPrivateCa, type PrivateCa } from "../test/support/private-ca.ts";
import { pcmWav, readPcmWav, saidOver, speechLike } from "../test/support/sounds.ts";
import { until } from "../test/support/until.ts";
import { registeredAccount } from "./asterisk-accounts.ts";
import { asteriskFiles, LOOPBACK, LOOPBACK_6, type AccountFiles, type AsteriskPorts } from "./asterisk-settings.ts";

export interface Asterisk {
  version: string;
  ports: AsteriskPorts;
  /** The CA of its certificate. */
  caPem: string;
  /** Runs a console command. */
  tell(command: string): string;
  channels(): string[];
  /** Appends to the existing files and reloads them. */
  addAccount(files: AccountFiles): void;
  /** The audio that this number's person heard in their last call. */
  heard(number: string): Int16Array;
  log(): string;
  /** SIGKILL, as after a power failure. */
  crash(): Promise<void>;
  /** Orderly shutdown: every call is ended first. */
  shutDown(): Promise<void>;
  start(): Promise<void>;
  /** While it is down: deletes its database with all registrations. */
  forgetRegistrations(): void;
  stop(): Promise<void>;
}

/** Audio of its people, repeated three times, and its music on hold. */
export const ITS_WORDS = speechLike(2, 21);
export const ITS_MUSIC = speechLike(6, 22);

const MODULES_LOADED = /Asterisk has fully booted|fully booted/i;

/** Not as root, and killed with its parent process. */
const AS_ASTERISK = ["setpriv", "--reuid=asterisk", "--regid=asterisk", "--clear-groups", "--pdeathsig=KILL"];

export interface AsteriskOptions {
  /** The folder built by scripts/asterisk-peer. */
  folder: string;
  accounts: AccountFiles;
}

export async function startAsterisk({ folder, accounts }: AsteriskOptions): Promise<Asterisk> {
  const ports = { sip: freeSipPort(), tls: freeSipPort(), rtp: audioPorts(100) };
  const inside = `/srv/peer-${process.pid}`;
  const outside = join(folder, inside);
  const ca = createPrivateCa();
  layOut({ folder, inside, accounts, ports, ca });

  const settings = `${inside}/etc/asterisk.conf`;
  const tell = (command: string) => inChroot(folder, "asterisk", "-C", settings, "-rx", command);
  const logFile = join(outside, "log/messages.log");
  const log = () => (existsSync(logFile) ? readFileSync(logFile, "utf8") : "");
  let child: Bun.Subprocess | null = null;

  async function start(): Promise<void> {
    const started = Bun.spawn(["chroot", folder, ...AS_ASTERISK, "asterisk", "-f", "-C", settings], {
      stdin: "ignore",
      stdout: "ignore",
      stderr: "ignore",
      env: { PATH: "/usr/sbin:/usr/bin:/sbin:/bin", HOME: inside },
    });
    child = started;
    await until(
      () => {
        if (started.exitCode !== null) throw new Error(`Asterisk ended with ${started.exitCode}:\n${log()}`);
        return existsSync(join(outside, "run/asterisk.ctl")) && isBooted();
      },
      { withinMs: 60_000, everyMs: 200, what: () => `Asterisk does not start:\n${log()}` },
    );
  }

  function isBooted(): boolean {
    const asked = Bun.spawnSync(["chroot", folder, "asterisk", "-C", settings, "-rx", "core waitfullybooted"]);
    return asked.success && MODULES_LOADED.test(asked.stdout.toString());
  }

  async function shutDown(): Promise<void> {
    tell("core stop now");
    await child?.exited;
    gone();
  }

  async function crash(): Promise<void> {
    child?.kill("SIGKILL");
    await child?.exited;
    gone();
  }

  function gone(): void {
    child = null;
    rmSync(join(outside, "run/asterisk.ctl"), { force: true });
  }

  await start();
  return {
    version: inChroot(folder, "asterisk", "-V").trim(),
    ports,
    caPem: ca.caPem,
    tell,
    channels: () =>
      tell("core show channels concise")
        .split("\n")
        .filter((line) => line.includes("!")),
    heard(number) {
      const file = join(outside, "heard", `${number}.wav`);
      return existsSync(file) ? readPcmWav(readFileSync(file)) : new Int16Array(0);
    },
    addAccount({ pjsip, extensions }) {
      appendFileSync(join(outside, "etc/pjsip.conf"), `${pjsip}\n`);
      appendFileSync(join(outside, "etc/extensions.conf"), `${extensions}\n`);
      tell("core reload");
    },
    log,
    crash,
    shutDown,
    start,
    forgetRegistrations: () => rmSync(join(outside, "lib/astdb.sqlite3"), { force: true }),
    async stop() {
      await crash();
      rmSync(outside, { recursive: true, force: true });
    },
  };
}

interface Layout extends AsteriskOptions {
  inside: string;
  ports: Asterisk["ports"];
  ca: PrivateCa;
}

/** Creates this Asterisk's folder inside the chroot: settings, certificate and sounds. */
function layOut({ folder, inside, accounts, ports, ca }: Layout): void {
  const outside = join(folder, inside);
  for (const name of ["lib", "spool", "run", "log", "heard", "sounds/moh"])
    mkdirSync(join(outside, name), { recursive: true });
  cpSync(join(folder, "etc/asterisk"), join(outside, "etc"), { recursive: true });
  const { certPem, keyPem } = ca.issue([LOOPBACK, LOOPBACK_6, "localhost"]);
  const files = asteriskFiles(inside, { ports, accounts });
  for (const [name, text] of Object.entries({
    ...files,
    "cert.pem": certPem,
    "key.pem": keyPem,
    "ca.pem": ca.caPem,
  })) {
    writeFileSync(join(outside, "etc", name), text.endsWith("\n") ? text : `${text}\n`);
  }
  writeFileSync(join(outside, "sounds/words.wav"), pcmWav(saidOver(ITS_WORDS)));
  writeFileSync(join(outside, "sounds/moh/music.wav"), pcmWav(ITS_MUSIC));
  chmodSync(outside, 0o755);
  inChroot(folder, "chown", "-R", "asterisk:asterisk", inside);
}

function inChroot(folder: string, ...command: string[]): string {
  const { success, stdout, stderr } = Bun.spawnSync(["chroot", folder, ...command]);
  if (!success) throw new Error(`${command.join(" ")} failed: ${stdout.toString()}${stderr.toString()}`);
  return stdout.toString();
}

if (import.meta.main) {
  const { values } = parseArgs({ options: { folder: { type: "string" } } });
  if (values.folder === undefined) throw new Error("--folder DIR: where scripts/asterisk-peer built it.");
  const asterisk = await startAsterisk({ folder: values.folder, accounts: registeredAccount("2001", "s3cret") });
  console.log(`${asterisk.version}: UDP and TCP ${LOOPBACK}:${asterisk.ports.sip}, TLS ${asterisk.ports.tls}.`);
  console.log("The account 2001 has the secret s3cret; whom it can call is in scripts/asterisk-settings.ts.");
  for (const signal of ["SIGINT", "SIGTERM"])
    process.once(signal, () => void asterisk.stop().then(() => process.exit(0)));
  setInterval(() => {}, 60_000);
}
