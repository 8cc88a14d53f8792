// The numbers of the period at a glance, each with the words that say what it counts.
import type { api, call } from "../../client.ts";
import { formatDuration, formatNumber, formatShare } from "../../format.ts";
import { said } from "../../words.ts";

export type Numbers = Awaited<ReturnType<typeof call<Awaited<ReturnType<typeof api.overview.get>>["data"]>>>;

const words = said.overview.tiles;

export function Tiles({ numbers }: { numbers: Numbers }) {
  const { bookings, average_lateness_ms: lateMs } = numbers;
  const tiles: readonly (readonly [label: string, value: string, note: string])[] = [
    [words.connect.name, formatShare(numbers.connect_rate), words.connect.note],
    [words.duration.name, formatDuration(numbers.average_duration_seconds), words.duration.note],
    [words.bookings, formatNumber(bookings.all), words.byAi(formatNumber(bookings.ai))],
    [words.webhooks.name, formatShare(numbers.webhook_success_rate), words.webhooks.note],
    [words.lateness.name, lateMs === null ? "–" : formatLateness(lateMs), words.lateness.note],
    [
      words.credits,
      numbers.credit_balance === null ? words.unlimited : formatNumber(numbers.credit_balance),
      words.creditsUsed(formatNumber(numbers.credits_used)),
    ],
  ];
  return (
    <dl class="tiles overview-tiles">
      {tiles.map(([label, value, note]) => (
        <div class="tile" key={label}>
          <dt>{label}</dt>
          <dd>
            <strong>{value}</strong>
            <span>{note}</span>
          </dd>
        </div>
      ))}
    </dl>
  );
}

/** Tenths matter below a minute: half a second is fine, five are not. */
function formatLateness(ms: number): string {
  return ms < 60_000 ? `${formatNumber(Math.max(0, ms) / 1_000)} s` : formatDuration(ms / 1_000);
}
