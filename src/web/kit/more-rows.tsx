// End of a long list: a button for more rows, or the error.
import { Button, Problem } from "./parts.tsx";
import { common } from "../words.ts";

export function MoreRows({
  list,
}: {
  list: { hasMore: boolean; busy: boolean; moreError: string | null; loadMore: () => void };
}) {
  if (list.moreError !== null) return <Problem text={list.moreError} onRetry={list.loadMore} />;
  if (!list.hasMore) return null;
  return (
    <div class="actions">
      <Button busy={list.busy} onClick={list.loadMore} label={common.more} />
    </div>
  );
}
