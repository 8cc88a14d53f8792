// Call list: live, with filters in the URL, and the button for a new call.
import { useEffect, useState } from "preact/hooks";
import { useLocation } from "preact-iso";
import { api, call } from "../client.ts";
import { Button, Card, LinkButton, PageHead, Shown } from "../kit/parts.tsx";
import type { CallListRow } from "../../dashboard/call-page.ts";
import { useLoaded } from "../data.ts";
import { useMay, useSession } from "../session.tsx";
import { common, said } from "../words.ts";
import { BulkDialog, type BulkAct } from "./calls/bulk-dialog.tsx";
import { useCallList } from "./calls/call-list.ts";
import { CallTable } from "./calls/call-table.tsx";
import { CancelCall } from "./calls/cancel-call.tsx";
import { FilterBar } from "./calls/filter-bar.tsx";
import { addressOf, filtersOf, isNarrowed, NO_FILTERS, queryOf, rememberList } from "./calls/filters.ts";
import { NewCall } from "./calls/new-call.tsx";
import { SavedFilters } from "./calls/saved-filters.tsx";
import { NONE_SELECTED, SelectionBar, type Selection } from "./calls/selection.tsx";
import { callWork } from "./calls/words.ts";

const words = said.calls.page;

export function CallsPage() {
  const { query, route } = useLocation();
  const zone = useSession().organisation.time_zone;
  const isStaff = useMay("staff");
  const filters = filtersOf(query);
  const question = queryOf(filters, zone);
  const { list, isBehind, showMore } = useCallList(filters, zone);
  const agents = useLoaded(() => call(api.agents.get()), []);
  const campaigns = useLoaded(() => call(api.campaigns.get({ query: {} })), []);
  const [isNewOpen, setNewOpen] = useState(false);
  const [toCancel, setToCancel] = useState<CallListRow | null>(null);
  const [selection, setSelection] = useState<Selection>(NONE_SELECTED);
  const [act, setAct] = useState<BulkAct | null>(null);
  useEffect(() => {
    rememberList(filters);
    // Only visible calls can be selected.
    setSelection(NONE_SELECTED);
  }, [addressOf(filters)]);

  const openNew = () => setNewOpen(true);
  const empty = (
    <NoCalls
      isNarrowed={isNarrowed(filters)}
      onShowAll={() => route(addressOf(NO_FILTERS), true)}
      onNew={isStaff ? openNew : undefined}
    />
  );
  const chosen = { ids: selection.ids, onChosen: (ids: ReadonlySet<string>) => setSelection({ ids, all: null }) };

  return (
    <>
      <PageHead
        title={words.title}
        note={words.note(zone)}
        actions={<HeadActions question={question} onNew={isStaff ? openNew : undefined} />}
      />
      <Card>
        <FilterBar
          filters={filters}
          agents={agents.data ?? []}
          campaigns={campaigns.data?.data ?? []}
          onChange={(changed) => route(addressOf(changed), true)}
        />
        <SavedFilters filters={filters} />
        <Shown from={list} as="rows" isEmpty={({ rows }) => rows.length === 0} empty={empty}>
          {({ rows, hasMore }) => (
            <>
              {selection.ids.size > 0 && (
                <SelectionBar
                  selection={selection}
                  query={question}
                  hasMore={hasMore || rows.some(({ call_id }) => !selection.ids.has(call_id))}
                  onSelection={setSelection}
                  onAct={setAct}
                />
              )}
              <CallTable
                rows={rows}
                zone={zone}
                busy={isBehind}
                onCancel={isStaff ? setToCancel : undefined}
                chosen={isStaff ? chosen : undefined}
              />
              {hasMore && <Button busy={isBehind} onClick={showMore} label={common.more} />}
            </>
          )}
        </Shown>
      </Card>
      {isStaff && (
        <NewCall open={isNewOpen} onClose={() => setNewOpen(false)} agents={agents} onCreated={list.reload} />
      )}
      {toCancel && <CancelCall call={toCancel} onClose={() => setToCancel(null)} onDone={list.reload} />}
      {act && <BulkDialog act={act} ids={[...selection.ids]} onClose={() => setAct(null)} onDone={list.reload} />}
    </>
  );
}

function HeadActions({ question, onNew }: { question: Record<string, string>; onNew: (() => void) | undefined }) {
  return (
    <>
      <LinkButton
        href={`/dashboard/api/calls/export?${new URLSearchParams(question)}`}
        download
        label={callWork.export}
      />
      {onNew && <Button kind="primary" onClick={onNew} label={words.newCall} />}
    </>
  );
}

interface NoCallsProps {
  isNarrowed: boolean;
  onShowAll: () => void;
  onNew: (() => void) | undefined;
}

function NoCalls({ isNarrowed: isFiltered, onShowAll, onNew }: NoCallsProps) {
  if (isFiltered) {
    return (
      <>
        <p>{words.noneMatch}</p>
        <Button onClick={onShowAll} label={words.showAll} />
      </>
    );
  }
  return (
    <>
      <p>{words.none}</p>
      {onNew && <Button onClick={onNew} label={words.newCall} />}
    </>
  );
}
