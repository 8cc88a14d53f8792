// Receiver of the demo: the webhooks that a hospital's system would get, unchanged, and the check of their signature.
import { useLocation } from "preact-iso";
import { api, call } from "../../client.ts";
import { Dialog } from "../../kit/dialog.tsx";
import { Badge, Button, Card, Facts, Shown } from "../../kit/parts.tsx";
import { useChanges, useLoaded } from "../../data.ts";
import { formatNumber, formatShortTime, formatTime } from "../../format.ts";
import { useSession } from "../../session.tsx";
import { said } from "../../words.ts";
import { CopyCode } from "../../kit/copy-code.tsx";
import { Table } from "../../kit/table.tsx";

const words = said.developers.receiverTab;

const PAGE = "/dashboard/developers/receiver";

const { steps } = words;
const STEPS = [steps.bytes, steps.sign, steps.compare, steps.age];

type Verdict = keyof typeof words.verdicts;

export function ReceiverTab() {
  const { query, route } = useLocation();
  const { time_zone } = useSession().organisation;
  const openId = query["id"] ?? null;
  const received = useLoaded(() => call(api.received.get()), []);
  useChanges("call", received.reload);

  return (
    <Card title={words.title} actions={<Button onClick={received.reload} label={words.refresh} />}>
      <Shown from={received}>
        {({ url, kept, data }) => (
          <>
            <p>{words.note}</p>
            <p class="note">
              {words.address} <code class="receiver-address">{url}</code>. {words.kept(formatNumber(kept))}
            </p>
            {data.length === 0 ? (
              <p>{words.empty}</p>
            ) : (
              <Table
                label={words.title}
                class="deliveries received"
                rows={data}
                keyOf={({ received_id }) => received_id}
                columns={[
                  [words.event, (row) => <a href={`${PAGE}?id=${row.received_id}`}>{row.event_type}</a>],
                  [words.signature, ({ verdict }) => <VerdictBadge verdict={verdict} />],
                  [words.time, ({ received_at }) => formatShortTime(received_at, time_zone)],
                ]}
              />
            )}
          </>
        )}
      </Shown>
      <Dialog title={words.detail} open={openId !== null} onClose={() => openId !== null && route(PAGE)}>
        {openId !== null && <ReceivedDetail key={openId} id={openId} />}
      </Dialog>
    </Card>
  );
}

const VerdictBadge = ({ verdict }: { verdict: Verdict }) => (
  <Badge state={verdict === "verified" ? "delivered" : "failed"} text={words.verdicts[verdict]} />
);

function ReceivedDetail({ id }: { id: string }) {
  const { time_zone } = useSession().organisation;
  const loaded = useLoaded(() => call(api.received({ id }).get()), [id]);
  return (
    <Shown from={loaded}>
      {({ event_id, received_at, verdict, headers, body }) => (
        <div class="detail received-detail">
          <Facts
            rows={[
              [words.signature, <VerdictBadge key="verdict" verdict={verdict} />],
              ["event_id", <code key="id">{event_id}</code>],
              [words.time, formatTime(received_at, time_zone)],
            ]}
          />
          <h3>{words.headers}</h3>
          <CopyCode label={words.headers} code={headers.map(([name, value]) => `${name}: ${value}`).join("\n")} />
          <h3>{words.body}</h3>
          <CopyCode label={words.body} code={body} />
          <h3>{words.howTo}</h3>
          <ol>
            {STEPS.map((step) => (
              <li key={step}>{step}</li>
            ))}
          </ol>
          <p>
            <a href="/docs/webhooks" target="_blank" rel="noopener">
              {words.code} <span class="note">{said.developers.docsTab.newTab}</span>
            </a>
          </p>
        </div>
      )}
    </Shown>
  );
}
