// Formatting and statistics of figures.

export function quantile(figures: readonly number[], share: number): number {
  const sorted = figures.toSorted((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.max(0, Math.ceil(sorted.length * share) - 1))] ?? Number.NaN;
}

export const median = (figures: readonly number[]) => quantile(figures, 0.5);

export async function elapsedMs(act: () => unknown): Promise<number> {
  const startedMs = performance.now();
  await act();
  return performance.now() - startedMs;
}

/** Median of `times` sequential runs. */
export async function medianMs(times: number, act: (i: number) => unknown): Promise<number> {
  const each: number[] = [];
  for (let i = 0; i < times; i++) each.push(await elapsedMs(() => act(i)));
  return median(each);
}

export const count = (figure: number) => Math.round(figure).toLocaleString("en-US");
export const perSecond = (figure: number) => `${count(figure)}/s`;
export const percent = (share: number) => `${(share * 100).toFixed(share > 0.9 ? 2 : 1)} %`;

export function ms(figure: number): string {
  return `${figure >= 100 ? count(figure) : figure.toFixed(figure >= 10 ? 1 : 2)} ms`;
}
