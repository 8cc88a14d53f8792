// People of a campaign, row by row: state and the resulting call.
import { useState } from "preact/hooks";
import { api, call } from "../../client.ts";
import { SelectField } from "../../kit/field.tsx";
import { Button, Card, Shown } from "../../kit/parts.tsx";
import { Phone } from "../../kit/phone.tsx";
import { Table } from "../../kit/table.tsx";
import { fieldsOf } from "../../kit/fields-of.ts";
import { useLoaded } from "../../data.ts";
import { formatNumber, formatShortTime } from "../../format.ts";
import { useSession } from "../../session.tsx";
import { common, said } from "../../words.ts";
import { outcomeText, rowStateText } from "./campaign.ts";
import { given } from "../../given.ts";

const words = said.campaigns.page;
const ROWS_AT_A_TIME = 50;
/** Page size limit of the API. */
const MOST_PER_ANSWER = 100;

export interface PeopleFilter {
  state: string;
  outcome: string;
}

interface Person {
  row: number;
  state: string;
  outcome: string | null;
  attempts: number;
  next_attempt_at: string | null;
  contact_number: string | null;
  contact_name: string | null;
  call_id: string | null;
  completed_at: string | null;
}

interface PeopleProps {
  campaignId: string;
  filter: PeopleFilter;
  onFilter: (filter: PeopleFilter) => void;
  /** Incremented on changes. */
  version: number;
}

export function PeopleCard({ campaignId, filter, onFilter, version }: PeopleProps) {
  const [count, setCount] = useState(ROWS_AT_A_TIME);
  const { state, outcome } = filter;
  const { at } = fieldsOf(filter, (change) => onFilter({ ...filter, ...change }));
  const people = useLoaded(() => peopleOf(campaignId, filter, count), [campaignId, state, outcome, count, version]);
  return (
    <Card title={words.people}>
      <form
        class="filters campaign-filters"
        role="search"
        aria-label={words.filter}
        onSubmit={(e) => e.preventDefault()}
      >
        <SelectField
          label={words.filterState}
          {...at("state")}
          options={[["", words.anyState], ...Object.entries(said.campaigns.rowStates)]}
        />
        <SelectField
          label={words.filterOutcome}
          {...at("outcome")}
          options={[["", words.anyOutcome], ...Object.entries(said.campaigns.outcomes)]}
        />
      </form>
      <Shown
        from={people}
        isEmpty={({ rows }) => rows.length === 0}
        empty={<p>{state === "" && outcome === "" ? words.none : words.noneMatch}</p>}
      >
        {({ rows, hasMore }) => (
          <>
            <PeopleTable rows={rows} />
            {hasMore && <Button onClick={() => setCount(count + ROWS_AT_A_TIME)} label={common.more} />}
          </>
        )}
      </Shown>
    </Card>
  );
}

async function peopleOf(campaignId: string, { state, outcome }: PeopleFilter, count: number) {
  const rows: Person[] = [];
  let cursor: string | null = null;
  do {
    const limit = String(Math.min(MOST_PER_ANSWER, count - rows.length));
    const query = given({ limit, state, outcome, cursor });
    const page: { data: Person[]; next_cursor: string | null } = await call(
      api.campaigns({ campaign_id: campaignId }).results.get({ query }),
    );
    rows.push(...page.data);
    cursor = page.next_cursor;
  } while (cursor !== null && rows.length < count);
  return { rows, hasMore: cursor !== null };
}

function PeopleTable({ rows }: { rows: readonly Person[] }) {
  const zone = useSession().organisation.time_zone;
  return (
    <Table
      label={words.caption}
      rowClass="person-row"
      narrow="cards"
      rows={rows}
      keyOf={({ row }) => row}
      columns={[
        [words.row, ({ row }) => formatNumber(row), "cell-row"],
        [words.person, (person) => <Name person={person} />, "cell-contact"],
        [
          words.number,
          ({ contact_number }) => (contact_number === null ? "–" : <Phone number={contact_number} />),
          "cell-phone",
        ],
        [words.state, (person) => <State person={person} zone={zone} />, "cell-state"],
        [
          words.outcome,
          ({ outcome }) => (outcome === null ? "–" : outcomeText(outcome)),
          { class: "cell-outcome", classOf: ({ outcome }) => (outcome === null ? "none" : "") },
        ],
        [
          words.ended,
          ({ completed_at }) => formatShortTime(completed_at, zone),
          { class: "cell-time", classOf: ({ completed_at }) => (completed_at === null ? "none" : "") },
        ],
        [words.tries, ({ attempts }) => formatNumber(attempts), { class: "number cell-tries" }],
      ]}
    />
  );
}

function Name({ person: { contact_number, contact_name, call_id } }: { person: Person }) {
  const name = contact_number === null ? words.erased : (contact_name ?? words.noName);
  return call_id === null ? <>{name}</> : <a href={`/dashboard/calls/${call_id}`}>{name}</a>;
}

function State({ person: { state, attempts, next_attempt_at: next }, zone }: { person: Person; zone: string }) {
  return (
    <>
      {rowStateText(state)}
      {state === "waiting" && attempts > 0 && next !== null && (
        <small> {words.next(formatShortTime(next, zone))}</small>
      )}
    </>
  );
}
