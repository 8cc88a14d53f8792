// Skeleton of content that is loading: its outline, and a text for screen readers.
import { common } from "../words.ts";

/** Number of shapes that fill a page. */
const COUNTS = { line: 1, lines: 4, rows: 8, tiles: 4, cards: 2, week: 7 } as const;

export type SkeletonShape = keyof typeof COUNTS;

interface SkeletonProps {
  shape?: SkeletonShape;
  /** What is in progress, if it is more than loading. */
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
