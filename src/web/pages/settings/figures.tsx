// How late calls went out in the last days, and how many events were delivered: figures of the appliance itself.
import { api, call } from "../../client.ts";
import { useLoaded } from "../../data.ts";
import { formatDuration, formatNumber, formatShare, unitText } from "../../format.ts";
import { isPageOpen } from "../../pages.ts";
import { useSession } from "../../session.tsx";
import { said } from "../../words.ts";

const words = said.system.figures;

/** Of the whole organisation, as the overview is: null for people who do not see it. */
export function useFigures() {
  const { person } = useSession();
  const mayRead = isPageOpen(person, "overview");
  return useLoaded(async () => (mayRead ? call(api.figures.get()) : null), [mayRead]).data;
}

export type Figures = NonNullable<ReturnType<typeof useFigures>>;

/** Rows of a list of facts. */
export function queueDelayRows(figures: Figures | null): readonly (readonly [label: string, value: string])[] {
  if (figures === null) return [];
  const { days, average_lateness_ms: lateMs } = figures;
  const delay = lateMs === null ? words.noLateness : words.latenessNote(formatLateness(lateMs));
  return [[words.lateness(formatNumber(days)), delay]];
}

/** A line above the delivery log. */
export function WebhookSuccess() {
  const figures = useFigures();
  if (figures === null) return null;
  const { days, webhook_success_rate: rate } = figures;
  const of = formatNumber(days);
  return <p class="note">{rate === null ? words.noWebhooks(of) : words.webhooks(formatShare(rate), of)}</p>;
}

/** Tenths matter below a minute: half a second of delay is fine, five seconds are not. */
const formatLateness = (ms: number): string =>
  ms < 60_000 ? unitText(Math.max(0, ms) / 1_000, "second") : formatDuration(ms / 1_000);
