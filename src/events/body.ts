// Body of one delivery attempt. The returned text is both signed and sent.
import { toIso } from "../core/clock.ts";
import type { CallEventData } from "./model.ts";
import type { LinksOf } from "./media-port.ts";
import type { StoredEvent } from "./records.ts";

/** appointment_id and contact_number are for erasure only. */
export type EventToSend = Omit<StoredEvent, "appointment_id" | "contact_number">;

export async function buildBody(event: EventToSend, linksOf: LinksOf): Promise<string> {
  const data = JSON.parse(event.data) as object;
  const envelope = {
    event_id: event.id,
    event_type: event.type,
    created_at: toIso(event.created_at),
    data:
      event.call_id !== null && event.type.startsWith("call.")
        ? await withLinks(data as CallEventData, event, event.call_id, linksOf)
        : data,
  };
  return JSON.stringify(envelope);
}

async function withLinks(
  data: CallEventData,
  event: EventToSend,
  callId: string,
  linksOf: LinksOf,
): Promise<CallEventData> {
  const links = await linksOf({
    organisationId: event.organisation_id,
    callId,
    hasRecording: event.has_recording,
    hasTranscript: event.has_transcript,
  });
  return {
    ...data,
    call_recording: links.recording,
    call_transcript: links.transcript,
    call_details_url: links.detailsUrl,
    share_token: links.shareToken,
  };
}
