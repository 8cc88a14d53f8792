// What stands where something is still being fetched: its outline, and a word for whoever listens.
import { common } from "../words.ts";

/** How many of them a page has at a glance. */
const COUNTS = { line: 1, lines: 4, rows: 8, tiles: 6, cards: 2, week: 7 } as const;

export type SkeletonShape = keyof typeof COUNTS;

interface SkeletonProps {
  shape?: SkeletonShape;
  /** What is being done, where it is more than fetching. */
  label?: string;
}

export function Skeleton({ shape = "lines", label = common.loading }: SkeletonProps) {
  return (
    <div class={`skeleton ${shape}`} role="status">
      <span class="visually-hidden">{label}</span>
      {Array.from({ length: COUNTS[shape] }, (_, index) => (
        <span key={index} class="bone" />
      ))}
    </div>
  );
}
