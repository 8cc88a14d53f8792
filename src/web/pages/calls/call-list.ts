// Rows of the call list: loaded for the filters, extended by "Show more", and reloaded when a call changes.
import { useState } from "preact/hooks";
import type { CallListRow } from "../../../dashboard/call-page.ts";
import { api, call } from "../../client.ts";
import { useChanges, useLoaded } from "../../data.ts";
import { queryOf, type CallFilters } from "./filters.ts";
import { useCalmly } from "./use-live.ts";

const ROWS_AT_A_TIME = 25;
/** Page size limit of the API. */
const MOST_PER_ANSWER = 100;

export interface CallList {
  /** The query of these rows. */
  question: string;
  rows: CallListRow[];
  hasMore: boolean;
}

export function useCallList(filters: CallFilters, zone: string) {
  const query = queryOf(filters, zone);
  const filterText = JSON.stringify(query);
  const [wanted, setWanted] = useState({ filterText, rows: ROWS_AT_A_TIME });
  // Changed filters start with a short list again.
  const count = wanted.filterText === filterText ? wanted.rows : ROWS_AT_A_TIME;
  const question = `${filterText} ${count}`;
  const list = useLoaded<CallList>(
    async (signal) => ({ question, ...(await rowsOf(query, count, signal)) }),
    [question],
  );
  useChanges("call", useCalmly(list.reload));
  return {
    list,
    /** The rows shown belong to an older query. */
    isBehind: list.data !== null && list.error === null && list.data.question !== question,
    showMore: () => setWanted({ filterText, rows: count + ROWS_AT_A_TIME }),
  };
}

async function rowsOf(
  query: ReturnType<typeof queryOf>,
  count: number,
  signal: AbortSignal,
): Promise<Omit<CallList, "question">> {
  const rows: CallListRow[] = [];
  let cursor: string | null = null;
  do {
    const limit = String(Math.min(MOST_PER_ANSWER, count - rows.length));
    const page: { data: CallListRow[]; next_cursor: string | null } = await call(
      api.calls.get({ query: { ...query, limit, ...(cursor === null ? {} : { cursor }) }, fetch: { signal } }),
    );
    rows.push(...page.data);
    cursor = page.next_cursor;
  } while (cursor !== null && rows.length < count);
  return { rows, hasMore: cursor !== null };
}
