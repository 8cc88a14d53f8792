// Top of Today: live calls with a running clock, running campaigns, and what became of today's calls.
import { useEffect, useState } from "preact/hooks";
import type { Now } from "../../../dashboard/now.ts";
import { api, call } from "../../client.ts";
import { useChanges, useLoaded, type Loaded } from "../../data.ts";
import { formatClock, formatNumber } from "../../format.ts";
import { Problem } from "../../kit/parts.tsx";
import { Phone } from "../../kit/phone.tsx";
import { said } from "../../words.ts";
import { contactText, stateText } from "../calls/call-words.ts";
import { CALLS_PATH } from "../calls/filters.ts";
import { useCalmly } from "../calls/use-live.ts";
import { CAMPAIGNS_PATH, doneText, isLive, type Campaign } from "../campaigns/campaign.ts";
import { ProgressBar } from "../campaigns/progress-bar.tsx";

const words = said.today.now;

type View = Awaited<ReturnType<Now["look"]>>;

export function NowCard() {
  const now = useLoaded<View>(() => call(api.now.get()), []);
  const campaigns = useLoaded(() => call(api.campaigns.get({ query: {} })), []);
  const reload = useCalmly(() => {
    now.reload();
    if (campaigns.data?.data.some(isLive)) campaigns.reload();
  });
  useChanges("call", reload);
  useChanges("appointment", reload);
  useChanges("campaign", campaigns.reload);
  const { data } = now;
  return (
    <section class="card now" aria-label={words.title}>
      <Problem text={now.error} onRetry={now.reload} />
      {data && <Figures view={data} />}
      {data && <LiveCalls view={data} />}
      <Running campaigns={campaigns} />
    </section>
  );
}

function Figures({ view: { queued, has_more_queued, live, has_more_live, today } }: { view: View }) {
  const atLeast = (count: number, hasMore: boolean) => `${formatNumber(count)}${hasMore ? "+" : ""}`;
  const figures: [label: string, value: string, href: string][] = [
    [words.live, atLeast(live.length, has_more_live), CALLS_PATH],
    [words.queued, atLeast(queued, has_more_queued), `${CALLS_PATH}?status=queued`],
    [words.booked, formatNumber(today.booked), `${CALLS_PATH}?outcome=appointment_booked`],
    [words.confirmed, formatNumber(today.confirmed), CALLS_PATH],
    [words.notReached, formatNumber(today.not_reached), `${CALLS_PATH}?status=failed`],
  ];
  return (
    <dl class="now-figures">
      {figures.map(([label, value, href]) => (
        <div key={label}>
          <dt>{label}</dt>
          <dd>
            <a href={href}>{value}</a>
          </dd>
        </div>
      ))}
    </dl>
  );
}

function LiveCalls({ view: { live, at, has_more_live } }: { view: View }) {
  const passed = useSeconds(live.length > 0, at);
  if (live.length === 0) return null;
  return (
    <ul class="now-calls">
      {live.map((row) => (
        <li key={row.call_id}>
          <span class="live-dot" aria-hidden="true" />
          <a href={`${CALLS_PATH}/${row.call_id}`}>{contactText(row)}</a>
          <Phone number={row.contact_number} />
          <span class="note">{words.with(stateText(row.status), row.agent_name)}</span>
          <span class="now-clock">{formatClock(secondsBetween(row.since, at) + passed)}</span>
        </li>
      ))}
      {has_more_live && (
        <li>
          <a href={CALLS_PATH}>{words.more}</a>
        </li>
      )}
    </ul>
  );
}

function Running({ campaigns }: { campaigns: Loaded<{ data: Campaign[] }> }) {
  const running = (campaigns.data?.data ?? []).filter(isLive);
  if (running.length === 0) return null;
  return (
    <ul class="now-campaigns">
      {running.map((campaign) => (
        <li key={campaign.campaign_id} class="cell-progress">
          <a href={`${CAMPAIGNS_PATH}/${campaign.campaign_id}`}>{campaign.name}</a>
          <ProgressBar campaign={campaign} label={doneText(campaign)} />
          <small class="note">{doneText(campaign)}</small>
        </li>
      ))}
    </ul>
  );
}

const secondsBetween = (from: string, to: string) =>
  Math.max(0, Math.floor((Date.parse(to) - Date.parse(from)) / 1_000));

/** Seconds since the answer `at` arrived, by this page's own clock. */
function useSeconds(isOn: boolean, at: string): number {
  const [seconds, setSeconds] = useState(0);
  useEffect(() => {
    setSeconds(0);
    if (!isOn) return undefined;
    const startedMs = performance.now();
    const timer = setInterval(() => setSeconds(Math.floor((performance.now() - startedMs) / 1_000)), 1_000);
    return () => clearInterval(timer);
  }, [isOn, at]);
  return seconds;
}
