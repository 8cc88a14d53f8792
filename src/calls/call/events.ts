// Publishes call events, numbered per call from 1.
import type { Agent } from "../../agents/records.ts";
import type { Tx } from "../../db/tables.ts";
import type { Appointment } from "../../payloads/appointment.ts";
import type { Outbox } from "../../events/outbox.ts";
import type { Subscriber } from "../../events/outbox-store.ts";
import type { CallEnd } from "./call-end.ts";
import { callEventData, type CallEventStatus } from "./event-data.ts";
import type { Call } from "./records.ts";

export type CallEvents = ReturnType<typeof createCallEvents>;

export function createCallEvents(outbox: Outbox) {
  return {
    /** Lets callers read subscribers together with other queries; `publish` reads them otherwise. */
    subscribersOf: (tx: Tx, { organisation_id }: Call) => outbox.subscribersOf(tx, organisation_id),

    /** `call` is the state after the change, which already incremented its event_sequence. */
    async publish(
      tx: Tx,
      call: Call,
      agent: Agent,
      status: CallEventStatus,
      end: CallEnd | null = null,
      appointment: Appointment | null = null,
      subscribers?: readonly Subscriber[],
    ): Promise<void> {
      const event = {
        organisationId: call.organisation_id,
        type: `call.${status}` as const,
        callId: call.id,
        orderKey: call.id,
        hasRecording: call.recording_file !== null && end?.kind === "completed" && end.recorded,
        hasTranscript: end?.kind === "completed" && end.transcript.length > 0,
        // Read only if an endpoint subscribes to the event.
        get data() {
          return callEventData(call, agent, status, end, appointment);
        },
      };
      await outbox.publish(tx, event, subscribers);
    },
  };
}
