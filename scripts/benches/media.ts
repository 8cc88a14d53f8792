// Calls per core: N two-way streams with recording in one Worker, G.711 and G.722 side by side.
// `./scripts/bench media -- --calls 100,200,… --seconds 10 --codecs PCMA,G722 --no-recording --srtp`
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { CODECS, type Codec } from "../../src/audio/codec.ts";
import { audioPorts } from "../../test/support/free-ports.ts";
import type { Bench, Finding, How } from "./bench.ts";
import { count, ms, percent } from "./figures.ts";
import { costOfASecond, inWorker, type Outcome } from "./media-round.ts";

const ON_TIME_GOAL = 0.99;
/** Room for 1,200 calls. */
const AUDIO_PORTS = 2_400;
const SECOND_MS = 1_000;

interface Asked {
  calls: number[];
  seconds: number;
  codecs: Codec[];
  isRecorded: boolean;
  isEncrypted: boolean;
}

function askedFor({ quick, args = [] }: How): Asked {
  const { values } = parseArgs({
    args,
    options: {
      calls: { type: "string", default: quick ? "50,100" : "100,200,300,400,500,600,700,800,900,1000" },
      seconds: { type: "string", default: quick ? "1" : "10" },
      codecs: { type: "string", default: quick ? "PCMA" : "PCMA,G722" },
      "no-recording": { type: "boolean", default: false },
      srtp: { type: "boolean", default: false },
    },
  });
  return {
    calls: values.calls.split(",").map(Number),
    seconds: Number(values.seconds),
    codecs: CODECS.filter((codec) => values.codecs.split(",").includes(codec)).toReversed(),
    isRecorded: !values["no-recording"],
    isEncrypted: values.srtp,
  };
}

interface Round {
  codec: Codec;
  calls: number;
  outcome: Outcome;
}

/** Another process that returns every packet. */
export async function startReflector(): Promise<{ port: number; stop: () => void }> {
  const script = join(import.meta.dir, "media-round.ts");
  const reflector = Bun.spawn([process.execPath, script, "--reflector"], { stdout: "pipe" });
  const { value: line } = await reflector.stdout.getReader().read();
  return { port: Number(new TextDecoder().decode(line)), stop: () => reflector.kill() };
}

async function rounds({ calls, seconds, codecs, isRecorded, isEncrypted }: Asked): Promise<Round[]> {
  const reflector = await startReflector();
  const portRange = audioPorts(AUDIO_PORTS);
  const done: Round[] = [];
  try {
    for (const each of calls) {
      for (const codec of codecs) {
        const folder = isRecorded ? mkdtempSync(join(tmpdir(), "ringward-bench-")) : null;
        const round = { codec, calls: each, seconds, folder, reflectorPort: reflector.port, portRange, isEncrypted };
        const outcome = await inWorker(round);
        if (folder) rmSync(folder, { recursive: true });
        done.push({ codec, calls: each, outcome });
        console.error(`  ${codec} ${each}: ${JSON.stringify(outcome)}`);
      }
    }
  } finally {
    reflector.stop();
  }
  return done;
}

/** The largest round against the smallest. */
function findingOf(codec: Codec, all: readonly Round[], isEncrypted: boolean): Finding[] {
  const ours = all.filter((round) => round.codec === codec);
  const isGood = ({ outcome }: Round) => outcome.onTimeShare >= ON_TIME_GOAL;
  const smallest = ours[0];
  const most = ours.findLast(isGood) ?? smallest;
  if (!smallest || !most) return [];
  const shareOf = ({ calls, outcome }: Round) => outcome.cpuShare / calls;
  const how = isEncrypted ? `${codec}, encrypted` : codec;
  return [
    {
      measure: `${how}: two-way streams with ${ON_TIME_GOAL * 100} % of packets within 5 ms, of those tried`,
      here: `${count(isGood(most) ? most.calls : 0)}: ${percent(most.outcome.onTimeShare)}, ${percent(shareOf(most))} of a core each`,
      against: `${count(smallest.calls)}: ${percent(smallest.outcome.onTimeShare)}, ${percent(shareOf(smallest))} of a core each`,
      ratio: shareOf(most) / shareOf(smallest),
      goal: `${ON_TIME_GOAL * 100} % with ${count(smallest.calls)}`,
      holds: isGood(smallest),
    },
  ];
}

function costOf(codec: Codec): Finding {
  const { sayMs, hearMs } = costOfASecond(codec);
  return {
    measure: `${codec}: processor time for a second of speech`,
    here: `${ms(sayMs)} to say, ${ms(hearMs)} to hear`,
    against: "a second of one core",
    ratio: (sayMs + hearMs) / SECOND_MS,
    goal: null,
    holds: null,
  };
}

async function run(how: How): Promise<Finding[]> {
  const asked = askedFor(how);
  const all = await rounds(asked);
  return asked.codecs.flatMap((codec) => [...findingOf(codec, all, asked.isEncrypted), costOf(codec)]);
}

export const media: Bench = {
  name: "media",
  about: "how many two-way streams with recording one core carries, and what a second of speech costs",
  withoutExecutable: true,
  run,
};
