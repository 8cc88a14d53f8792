// The delivery log: filtered by endpoint and state, newest first, one delivery in detail by ?id=.
import { Fragment } from "preact";
import { useEffect, useState } from "preact/hooks";
import { useLocation } from "preact-iso";
import { useAction } from "../../action.ts";
import { api, call } from "../../client.ts";
import { Dialog } from "../../kit/dialog.tsx";
import { SelectField } from "../../kit/field.tsx";
import { Badge, Button, Card, Problem, Shown } from "../../kit/parts.tsx";
import { useLoaded } from "../../data.ts";
import { formatShortTime } from "../../format.ts";
import { useSession } from "../../session.tsx";
import { common, deliveryStates, said } from "../../words.ts";
import { DeliveryDetail } from "./delivery-detail.tsx";
import { ReplayRange } from "./replay-range.tsx";

const words = said.developers.deliveriesTab;

interface DeliveryRow {
  delivery_id: string;
  endpoint_id: string;
  event_type: string;
  state: string;
  attempts: number;
  created_at: string;
}

const PAGE = "/dashboard/developers/deliveries";

export function DeliveriesTab() {
  const { query, route } = useLocation();
  const endpointId = query["endpoint"] ?? "";
  const state = query["state"] ?? "";
  const openId = query["id"] ?? null;
  const [isReplaying, setReplaying] = useState(false);
  const endpoints = useLoaded(() => call(api.endpoints.get()), []);
  const log = useDeliveryLog(endpointId, state);

  const goTo = (change: Record<string, string>, replace = false) => {
    const wanted = Object.entries({ endpoint: endpointId, state, ...change }).filter(([, value]) => value !== "");
    route(wanted.length === 0 ? PAGE : `${PAGE}?${new URLSearchParams(wanted)}`, replace);
  };
  const urlOf = (id: string) =>
    endpoints.data?.find(({ endpoint_id }) => endpoint_id === id)?.url ?? (endpoints.data ? words.gone : "");

  return (
    <Card
      title={words.title}
      actions={
        <>
          <Button onClick={log.refresh} label={words.refresh} />
          {(endpoints.data?.length ?? 0) > 0 && <Button onClick={() => setReplaying(true)} label={words.replayRange} />}
        </>
      }
    >
      <div class="filters">
        <SelectField
          label={words.endpoint}
          value={endpointId}
          onValue={(endpoint) => goTo({ endpoint }, true)}
          options={[
            ["", words.all],
            ...(endpoints.data ?? []).map(({ endpoint_id, url }) => [endpoint_id, url] as const),
          ]}
        />
        <SelectField
          label={words.state}
          value={state}
          onValue={(chosen) => goTo({ state: chosen }, true)}
          options={[["", words.anyState], ...Object.entries(deliveryStates)]}
        />
      </div>
      <Problem text={endpoints.error} onRetry={endpoints.reload} />
      <Shown from={log.newest} as="rows" isEmpty={({ data }) => data.length === 0} empty={<p>{words.empty}</p>}>
        {({ data }) => (
          <DeliveryTable
            rows={[...data, ...log.older]}
            urlOf={urlOf}
            linkTo={(id) => `${PAGE}?${new URLSearchParams({ ...query, id })}`}
          />
        )}
      </Shown>
      <Problem text={log.more.error} />
      {log.hasMore && <Button busy={log.more.busy} onClick={log.showMore} label={common.more} />}
      <Dialog title={words.detail} open={openId !== null} onClose={() => openId !== null && goTo({})}>
        {openId !== null && <DeliveryDetail key={openId} id={openId} urlOf={urlOf} onReplayed={log.refresh} />}
      </Dialog>
      <Dialog title={words.replayRange} open={isReplaying} onClose={() => setReplaying(false)}>
        <ReplayRange endpoints={endpoints.data ?? []} chosen={endpointId} onReplayed={log.refresh} />
      </Dialog>
    </Card>
  );
}

/** Newest first; what is older is added page by page. */
function useDeliveryLog(endpointId: string, state: string) {
  const [older, setOlder] = useState<{ rows: DeliveryRow[]; cursor: string | null } | null>(null);
  const more = useAction();
  const filter = { ...(endpointId === "" ? {} : { endpoint_id: endpointId }), ...(state === "" ? {} : { state }) };
  const newest = useLoaded(() => call(api.deliveries.get({ query: filter })), [endpointId, state]);
  useEffect(() => setOlder(null), [endpointId, state]);
  const cursor = older ? older.cursor : (newest.data?.next_cursor ?? null);
  return {
    newest,
    older: older?.rows ?? [],
    more,
    hasMore: cursor !== null,
    refresh() {
      setOlder(null);
      newest.reload();
    },
    showMore: () =>
      more.run(async () => {
        if (cursor === null) return;
        const page = await call(api.deliveries.get({ query: { ...filter, cursor } }));
        setOlder((before) => ({ rows: [...(before?.rows ?? []), ...page.data], cursor: page.next_cursor }));
      }),
  };
}

/** A long name breaks behind its dot. */
const breakable = (eventType: string) =>
  eventType.split(".").map((part, i) =>
    i === 0 ? (
      part
    ) : (
      <Fragment key={i}>
        .<wbr />
        {part}
      </Fragment>
    ),
  );

interface DeliveryTableProps {
  rows: readonly DeliveryRow[];
  urlOf: (endpointId: string) => string;
  linkTo: (id: string) => string;
}

function DeliveryTable({ rows, urlOf, linkTo }: DeliveryTableProps) {
  const { time_zone } = useSession().organisation;
  return (
    <table class="deliveries">
      <thead>
        <tr>
          <th scope="col">{words.event}</th>
          <th scope="col">{words.state}</th>
          <th scope="col">{words.time}</th>
          <th scope="col" class="number on-wide">
            {words.attempts}
          </th>
          <th scope="col" class="on-wide">
            {words.endpoint}
          </th>
        </tr>
      </thead>
      <tbody>
        {rows.map((row) => (
          <tr key={row.delivery_id}>
            <td>
              <a href={linkTo(row.delivery_id)}>{breakable(row.event_type)}</a>
            </td>
            <td>
              <Badge state={row.state} text={deliveryStates[row.state] ?? row.state} />
            </td>
            <td class="when">{formatShortTime(row.created_at, time_zone)}</td>
            <td class="number on-wide">{row.attempts}</td>
            <td class="address on-wide" title={urlOf(row.endpoint_id)}>
              {urlOf(row.endpoint_id)}
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}
