// Audio quality over a bad network: the built-in voice passes through loss, jitter, reordering and duplicates, and the
// output of our receive path is compared with the input; so is the output of a plain telephone that hears us. Time is
// simulated, so the figures are the same on every machine. `./scripts/bench loss -- --seeds 5`
import { parseArgs } from "node:util";
import { loadFlite } from "../../src/speech/tts/flite.ts";
import { heardByPeer, heardByUs } from "../../test/support/impaired-call.ts";
import { BAD_NETWORK, GOOD_NETWORK, type Impairment } from "../../test/support/impaired-network.ts";
import type { Bench, Finding, How } from "./bench.ts";

const SENTENCE =
  "Good morning, this is the hospital. Your appointment with doctor Sharma is on Tuesday, the fifth of May, at ten thirty " +
  "in the morning. Please press one to confirm, two for another time, or three to speak to a person at the desk.";

const NETWORKS: Record<string, Impairment> = {
  "nothing wrong": GOOD_NETWORK,
  "1 % loss": { ...GOOD_NETWORK, lossShare: 0.01 },
  "3 % loss": { ...GOOD_NETWORK, lossShare: 0.03 },
  "50 ms jitter": { ...GOOD_NETWORK, jitterMs: 50 },
  "3 % loss, 50 ms jitter, 2 % held back by 30 ms, 2 % twice": BAD_NETWORK,
  "the same with losses of 3 packets in a row": { ...BAD_NETWORK, lossBurst: 3 },
  "the same with 10 % loss": { ...BAD_NETWORK, lossShare: 0.1 },
};

const mean = (numbers: readonly number[]) => numbers.reduce((sum, number) => sum + number, 0) / numbers.length;
const span = (numbers: readonly number[]) => [...new Set([Math.min(...numbers), Math.max(...numbers)])].join("–");

function over(name: string, network: Impairment, said: Int16Array, seeds: readonly number[]): Finding {
  const runs = seeds.map((seed) => ({
    us: heardByUs(said, { ...network, seed }),
    peer: heardByPeer(said, { ...network, seed }),
  }));
  const of = (figure: (run: (typeof runs)[number]) => number) => runs.map(figure);
  const number = (figure: (run: (typeof runs)[number]) => number) => mean(of(figure)).toFixed(1);
  const ours = mean(of(({ us }) => us.match.correlation));
  const theirs = mean(of(({ peer }) => peer.match.correlation));
  const lost = `${number(({ us }) => us.passage.lost)} lost, ${number(({ us }) => us.passage.outOfOrder)} out of order`;
  return {
    measure: `${name}: how alike is what we hear (${lost})`,
    here: `${ours.toFixed(4)}, ${number(({ us }) => us.match.gaps)} gaps, ${span(of(({ us }) => us.match.longestLagMs))} ms of delay`,
    against: `${theirs.toFixed(4)}, ${number(({ peer }) => peer.match.gaps)} gaps on a plain telephone`,
    ratio: ours / theirs,
    goal: "no worse",
    holds: ours >= theirs - 0.0001,
  };
}

async function run({ quick, args = [] }: How): Promise<Finding[]> {
  const { values } = parseArgs({ args, options: { seeds: { type: "string", default: quick ? "1" : "5" } } });
  const said = (await loadFlite())(SENTENCE);
  const seeds = Array.from({ length: Number(values.seeds) }, (_, i) => i + 1);
  const networks = Object.entries(NETWORKS).filter(
    ([, { lossShare }]) => !quick || lossShare === BAD_NETWORK.lossShare,
  );
  return networks.map(([name, network]) => over(name, network, said, seeds));
}

export const loss: Bench = {
  name: "loss",
  about: "what is heard over bad networks made of numbers, by us and by a plain telephone",
  withoutExecutable: true,
  run,
};
