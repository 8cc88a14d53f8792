import { expect, test } from "bun:test";
import { Value } from "@sinclair/typebox/value";
import { envelopeSchema, EVENT_TYPES, EVENTS, isEventType } from "../../src/events/catalogue.ts";

test("there are nine events of the contract, two each of consent and alarms, and one each of proofs and accounts", () => {
  expect(EVENT_TYPES).toHaveLength(15);
  expect(EVENT_TYPES.filter((type) => type.startsWith("consent."))).toEqual(["consent.granted", "consent.withdrawn"]);
  for (const type of EVENT_TYPES) expect(EVENTS[type].firedWhen).toMatch(/\.$/);
});

test.each(["call.completed", "slot.updated"])("%s is an event", (type) => expect(isEventType(type)).toBeTrue());
test.each(["call.cancelled", "", "toString", "CALL.COMPLETED"])("%p is not an event", (type) =>
  expect(isEventType(type)).toBeFalse(),
);

test("an envelope accepts only its own event", () => {
  const slot = {
    slot_id: "0199",
    calendar_id: "0199",
    parent_calendar_id: null,
    branch_id: "0199",
    day: "monday",
    session: "Morning",
    batch: null,
    start_time: "09:00",
    end_time: "12:00",
    appointment_type: null,
    max_slots: 5,
    ai_slots: 2,
    filled_slots: null,
    available_slots: null,
    status: "OPEN",
    created_at: "2026-11-15T06:00:00.000Z",
    updated_at: "2026-11-15T06:00:00.000Z",
  };
  const schema = JSON.parse(JSON.stringify(envelopeSchema("slot.updated"))) as {
    properties: { data: { required: string[] } };
  };
  expect(schema.properties.data.required.toSorted()).toEqual(Object.keys(slot).toSorted());
  const envelope = {
    event_id: "evt_1",
    event_type: "slot.updated",
    created_at: "2026-11-15T06:00:00.000Z",
    data: slot,
  };
  const faults = (value: unknown) =>
    [...Value.Errors(envelopeSchema("slot.updated"), value)]
      .map(({ path }) => path)
      .filter((path) => !/_at$|_id$/.test(path));
  expect(faults(envelope)).toEqual([]);
  expect(faults({ ...envelope, event_type: "call.completed" })).toEqual(["/event_type"]);
  expect(faults({ ...envelope, data: { ...slot, status: "open" } })).toContain("/data/status");
});
