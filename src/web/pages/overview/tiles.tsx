// Figures of the period, each with a label and a link to the items it counts.
import type { api, call } from "../../client.ts";
import { formatDuration, formatNumber, formatShare } from "../../format.ts";
import { said } from "../../words.ts";
import { addressOf, NO_FILTERS } from "../calls/filters.ts";

export type Numbers = Awaited<ReturnType<typeof call<Awaited<ReturnType<typeof api.overview.get>>["data"]>>>;

const words = said.overview.tiles;

/** `from`: the first day counted. */
export function Tiles({ numbers, from }: { numbers: Numbers; from: string }) {
  const { bookings, average_lateness_ms: lateMs } = numbers;
  const tiles: readonly (readonly [label: string, value: string, note: string, leadsTo: string])[] = [
    [words.connect.name, formatShare(numbers.connect_rate), words.connect.note, addressOf({ ...NO_FILTERS, from })],
    [
      words.duration.name,
      formatDuration(numbers.average_duration_seconds),
      words.duration.note,
      addressOf({ ...NO_FILTERS, from, status: "completed" }),
    ],
    [words.bookings, formatNumber(bookings.all), words.byAi(formatNumber(bookings.ai)), "/dashboard/calendar"],
    [
      words.webhooks.name,
      formatShare(numbers.webhook_success_rate),
      words.webhooks.note,
      "/dashboard/developers/deliveries",
    ],
    [
      words.lateness.name,
      lateMs === null ? "–" : formatLateness(lateMs),
      words.lateness.note,
      addressOf({ ...NO_FILTERS, from }),
    ],
    [
      words.credits,
      numbers.credit_balance === null ? words.unlimited : formatNumber(numbers.credit_balance),
      words.creditsUsed(formatNumber(numbers.credits_used)),
      "/dashboard/settings/plan",
    ],
  ];
  return (
    <dl class="tiles overview-tiles">
      {tiles.map(([label, value, note, leadsTo]) => (
        <div class="tile" key={label}>
          <dt>
            <a class="tile-link" href={leadsTo}>
              {label}
            </a>
          </dt>
          <dd>
            <strong>{value}</strong>
            <span>{note}</span>
          </dd>
        </div>
      ))}
    </dl>
  );
}

/** Tenths matter below a minute: half a second of delay is fine, five seconds are not. */
function formatLateness(ms: number): string {
  return ms < 60_000 ? `${formatNumber(Math.max(0, ms) / 1_000)} s` : formatDuration(ms / 1_000);
}
