// What exists of a call's recording and transcript, for the links that lead to them.
import type { Executor } from "../../db/tables.ts";
import type { Recordings } from "../../media/recordings.ts";
import { isFinal } from "./state.ts";
import { callById, resultOf } from "../store.ts";

export async function callMedia(executor: Executor, callId: string, recordings: Recordings) {
  const call = await callById(executor, callId);
  if (!call || !isFinal(call.state)) return null;
  return {
    organisationId: call.organisation_id,
    recordingPath: call.recording_file === null ? null : recordings.pathOf(call.recording_file),
    transcript: (await resultOf(executor, callId))?.transcript ?? null,
  };
}
