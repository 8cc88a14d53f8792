// After a crash: calls that a carrier held end as failed, "interrupted", with their event. None is dialled again.
import type { Logger } from "../core/logger.ts";
import type { Database } from "../db/database.ts";
import type { Recordings } from "../media/recordings.ts";
import type { Failure } from "../telephony/port.ts";
import { captureNameOf } from "./dial-plan.ts";
import type { createLifecycle } from "./lifecycle.ts";
import { callsCutOff } from "./queue-store.ts";

const INTERRUPTED: Failure = {
  kind: "failed",
  code: "interrupted",
  message: "The appliance stopped while the call was under way.",
};

export async function recoverCalls(deps: {
  db: Database;
  logger: Logger;
  lifecycle: ReturnType<typeof createLifecycle>;
  recordings: Recordings;
  captures: Pick<Recordings, "remove">;
}): Promise<number> {
  const { db, logger, lifecycle, recordings, captures } = deps;
  const cutOff = await callsCutOff(db.reader);
  await Promise.all(cutOff.map((call) => db.write((tx) => lifecycle.end(tx, call, INTERRUPTED))));
  for (const { recording_file } of cutOff) {
    if (recording_file === null) continue;
    recordings.remove(recording_file);
    captures.remove(captureNameOf(recording_file));
  }
  if (cutOff.length > 0) logger.warn("Calls that were cut off have ended as interrupted.", { calls: cutOff.length });
  return cutOff.length;
}
