// Overview page: setup checklist, figures of the period, and daily charts.
import { useLocation } from "preact-iso";
import { useEffect, useRef } from "preact/hooks";
import { api, call } from "../client.ts";
import { PageHead, Shown } from "../kit/parts.tsx";
import { useChanges, useLoaded, useWhileSeen } from "../data.ts";
import { addDays, todayIn } from "../format.ts";
import { useMay, useSession } from "../session.tsx";
import { common, said } from "../words.ts";
import { Checklist } from "./overview/checklist.tsx";
import { DayCharts } from "./overview/day-charts.tsx";
import { Tiles } from "./overview/tiles.tsx";
import { TrunkWarnings } from "./overview/trunk-warnings.tsx";

const words = said.overview.page;

const PERIODS = ["7", "14", "30", "90"] as const;
const USUAL_PERIOD = "14";
/** Throttles reloads, because many calls may change per second. */
const RELOAD_EVERY_MS = 5_000;
const LOOK_AT_TRUNKS_EVERY_MS = 15_000;

export function OverviewPage() {
  const { query } = useLocation();
  const { organisation } = useSession();
  const isOwner = useMay("owner");
  const days = PERIODS.find((period) => period === query["days"]) ?? USUAL_PERIOD;
  const numbers = useLoaded(() => call(api.overview.get({ query: { days } })), [days]);
  const checklist = useLoaded(() => call(api.checklist.get()), []);
  const trunks = useLoaded(() => call(api.trunks.get()), []);
  useWhileSeen(trunks.reload, LOOK_AT_TRUNKS_EVERY_MS);
  const reloadSoon = useAtMostEvery(RELOAD_EVERY_MS, () => {
    numbers.reload();
    checklist.reload();
  });
  useChanges("call", reloadSoon);
  useChanges("appointment", reloadSoon);

  return (
    <>
      <PageHead
        title={words.title}
        note={common.zoneNote(organisation.time_zone)}
        actions={<Periods chosen={days} />}
      />
      <TrunkWarnings from={trunks} />
      {isOwner && checklist.data !== null && <Checklist done={checklist.data} />}
      <Shown from={numbers} as="tiles">
        {(data) => (
          <>
            <Tiles numbers={data} from={addDays(todayIn(organisation.time_zone), 1 - Number(days))} />
            <DayCharts days={data.days} />
          </>
        )}
      </Shown>
    </>
  );
}

/** Links, so that the back button and bookmarks work. */
function Periods({ chosen }: { chosen: string }) {
  const { path } = useLocation();
  return (
    <div class="periods" role="group" aria-label={words.period}>
      {PERIODS.map((period) => (
        <a key={period} href={`${path}?days=${period}`} aria-current={period === chosen ? "true" : undefined}>
          {words.lastDays(period)}
        </a>
      ))}
    </div>
  );
}

function useAtMostEvery(ms: number, action: () => void): () => void {
  const latest = useRef(action);
  latest.current = action;
  const waiting = useRef<ReturnType<typeof setTimeout> | undefined>(undefined);
  useEffect(() => () => clearTimeout(waiting.current), []);
  return () => {
    waiting.current ??= setTimeout(() => {
      waiting.current = undefined;
      latest.current();
    }, ms);
  };
}
