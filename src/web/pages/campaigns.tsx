// List of campaigns, newest first, with progress.
import { useLocation } from "preact-iso";
import { api, call } from "../client.ts";
import { Badge, Button, Card, LinkButton, PageHead, Shown } from "../kit/parts.tsx";
import { useChanges } from "../data.ts";
import { formatNumber, formatShortTime } from "../format.ts";
import { useMay, useSession } from "../session.tsx";
import { said } from "../words.ts";
import { useCalmly } from "./calls/use-live.ts";
import { CAMPAIGNS_PATH, doneText, isLive, stateText, toneOf, type Campaign } from "./campaigns/campaign.ts";
import { ProgressBar } from "./campaigns/progress-bar.tsx";
import { MoreRows } from "../kit/more-rows.tsx";
import { usePages } from "../kit/use-pages.ts";
import { Table } from "../kit/table.tsx";
import { given } from "../given.ts";

const words = said.campaigns.list;
const ROWS_AT_A_TIME = "25";

export function CampaignsPage() {
  const isStaff = useMay("staff");
  const pages = usePages((cursor) => call(api.campaigns.get({ query: given({ limit: ROWS_AT_A_TIME, cursor }) })), []);
  const reload = useCalmly(pages.first.reload);
  useChanges("campaign", reload);
  useChanges("call", () => pages.rows.some(isLive) && reload());
  const link = isStaff && <LinkButton kind="primary" href={`${CAMPAIGNS_PATH}/new`} label={words.new} />;
  return (
    <>
      <PageHead title={words.title} note={words.note} actions={link} />
      <Card>
        <Shown
          from={pages.first}
          as="rows"
          isEmpty={({ data }) => data.length === 0}
          empty={<Nothing isStaff={isStaff} />}
        >
          {() => (
            <>
              <CampaignTable rows={pages.rows} />
              <MoreRows list={pages} />
            </>
          )}
        </Shown>
      </Card>
    </>
  );
}

function Nothing({ isStaff }: { isStaff: boolean }) {
  const { route } = useLocation();
  return (
    <>
      <p>{words.none}</p>
      {isStaff && (
        <>
          <p>{words.noneHint}</p>
          <Button onClick={() => route(`${CAMPAIGNS_PATH}/new`)} label={words.new} />
        </>
      )}
    </>
  );
}

const addressOf = ({ campaign_id }: Campaign) => `${CAMPAIGNS_PATH}/${campaign_id}`;

function CampaignTable({ rows }: { rows: readonly Campaign[] }) {
  const zone = useSession().organisation.time_zone;
  return (
    <Table
      label={words.caption}
      rowClass="campaign-row"
      narrow="cards"
      rows={rows}
      keyOf={({ campaign_id }) => campaign_id}
      hrefOf={addressOf}
      columns={[
        [words.name, (row) => <a href={addressOf(row)}>{row.name}</a>, "cell-name"],
        [words.agent, ({ agent_name }) => agent_name, "cell-agent"],
        [words.state, ({ state }) => <Badge state={toneOf(state)} text={stateText(state)} />, "cell-state"],
        [words.progress, (row) => <Progress row={row} />, "cell-progress"],
        [words.starts, ({ start_at, created_at }) => formatShortTime(start_at ?? created_at, zone), "cell-time"],
        [words.rows, ({ rows: count }) => formatNumber(count), { class: "number cell-rows" }],
      ]}
    />
  );
}

function Progress({ row }: { row: Campaign }) {
  return (
    <>
      <ProgressBar campaign={row} label={doneText(row)} />
      <small>{doneText(row)}</small>
    </>
  );
}
