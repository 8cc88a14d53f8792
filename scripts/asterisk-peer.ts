// Starts the Asterisk that scripts/asterisk-peer built, in a folder of its own, on loopback, and drives it from its
// command line. Run by itself it stays until Ctrl-C, for calls by hand.
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
  /** Signs its certificate. */
  caPem: string;
  /** Types a command at its console. */
  tell(command: string): string;
  channels(): string[];
  /** Into the files that there are, and taken at once. */
  addAccount(files: AccountFiles): void;
  /** What the person of this number heard in their last call. */
  heard(number: string): Int16Array;
  log(): string;
  /** SIGKILL, as where the machine loses power. */
  crash(): Promise<void>;
  /** As an administrator does it: every call is ended before. */
  shutDown(): Promise<void>;
  start(): Promise<void>;
  /** While it is down: whom it had registered is lost with its database. */
  forgetRegistrations(): void;
  stop(): Promise<void>;
}

/** What its people say, three times over, and its music. */
export const ITS_WORDS = speechLike(2, 21);
export const ITS_MUSIC = speechLike(6, 22);

const MODULES_LOADED = /Asterisk has fully booted|fully booted/i;

/** Not as root, and never longer than whoever started it. */
const AS_ASTERISK = ["setpriv", "--reuid=asterisk", "--regid=asterisk", "--clear-groups", "--pdeathsig=KILL"];

export interface AsteriskOptions {
  /** Where scripts/asterisk-peer built it. */
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

/** The folder of this Asterisk inside the chroot: its settings, its certificate and its sounds. */
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
