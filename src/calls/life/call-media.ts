// Recording and transcript of a call, for signed media links.
import type { Executor } from "../../db/tables.ts";
import type { CallMedia } from "../../media/routes.ts";
import type { RecordingReport } from "../../payloads/lawful.ts";
import type { Recordings } from "../../media/recordings.ts";
import { isSimulated, type SimulatedRecordings } from "./simulated-recording.ts";
import { isFinal } from "../call/state.ts";
import { callById, resultOf } from "../call/store.ts";

export async function callMedia(
  executor: Executor,
  callId: string,
  recordings: Recordings,
  simulated: SimulatedRecordings,
): Promise<CallMedia | null> {
  const call = await callById(executor, callId);
  if (!call || !isFinal(call.state)) return null;
  const { recording_file: name, duration_seconds: seconds } = call;
  const result = await resultOf(executor, callId);
  const transcript = result?.transcript ?? null;
  return {
    organisationId: call.organisation_id,
    hasRecording: name !== null,
    recordedFrom: recordedFrom(result?.recording ?? null),
    transcript,
    async recordingPath() {
      if (name === null) return null;
      if (isSimulated(name)) {
        await simulated.make(name, { transcript, seconds: seconds ?? 0, recording: result?.recording ?? null });
        // Generation takes a second; the file is removed if the call was erased meanwhile.
        if ((await callById(executor, callId))?.recording_file !== name) {
          recordings.remove(name);
          return null;
        }
      }
      return recordings.fileOf(name);
    },
  };
}

const recordedFrom = (report: string | null): number =>
  report === null ? 0 : ((JSON.parse(report) as RecordingReport).from ?? 0);
