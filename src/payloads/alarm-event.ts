// Payload of events about alarms.
import { Type, type Static } from "@sinclair/typebox";
import { nullable, oneOf } from "../core/schema.ts";
import { FAULT_NAMES, SEVERITIES } from "./alarm.ts";

export const AlarmEventSchema = Type.Object({
  alarm_id: Type.String({ pattern: "^alm_", description: "The same in the event that says that it is over." }),
  fault: oneOf(FAULT_NAMES),
  severity: oneOf(SEVERITIES),
  subject: nullable(
    Type.String({ description: "The trunk, the endpoint, the model server or the certificate; null: the appliance." }),
  ),
  message: Type.String({ description: "What is wrong, in English." }),
  action: Type.String({ description: "What to do, in English." }),
  opened_at: Type.String({ format: "date-time" }),
  over_at: nullable(Type.String({ format: "date-time" })),
  flaps: Type.Integer({ minimum: 0, description: "How often it came and went since the last message about it." }),
});
export type AlarmEvent = Static<typeof AlarmEventSchema>;
