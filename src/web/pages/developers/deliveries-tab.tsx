// The delivery log: filtered by endpoint and state, newest first, one delivery in detail by ?id=.
import { Fragment } from "preact";
import { useState } from "preact/hooks";
import { useLocation } from "preact-iso";
import { api, call } from "../../client.ts";
import { Dialog } from "../../kit/dialog.tsx";
import { SelectField } from "../../kit/field.tsx";
import { Badge, Button, Card, Problem, Shown } from "../../kit/parts.tsx";
import { Table } from "../../kit/table.tsx";
import { usePages } from "../../kit/use-pages.ts";
import { MoreRows } from "../../kit/more-rows.tsx";
import { useLoaded } from "../../data.ts";
import { formatShortTime } from "../../format.ts";
import { useSession } from "../../session.tsx";
import { deliveryStates, said } from "../../words.ts";
import { WebhookSuccess } from "../settings/figures.tsx";
import { DeliveryDetail } from "./delivery-detail.tsx";
import { ReplayRange } from "./replay-range.tsx";
import { given } from "../../given.ts";

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
  const log = usePages(
    (cursor) => call(api.deliveries.get({ query: given({ endpoint_id: endpointId, state, cursor }) })),
    [endpointId, state],
  );

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
          <Button onClick={log.first.reload} label={words.refresh} />
          {(endpoints.data?.length ?? 0) > 0 && <Button onClick={() => setReplaying(true)} label={words.replayRange} />}
        </>
      }
    >
      <WebhookSuccess />
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
      <Shown from={log.first} as="rows" isEmpty={() => log.rows.length === 0} empty={<p>{words.empty}</p>}>
        {() => (
          <DeliveryTable
            rows={log.rows}
            urlOf={urlOf}
            linkTo={(id) => `${PAGE}?${new URLSearchParams({ ...query, id })}`}
          />
        )}
      </Shown>
      <MoreRows list={log} />
      <Dialog title={words.detail} open={openId !== null} onClose={() => openId !== null && goTo({})}>
        {openId !== null && <DeliveryDetail key={openId} id={openId} urlOf={urlOf} onReplayed={log.first.reload} />}
      </Dialog>
      <Dialog title={words.replayRange} open={isReplaying} onClose={() => setReplaying(false)}>
        <ReplayRange endpoints={endpoints.data ?? []} chosen={endpointId} onReplayed={log.first.reload} />
      </Dialog>
    </Card>
  );
}

/** A long name wraps after its dot. */
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
    <Table
      label={words.title}
      class="deliveries"
      rows={rows}
      keyOf={({ delivery_id }) => delivery_id}
      columns={[
        [words.event, ({ delivery_id, event_type }) => <a href={linkTo(delivery_id)}>{breakable(event_type)}</a>],
        [words.state, ({ state }) => <Badge state={state} text={deliveryStates[state] ?? state} />],
        [words.time, ({ created_at }) => formatShortTime(created_at, time_zone), "when"],
        [words.attempts, ({ attempts }) => attempts, { class: "number on-wide" }],
        [
          words.endpoint,
          ({ endpoint_id }) => urlOf(endpoint_id),
          { class: "address on-wide", fullText: ({ endpoint_id }) => urlOf(endpoint_id) },
        ],
      ]}
    />
  );
}
