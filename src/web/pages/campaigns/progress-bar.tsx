// Progress of a campaign as one bar: called, in progress, and remaining. Drawn as SVG, because the content security
// policy forbids inline styles.
import type { Campaign } from "./campaign.ts";

const LENGTH = 1_000;

export function ProgressBar({
  campaign: { progress, rows },
  label,
}: {
  campaign: Pick<Campaign, "progress" | "rows">;
  label: string;
}) {
  const lengthOf = (count: number) => (rows === 0 ? 0 : (count / rows) * LENGTH);
  const failed = Math.min(progress.failed, progress.done);
  const parts = [
    ["reached", progress.done - failed],
    ["failed", failed],
    ["calling", progress.calling],
    ["cancelled", progress.cancelled],
  ] as const;
  let from = 0;
  return (
    <svg class="campaign-bar" viewBox={`0 0 ${LENGTH} 10`} preserveAspectRatio="none" role="img" aria-label={label}>
      <rect class="rest" x={0} y={0} width={LENGTH} height={10} />
      {parts.map(([name, count]) => {
        const x = from;
        from += lengthOf(count);
        return count === 0 ? null : <rect key={name} class={name} x={x} y={0} width={lengthOf(count)} height={10} />;
      })}
    </svg>
  );
}
