// Figures of the period, each with a label, its change against the period before, and a link to the items it counts.
import type { api, call } from "../../client.ts";
import { formatDuration, formatNumber, formatShare } from "../../format.ts";
import { said } from "../../words.ts";
import { addressOf, NO_FILTERS } from "../calls/filters.ts";
import { changeOfNumber, changeOfShare, type Change } from "./change.ts";

export type Numbers = Awaited<ReturnType<typeof call<Awaited<ReturnType<typeof api.overview.get>>["data"]>>>;

const words = said.overview.tiles;

interface Tile {
  label: string;
  value: string;
  note: string;
  change: Change;
  leadsTo: string;
}

/** `from`: the first day counted. */
export function Tiles({ numbers, from }: { numbers: Numbers; from: string }) {
  const { bookings, before } = numbers;
  const tiles: readonly Tile[] = [
    {
      label: words.connect.name,
      value: formatShare(numbers.connect_rate),
      note: words.connect.note,
      change: changeOfShare(numbers.connect_rate, before.connect_rate),
      leadsTo: addressOf({ ...NO_FILTERS, from }),
    },
    {
      label: words.duration.name,
      value: formatDuration(numbers.average_duration_seconds),
      note: words.duration.note,
      change: changeOfNumber(numbers.average_duration_seconds, before.average_duration_seconds),
      leadsTo: addressOf({ ...NO_FILTERS, from, status: "completed" }),
    },
    {
      label: words.bookings,
      value: formatNumber(bookings.all),
      note: words.byAi(formatNumber(bookings.ai)),
      change: changeOfNumber(bookings.all, before.bookings.all),
      leadsTo: "/dashboard/calendar",
    },
    {
      label: words.credits,
      value: numbers.credit_balance === null ? words.unlimited : formatNumber(numbers.credit_balance),
      note: words.creditsUsed(formatNumber(numbers.credits_used)),
      change: changeOfNumber(numbers.credits_used, before.credits_used),
      leadsTo: "/dashboard/settings/plan",
    },
  ];
  return (
    <dl class="tiles overview-tiles">
      {tiles.map(({ label, value, note, change, leadsTo }) => (
        <div class="tile" key={label}>
          <dt>
            <a class="tile-link" href={leadsTo}>
              {label}
            </a>
          </dt>
          <dd>
            <strong>{value}</strong>
            <span>{note}</span>
            {change !== null && <span class="tile-change">{changeText(change)}</span>}
          </dd>
        </div>
      ))}
    </dl>
  );
}

function changeText({ by, unit }: NonNullable<Change>): string {
  if (by === 0) return words.same;
  const signed = `${by > 0 ? "+" : "−"}${formatNumber(Math.abs(by))}`;
  return words.change(unit === "points" ? words.points(signed) : `${signed}%`);
}
