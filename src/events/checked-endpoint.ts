// Validation of an endpoint's events and description.
import { invalidField } from "../core/errors.ts";
import { EVENT_TYPES, isEventType, type EventType } from "./catalogue.ts";

export function checkedTypes(types: readonly string[]): EventType[] {
  const unknown = types.filter((type) => !isEventType(type));
  if (unknown.length > 0 || types.length === 0) {
    const problem = types.length === 0 ? "At least one event is needed" : `Unknown event ${unknown.join(", ")}`;
    throw invalidField("event_types", `${problem}. Events: ${EVENT_TYPES.join(", ")}.`);
  }
  return EVENT_TYPES.filter((type) => types.includes(type));
}

export function checkedDescription(text: string): string {
  if (text.length > 200) throw invalidField("description", "description must have at most 200 characters.");
  return text;
}
