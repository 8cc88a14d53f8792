// The people of a campaign, row by row: how each stands, and the call that came of it.
import { useState } from "preact/hooks";
import { api, call } from "../../client.ts";
import { SelectField } from "../../kit/field.tsx";
import { Button, Card, Shown } from "../../kit/parts.tsx";
import { Phone } from "../../kit/phone.tsx";
import { useLoaded } from "../../data.ts";
import { formatNumber, formatShortTime } from "../../format.ts";
import { useSession } from "../../session.tsx";
import { common, said } from "../../words.ts";
import { outcomeText, rowStateText } from "./campaign.ts";

const words = said.campaigns.page;
const ROWS_AT_A_TIME = 50;
/** What the API gives in one answer. */
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
  /** Grows when something changed. */
  version: number;
}

export function PeopleCard({ campaignId, filter, onFilter, version }: PeopleProps) {
  const [count, setCount] = useState(ROWS_AT_A_TIME);
  const { state, outcome } = filter;
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
          value={state}
          onValue={(chosen) => onFilter({ state: chosen, outcome })}
          options={[["", words.anyState], ...Object.entries(said.campaigns.rowStates)]}
        />
        <SelectField
          label={words.filterOutcome}
          value={outcome}
          onValue={(chosen) => onFilter({ state, outcome: chosen })}
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
    const query: Record<string, string> = {
      limit: String(Math.min(MOST_PER_ANSWER, count - rows.length)),
      ...(state === "" ? {} : { state }),
      ...(outcome === "" ? {} : { outcome }),
      ...(cursor === null ? {} : { cursor }),
    };
    const page: { data: Person[]; next_cursor: string | null } = await call(
      api.campaigns({ campaign_id: campaignId }).results.get({ query }),
    );
    rows.push(...page.data);
    cursor = page.next_cursor;
  } while (cursor !== null && rows.length < count);
  return { rows, hasMore: cursor !== null };
}

function PeopleTable({ rows }: { rows: readonly Person[] }) {
  return (
    <table class="people-table card-table" role="table">
      <caption class="visually-hidden">{words.caption}</caption>
      <thead role="rowgroup">
        <tr role="row">
          {[words.row, words.person, words.number, words.state, words.outcome, words.ended].map((title) => (
            <th key={title} role="columnheader" scope="col">
              {title}
            </th>
          ))}
          <th role="columnheader" scope="col" class="number">
            {words.tries}
          </th>
        </tr>
      </thead>
      <tbody role="rowgroup">
        {rows.map((person) => (
          <PersonRow key={person.row} person={person} />
        ))}
      </tbody>
    </table>
  );
}

function PersonRow({ person }: { person: Person }) {
  const zone = useSession().organisation.time_zone;
  const isErased = person.contact_number === null;
  const name = isErased ? words.erased : (person.contact_name ?? words.noName);
  const next = person.next_attempt_at;
  return (
    <tr role="row" class="person-row">
      <td role="cell" class="cell-row">
        {formatNumber(person.row)}
      </td>
      <td role="cell" class="cell-contact">
        {person.call_id === null ? name : <a href={`/dashboard/calls/${person.call_id}`}>{name}</a>}
      </td>
      <td role="cell" class="cell-phone">
        {person.contact_number === null ? "–" : <Phone number={person.contact_number} />}
      </td>
      <td role="cell" class="cell-state">
        {rowStateText(person.state)}
        {person.state === "waiting" && person.attempts > 0 && next !== null && (
          <small> {words.next(formatShortTime(next, zone))}</small>
        )}
      </td>
      <td role="cell" class={`cell-outcome ${person.outcome === null ? "none" : ""}`}>
        {person.outcome === null ? "–" : outcomeText(person.outcome)}
      </td>
      <td role="cell" class={`cell-time ${person.completed_at === null ? "none" : ""}`}>
        {formatShortTime(person.completed_at, zone)}
      </td>
      <td role="cell" class="number cell-tries">
        {formatNumber(person.attempts)}
      </td>
    </tr>
  );
}
