// Selected calls of the list, and the bulk actions on them.
import { useState } from "preact/hooks";
import { api, call, OWN_PAGE, refusal } from "../../client.ts";
import { Button } from "../../kit/parts.tsx";
import { sayProblem } from "../../said.ts";
import { formatNumber } from "../../format.ts";
import type { BulkAct } from "./bulk-dialog.tsx";
import { commandsOf } from "./bulk.ts";
import type { queryOf } from "./filters.ts";
import { callWork as words } from "./words.ts";

export interface Selection {
  ids: ReadonlySet<string>;
  /** All matching calls are selected; `isCut` if there are more than the limit. */
  all: { isCut: boolean } | null;
}

export const NONE_SELECTED: Selection = { ids: new Set(), all: null };

interface SelectionBarProps {
  selection: Selection;
  query: ReturnType<typeof queryOf>;
  /** Whether the list continues, or has rows that are not selected. */
  hasMore: boolean;
  onSelection: (selection: Selection) => void;
  onAct: (act: BulkAct) => void;
}

export function SelectionBar({ selection, query, hasMore, onSelection, onAct }: SelectionBarProps) {
  const [busy, setBusy] = useState(false);
  const { ids, all } = selection;
  const working = async (act: () => Promise<void>) => {
    setBusy(true);
    await act().catch(sayProblem);
    setBusy(false);
  };
  const selectAll = async () => {
    const { call_ids, is_cut } = await call(api.calls.matching.get({ query }));
    onSelection({ ids: new Set(call_ids), all: { isCut: is_cut } });
  };
  const count = formatNumber(ids.size);
  return (
    <div class="selection" role="region" aria-label={words.selected(count)}>
      <strong role="status">
        {all === null ? words.selected(count) : all.isCut ? words.mostSelected(count) : words.allSelected(count)}
      </strong>
      {all === null && hasMore && (
        <Button kind="quiet" busy={busy} onClick={() => void working(selectAll)} label={words.allMatching} />
      )}
      <span class="actions">
        <Button kind="quiet" onClick={() => onSelection(NONE_SELECTED)} label={words.clear} />
        <Button busy={busy} onClick={() => void working(() => exportChosen([...ids]))} label={words.export} />
        <Button onClick={() => onAct("cancel")} label={words.cancel} />
        <Button kind="primary" onClick={() => onAct("again")} label={words.again} />
      </span>
    </div>
  );
}

/** Exports in batches like every bulk action. Only the first batch contributes the header line. */
async function exportChosen(ids: readonly string[]): Promise<void> {
  const texts: string[] = [];
  for (const call_ids of commandsOf(ids)) {
    const response = await fetch("/dashboard/api/calls/export", {
      method: "POST",
      headers: { ...OWN_PAGE, "content-type": "application/json" },
      body: JSON.stringify({ call_ids }),
    });
    if (!response.ok) throw refusal(response.status, await response.json());
    const text = await response.text();
    texts.push(texts.length === 0 ? text : text.slice(text.indexOf("\n") + 1));
  }
  const link = document.createElement("a");
  link.href = URL.createObjectURL(new Blob(texts, { type: "text/csv" }));
  link.download = "calls.csv";
  link.click();
  URL.revokeObjectURL(link.href);
}
