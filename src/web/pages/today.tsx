// Today: what is live now, then the worklist: items that need a person, each with its next step.
import { useLocation } from "preact-iso";
import { useState } from "preact/hooks";
import type { WorklistPage } from "../../worklist/worklist-view.ts";
import { api, call } from "../client.ts";
import { Button, LinkButton, PageHead, Shown } from "../kit/parts.tsx";
import { useChanges, useLoaded } from "../data.ts";
import { formatNumber } from "../format.ts";
import { useMay, useSession } from "../session.tsx";
import { common, said } from "../words.ts";
import { NewCall } from "./calls/new-call.tsx";
import { useCalmly } from "./calls/use-live.ts";
import { CAMPAIGNS_PATH } from "./campaigns/campaign.ts";
import { MoreRows } from "../kit/more-rows.tsx";
import { usePages } from "../kit/use-pages.ts";
import { DoneList, OpenList } from "./today/items.tsx";
import { Notices } from "./today/notices.tsx";
import { NowCard } from "./today/now.tsx";
import { TODAY_PATH } from "./today/paths.ts";
import { Waiting } from "./today/waiting.tsx";
import { given } from "../given.ts";

const words = said.today;

type Kind = WorklistPage["data"][number]["kind"];

export function TodayPage() {
  const { query } = useLocation();
  const isStaff = useMay("staff");
  const zone = useSession().organisation.time_zone;
  const kind = Object.keys(words.kinds).find((known) => known === query["kind"]) as Kind | undefined;
  const list = usePages<WorklistPage>((cursor) => call(api.worklist.get({ query: given({ kind, cursor }) })), [kind]);
  const health = useLoaded(() => call(api.health.get()), []);
  const reload = useCalmly(() => {
    list.first.reload();
    health.reload();
  });
  useChanges("worklist", reload);
  // A call that is planned or ends changes the next step.
  useChanges("call", reload);
  return (
    <>
      <PageHead
        title={words.title}
        note={`${words.note} ${common.zoneNote(zone)}`}
        actions={isStaff && <HeadActions onCreated={reload} />}
      />
      <Notices health={health} />
      <NowCard />
      <Shown from={list.first} as="rows">
        {({ counts, waiting, done }) => (
          <>
            <Kinds counts={counts} chosen={kind} />
            {list.rows.length === 0 ? (
              <div class="card empty">{kind === undefined ? words.nothing : words.nothingOfKind}</div>
            ) : (
              <OpenList items={list.rows} onChanged={list.first.reload} />
            )}
            <MoreRows list={list} />
            <Waiting waiting={waiting} />
            {done.length > 0 && <DoneList items={done} onChanged={list.first.reload} />}
          </>
        )}
      </Shown>
    </>
  );
}

function HeadActions({ onCreated }: { onCreated: () => void }) {
  const agents = useLoaded(() => call(api.agents.get()), []);
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <LinkButton href={`${CAMPAIGNS_PATH}/new`} label={said.campaigns.list.new} />
      <Button kind="primary" onClick={() => setOpen(true)} label={said.calls.page.newCall} />
      <NewCall open={isOpen} onClose={() => setOpen(false)} agents={agents} onCreated={onCreated} />
    </>
  );
}

/** Links, so that the back button and bookmarks work. Lists only kinds with open items. */
function Kinds({ counts, chosen }: { counts: Record<string, number>; chosen: string | undefined }) {
  const kinds = Object.entries(words.kinds).filter(([kind]) => (counts[kind] ?? 0) > 0 || kind === chosen);
  const all = Object.values(counts).reduce((sum, count) => sum + count, 0);
  if (kinds.length < 2 && chosen === undefined) return null;
  return (
    <div class="periods worklist-kinds" role="group" aria-label={words.filter}>
      <a href={TODAY_PATH} aria-current={chosen === undefined ? "true" : undefined}>
        {words.all} <span class="count">{formatNumber(all)}</span>
      </a>
      {kinds.map(([kind, text]) => (
        <a key={kind} href={`${TODAY_PATH}?kind=${kind}`} aria-current={kind === chosen ? "true" : undefined}>
          {text} <span class="count">{formatNumber(counts[kind] ?? 0)}</span>
        </a>
      ))}
    </div>
  );
}
