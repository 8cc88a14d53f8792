// The list of calls: live, narrowed by filters that the address keeps, and the place where a new call begins.
import { useEffect, useState } from "preact/hooks";
import { useLocation } from "preact-iso";
import { api, call } from "../client.ts";
import { Button, Card, PageHead, Shown } from "../components/parts.tsx";
import type { CallListRow } from "../../dashboard/call-page.ts";
import { useLoaded } from "../data.ts";
import { useMay, useSession } from "../session.tsx";
import { common, said } from "../words.ts";
import { useCallList } from "./calls/call-list.ts";
import { CallTable } from "./calls/call-table.tsx";
import { CancelCall } from "./calls/cancel-call.tsx";
import { FilterBar } from "./calls/filter-bar.tsx";
import { addressOf, filtersOf, isNarrowed, NO_FILTERS, rememberList } from "./calls/filters.ts";
import { NewCall } from "./calls/new-call.tsx";

const words = said.calls.page;

export function CallsPage() {
  const { query, route } = useLocation();
  const zone = useSession().organisation.time_zone;
  const isStaff = useMay("staff");
  const filters = filtersOf(query);
  const { list, isBehind, showMore } = useCallList(filters, zone);
  const agents = useLoaded(() => call(api.agents.get()), []);
  const [isNewOpen, setNewOpen] = useState(false);
  const [toCancel, setToCancel] = useState<CallListRow | null>(null);
  useEffect(() => rememberList(filters), [addressOf(filters)]);

  const openNew = () => setNewOpen(true);
  const newButton = isStaff && (
    <Button kind="primary" onClick={openNew}>
      {words.newCall}
    </Button>
  );
  const empty = isNarrowed(filters) ? (
    <>
      <p>{words.noneMatch}</p>
      <Button onClick={() => route(addressOf(NO_FILTERS), true)}>{words.showAll}</Button>
    </>
  ) : (
    <>
      <p>{words.none}</p>
      {isStaff && <Button onClick={openNew}>{words.newCall}</Button>}
    </>
  );

  return (
    <>
      <PageHead title={words.title} note={words.note(zone)} actions={newButton} />
      <Card>
        <FilterBar
          filters={filters}
          agents={agents.data ?? []}
          onChange={(changed) => route(addressOf(changed), true)}
        />
        <Shown from={list} isEmpty={({ rows }) => rows.length === 0} empty={empty}>
          {({ rows, hasMore }) => (
            <>
              <CallTable rows={rows} zone={zone} busy={isBehind} onCancel={isStaff ? setToCancel : undefined} />
              {hasMore && (
                <Button busy={isBehind} onClick={showMore}>
                  {common.more}
                </Button>
              )}
            </>
          )}
        </Shown>
      </Card>
      {isStaff && (
        <NewCall open={isNewOpen} onClose={() => setNewOpen(false)} agents={agents} onCreated={list.reload} />
      )}
      {toCancel && <CancelCall call={toCancel} onClose={() => setToCancel(null)} onDone={list.reload} />}
    </>
  );
}
