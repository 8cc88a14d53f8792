// The same appliance with and without encryption at rest: calls created, read and listed over HTTP, where the same
// clients load both servers in turns; and the audio of recorded calls.
import { randomBytes } from "node:crypto";
import { rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { newRootKey } from "../../src/core/secret-box.ts";
import { audioPorts } from "../../test/support/free-ports.ts";
import { startBinary, tempFolder } from "../../test/support/binary.ts";
import type { Bench, Finding, How } from "./bench.ts";
import { startReflector } from "./media.ts";
import { inWorker } from "./media-round.ts";
import { count, percent, perSecond } from "./figures.ts";
import { requestText, wrkPath } from "./http-load.ts";
import { CLIENTS, inTurns, readsOf, requestsOf, type Side, type SideLoad } from "./http-sides.ts";

const LEAST = 0.9;
/** Different lists, of 1 to this many calls. */
const LISTS = 50;

async function run({ quick }: How): Promise<Finding[]> {
  wrkPath();
  const key = join(tempFolder(), "root.key");
  writeFileSync(key, newRootKey().toString("base64"));
  const [plain, encrypted] = [await startSide({}), await startSide({ RINGWARD_SECURITY__KEY_FILE: key })];
  const how = quick ? { rounds: 3, seconds: 1 } : { rounds: 9, seconds: 3 };
  const found: Finding[] = [];
  for (const [name, measure] of MEASURES) {
    const loads = await inTurns({ plain: await plain[name](), encrypted: await encrypted[name]() }, how);
    found.push(rateOf(`${measure}, ${CLIENTS} clients`, loads), cpuOf(measure, loads));
  }
  await Promise.all([plain.stop(), encrypted.stop()]);
  return [...found, await audioOf(quick)];
}

const AUDIO_CALLS = 200;
const PORTS_PER_CALL = 2;

/** Two-way streams with recordings, in turns; both sides record the same sound. */
async function audioOf(quick: boolean): Promise<Finding> {
  const reflector = await startReflector();
  const portRange = audioPorts(AUDIO_CALLS * PORTS_PER_CALL);
  const fileKey = { id: "bench", key: randomBytes(32) };
  const shares = { plain: [] as number[], encrypted: [] as number[] };
  try {
    for (let round = 0; round < (quick ? 1 : 5); round++) {
      for (const side of ["plain", "encrypted"] as const) {
        const folder = tempFolder();
        const outcome = await inWorker({
          codec: "PCMA",
          calls: AUDIO_CALLS,
          seconds: quick ? 2 : 10,
          folder,
          reflectorPort: reflector.port,
          portRange,
          isEncrypted: false,
          ...(side === "encrypted" && { fileKey }),
        });
        rmSync(folder, { recursive: true });
        shares[side].push(outcome.cpuShare);
      }
    }
  } finally {
    reflector.stop();
  }
  const [plain, encrypted] = [middleOf(shares.plain), middleOf(shares.encrypted)];
  return {
    measure: `CPU of ${AUDIO_CALLS} recorded calls`,
    here: `${percent(encrypted)} of a core`,
    against: `${percent(plain)}: plain`,
    // As with requests: what the same core carries.
    ratio: plain / encrypted,
    goal: `≥ ${LEAST}`,
    holds: plain / encrypted >= LEAST,
  };
}

const middleOf = (values: readonly number[]): number => values.toSorted((a, b) => a - b)[values.length >> 1] ?? 0;

const MEASURES = [
  ["read", "GET /v1/calls/{id}"],
  ["list", "GET /v1/calls"],
  ["create", "POST /v1/calls"],
] as const;

async function startSide(more: Record<string, string>) {
  const env = { RINGWARD_PLANS__BASE__REQUESTS_PER_MINUTE: "unlimited", RINGWARD_LOG__LEVEL: "error", ...more };
  const server = await startBinary({ env });
  const { at, headers, bodies, createWith } = requestsOf(server);
  const lists = Array.from({ length: LISTS }, (_, n) =>
    requestText("GET", `/v1/calls?limit=${1 + (n % LISTS)}`, headers),
  );
  return {
    create: async (): Promise<Side> => ({ ...at, requests: createWith({}) }),
    read: () => readsOf(at, headers, bodies),
    list: async (): Promise<Side> => ({ ...at, requests: lists }),
    stop: () => server.stop(),
  };
}

interface Loads {
  plain: SideLoad;
  encrypted: SideLoad;
}

function rateOf(measure: string, { plain, encrypted }: Loads): Finding {
  const ratio = encrypted.perSecond / plain.perSecond;
  return {
    measure,
    here: perSecond(encrypted.perSecond),
    against: `${perSecond(plain.perSecond)}: plain`,
    ratio,
    goal: `≥ ${LEAST}`,
    holds: ratio >= LEAST,
  };
}

const cpuOf = (measure: string, { plain, encrypted }: Loads): Finding => ({
  measure: `CPU of ${measure}`,
  here: `${count(encrypted.cpuUs)} µs`,
  against: `${count(plain.cpuUs)} µs: plain`,
  ratio: encrypted.cpuUs / plain.cpuUs,
  goal: null,
  holds: null,
});

export const encryption: Bench = {
  name: "encryption",
  about: "calls created, read, listed and recorded with encryption at rest, beside the same without it",
  run,
};
