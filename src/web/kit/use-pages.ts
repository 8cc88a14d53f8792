// Pagination of a long list: the next page is appended to the rows shown.
import { useEffect, useState } from "preact/hooks";
import { messageOf } from "../client.ts";
import { useLoaded, type Loaded } from "../data.ts";

interface PageOf<T> {
  data: T[];
  next_cursor: string | null;
}

export interface Pages<P extends PageOf<unknown>> {
  first: Loaded<P>;
  rows: P["data"][number][];
  hasMore: boolean;
  busy: boolean;
  moreError: string | null;
  loadMore: () => void;
}

export function usePages<P extends PageOf<unknown>>(
  load: (cursor: string | undefined) => Promise<P>,
  inputs: readonly unknown[],
): Pages<P> {
  const first = useLoaded(() => load(undefined), inputs);
  const [more, setMore] = useState<P[]>([]);
  const [busy, setBusy] = useState(false);
  const [moreError, setMoreError] = useState<string | null>(null);
  useEffect(() => setMore([]), [first.data]);

  const pages = first.data === null ? [] : [first.data, ...more];
  const next = pages.at(-1)?.next_cursor ?? null;
  const loadMore = async () => {
    if (next === null) return;
    setBusy(true);
    setMoreError(null);
    try {
      const page = await load(next);
      setMore((before) => [...before, page]);
    } catch (error) {
      setMoreError(messageOf(error));
    } finally {
      setBusy(false);
    }
  };
  return {
    first,
    rows: pages.flatMap(({ data }) => data),
    hasMore: next !== null,
    busy,
    moreError,
    loadMore: () => void loadMore(),
  };
}
