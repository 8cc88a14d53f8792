// Recovery after a crash: calls held by a carrier fail as "interrupted", with their event. None is redialled.
import type { Logger } from "../../core/logger.ts";
import type { Database } from "../../db/database.ts";
import type { Call } from "../call/records.ts";
import type { Tx } from "../../db/tables.ts";
import type { Recordings } from "../../media/recordings.ts";
import { salvageRecording } from "../../media/salvage.ts";
import type { Failure } from "../../telephony/port.ts";
import { captureNameOf } from "../talks/dial-plan.ts";
import type { Lifecycle } from "./lifecycle.ts";
import { callsCutOff } from "../queue/queue-store.ts";
import { callById } from "../call/store.ts";

const INTERRUPTED: Failure = {
  kind: "failed",
  code: "interrupted",
  message: "The appliance stopped while the call was under way.",
};

export async function recoverCalls(deps: {
  db: Database;
  logger: Logger;
  lifecycle: Pick<Lifecycle, "end">;
  recordings: Recordings;
  captures: Pick<Recordings, "remove">;
}): Promise<number> {
  const { db, logger, lifecycle, recordings, captures } = deps;
  const cutOff = await callsCutOff(db.reader);
  const ends = cutOff.map((call) => ({ call, end: { ...INTERRUPTED, ...whatIsLeft(call, recordings) } }));
  const ended = async (tx: Tx, id: string, end: Failure) => {
    const call = await callById(tx, id);
    if (call) await lifecycle.end(tx, call, end);
  };
  await Promise.all(ends.map(({ call, end }) => db.write((tx) => ended(tx, call.id, end))));
  for (const { call, end } of ends) {
    if (call.recording_file === null) continue;
    if (!end.recorded) recordings.remove(call.recording_file);
    captures.remove(captureNameOf(call.recording_file));
  }
  if (cutOff.length > 0) logger.warn("Calls that were cut off have ended as interrupted.", { calls: cutOff.length });
  return cutOff.length;
}

/** Keeps the recording of an answered call; at most its last two seconds are lost. */
function whatIsLeft({ answered_at, recording_file }: Call, recordings: Recordings): Partial<Failure> {
  if (answered_at === null || recording_file === null) return {};
  const seconds = salvageRecording(recordings.pathOf(recording_file), recordings.keyOf);
  return seconds === null ? {} : { durationSeconds: seconds, recorded: true };
}
