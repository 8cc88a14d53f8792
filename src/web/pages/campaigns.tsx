// The campaigns there are, newest first, with how far each is.
import { useLocation } from "preact-iso";
import { api, call } from "../client.ts";
import { Badge, Button, Card, PageHead, Shown } from "../kit/parts.tsx";
import { useChanges } from "../data.ts";
import { formatNumber, formatShortTime } from "../format.ts";
import { useMay, useSession } from "../session.tsx";
import { said } from "../words.ts";
import { useCalmly } from "./calls/use-live.ts";
import { CAMPAIGNS_PATH, doneText, isLive, stateText, toneOf, type Campaign } from "./campaigns/campaign.ts";
import { ProgressBar } from "./campaigns/progress-bar.tsx";
import { MoreRows } from "../kit/more-rows.tsx";
import { usePages } from "../kit/use-pages.ts";

const words = said.campaigns.list;
const ROWS_AT_A_TIME = "25";

export function CampaignsPage() {
  const isStaff = useMay("staff");
  const pages = usePages(
    (cursor) => call(api.campaigns.get({ query: { limit: ROWS_AT_A_TIME, ...(cursor ? { cursor } : {}) } })),
    [],
  );
  const reload = useCalmly(pages.first.reload);
  useChanges("campaign", reload);
  useChanges("call", () => pages.rows.some(isLive) && reload());
  const link = isStaff && (
    <a class="button primary as-link" href={`${CAMPAIGNS_PATH}/new`}>
      {words.new}
    </a>
  );
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

function CampaignTable({ rows }: { rows: readonly Campaign[] }) {
  return (
    <table class="campaigns-table card-table" role="table">
      <caption class="visually-hidden">{words.caption}</caption>
      <thead role="rowgroup">
        <tr role="row">
          {[words.name, words.agent, words.state, words.progress, words.starts].map((title) => (
            <th key={title} role="columnheader" scope="col">
              {title}
            </th>
          ))}
          <th role="columnheader" scope="col" class="number">
            {words.rows}
          </th>
        </tr>
      </thead>
      <tbody role="rowgroup">
        {rows.map((row) => (
          <Row key={row.campaign_id} row={row} />
        ))}
      </tbody>
    </table>
  );
}

function Row({ row }: { row: Campaign }) {
  const zone = useSession().organisation.time_zone;
  const { route } = useLocation();
  const address = `${CAMPAIGNS_PATH}/${row.campaign_id}`;
  const open = (event: MouseEvent) => {
    const isOnControl = event.target instanceof Element && event.target.closest("a, button") !== null;
    if (!isOnControl && getSelection()?.isCollapsed !== false) route(address);
  };
  return (
    <tr role="row" class="campaign-row" onClick={open}>
      <td role="cell" class="cell-name">
        <a href={address}>{row.name}</a>
      </td>
      <td role="cell" class="cell-agent">
        {row.agent_name}
      </td>
      <td role="cell" class="cell-state">
        <Badge state={toneOf(row.state)} text={stateText(row.state)} />
      </td>
      <td role="cell" class="cell-progress">
        <ProgressBar campaign={row} label={doneText(row)} />
        <small>{doneText(row)}</small>
      </td>
      <td role="cell" class="cell-time">
        {formatShortTime(row.start_at ?? row.created_at, zone)}
      </td>
      <td role="cell" class="number cell-rows">
        {formatNumber(row.rows)}
      </td>
    </tr>
  );
}
