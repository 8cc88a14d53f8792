// The table of ./scripts/voice-hindi.

export interface HindiResult {
  decoder: string;
  voice: string;
  sentence: number;
  seed: number;
  errors: number;
  letters: number;
  /** Seconds of speech. */
  seconds: number;
  cpuSeconds: number;
  heard: string;
}

const sumOf = (results: readonly HindiResult[], value: (result: HindiResult) => number): number =>
  results.reduce((sum, result) => sum + value(result), 0);

/** In percent, over all letters, not the mean of the sentences. */
export const errorRate = (results: readonly HindiResult[]): number =>
  (100 * sumOf(results, ({ errors }) => errors)) /
  Math.max(
    1,
    sumOf(results, ({ letters }) => letters),
  );

/** More errors than letters: the recogniser was in a repetition loop, which says little about the voice. */
const isLoop = ({ errors, letters }: HindiResult): boolean => errors > letters;

function lineOf(name: string, results: readonly HindiResult[]): string {
  const { length } = results;
  const cpu =
    sumOf(results, ({ cpuSeconds }) => cpuSeconds) /
    Math.max(
      0.001,
      sumOf(results, ({ seconds }) => seconds),
    );
  const clean = results.filter((result) => !isLoop(result));
  return [
    name.padEnd(26),
    String(length).padStart(6),
    `${errorRate(results).toFixed(1)} %`.padStart(8),
    String(length - clean.length).padStart(6),
    `${errorRate(clean).toFixed(1)} %`.padStart(12),
    cpu.toFixed(3).padStart(8),
  ].join(" ");
}

/**
 * By how many percentage points the second decoder is better than the first, with a 95 % bootstrap interval of 2,000
 * resamples of sentences: sentences vary more than voices and seeds.
 */
export function difference(results: readonly HindiResult[], first: string, second: string): [number, number, number] {
  const bySentence = Map.groupBy(results, ({ sentence }) => sentence);
  const sentences = [...bySentence.values()];
  const gain = (drawn: readonly (readonly HindiResult[])[]): number => {
    const all = drawn.flat();
    return (
      errorRate(all.filter(({ decoder }) => decoder === first)) - errorRate(all.filter((r) => r.decoder === second))
    );
  };
  let state = 1;
  const chance = () => (state = (state * 16_807) % 2_147_483_647) / 2_147_483_647;
  const draws = Array.from({ length: 2_000 }, () =>
    gain(sentences.map(() => sentences[Math.floor(chance() * sentences.length)] ?? [])),
  ).toSorted((a, b) => a - b);
  return [gain(sentences), draws[50] ?? 0, draws[1_949] ?? 0];
}

export function hindiTable(results: readonly HindiResult[]): string {
  const decoders = [...new Set(results.map(({ decoder }) => decoder))];
  const values = (of: "voice" | "seed") =>
    [...new Set(results.map((result) => result[of]))].toSorted((a, b) => (a < b ? -1 : 1));
  const rows = decoders.flatMap((decoder) => {
    const own = results.filter((result) => result.decoder === decoder);
    return [
      lineOf(decoder, own),
      ...values("voice").map((voice) =>
        lineOf(
          `  ${voice}`,
          own.filter((result) => result.voice === voice),
        ),
      ),
      ...values("seed").map((seed) =>
        lineOf(
          `  seed ${seed}`,
          own.filter((result) => result.seed === seed),
        ),
      ),
    ];
  });
  const head = `${"decoder".padEnd(26)} ${"heard".padStart(6)} ${"errors".padStart(8)} ${"loops".padStart(6)} ${"without".padStart(12)} ${"CPU".padStart(8)}`;
  const [gain, least, most] = difference(results, "english", "hindi");
  const sentences = new Set(results.map(({ sentence }) => sentence)).size;
  return [
    head,
    ...rows,
    `${sentences} sentences. The Hindi decoder has ${gain.toFixed(1)} points fewer errors (95 %: ${least.toFixed(1)} to ${most.toFixed(1)}).`,
  ].join("\n");
}
