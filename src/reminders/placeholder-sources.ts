// Maps placeholders of an agent's text to fields of an appointment: {{doctor}} is its service, {{visit}} its day and
// time, and so on.
import { Type, type Static } from "@sinclair/typebox";
import { PLACEHOLDER } from "../agents/template.ts";
import { oneOf } from "../core/schema.ts";

export const SOURCES = ["date", "time", "date_and_time", "service", "branch", "name", "text"] as const;
export type Source = (typeof SOURCES)[number];

export const PlaceholderSchema = Type.Object({
  placeholder: Type.String({ minLength: 1, maxLength: 64 }),
  source: oneOf(SOURCES),
  text: Type.Optional(Type.String({ maxLength: 500, description: "The words themselves, where source is text." })),
});
export type PlaceholderSource = Static<typeof PlaceholderSchema>;

/** additional_info holds 25 pairs, and three of them identify the appointment. */
export const MOST_PLACEHOLDERS = 20;

/** Placeholders filled for every call; see calls/call/template-values.ts. The branch comes from the appointment. */
const KNOWN = new Set(["agent_name", "user_name", "contact_name", "hospital", "callback_number"]);
/** Set from the appointment itself, so that the agent acts on it. */
const OURS = new Set(["appointment_id", "branch_id", "appointment_type_id"]);

const USUAL: Readonly<Record<string, Source>> = {
  date: "date",
  day: "date",
  appointment_date: "date",
  time: "time",
  appointment_time: "time",
  visit: "date_and_time",
  when: "date_and_time",
  appointment: "date_and_time",
  doctor: "service",
  service: "service",
  department: "service",
  clinic: "branch",
  branch: "branch",
  location: "branch",
  patient: "name",
  name: "name",
};

/** Placeholders in an agent's texts that need a source. */
export function openPlaceholders({ greeting, prompt }: { greeting: string; prompt: string }): string[] {
  const names = [greeting, prompt].flatMap((text) => Array.from(text.matchAll(PLACEHOLDER), ([, name = ""]) => name));
  return [...new Set(names)].filter((name) => !KNOWN.has(name) && !OURS.has(name) && name.length <= 64);
}

/** Default sources of known placeholder names. */
export function usualSources(agent: { greeting: string; prompt: string }): PlaceholderSource[] {
  return openPlaceholders(agent)
    .flatMap((placeholder) => {
      const source = Object.hasOwn(USUAL, placeholder) ? USUAL[placeholder] : undefined;
      return source === undefined ? [] : [{ placeholder, source }];
    })
    .slice(0, MOST_PLACEHOLDERS);
}

export interface AppointmentFacts {
  date: string;
  start_time: string;
  name: string | null;
  service: string | null;
  branch: string | null;
}

/** In the agent's language, as spoken: "Monday 16 November", "9:30 am". Unknown values are left out. */
export function placeholderValues(
  sources: readonly PlaceholderSource[],
  facts: AppointmentFacts,
  language: string,
): Record<string, string> {
  const date = () => inWords(language, { weekday: "long", day: "numeric", month: "long" }, facts.date, "12:00");
  const time = () => inWords(language, { hour: "numeric", minute: "2-digit" }, facts.date, facts.start_time);
  const say: Record<Source, (text: string | undefined) => string | null> = {
    date,
    time,
    date_and_time: () => `${date()}, ${time()}`,
    service: () => facts.service,
    branch: () => facts.branch,
    name: () => facts.name,
    text: (text) => text ?? null,
  };
  const filled = sources.map(({ placeholder, source, text }) => [placeholder, say[source](text)] as const);
  return Object.fromEntries(filled.filter((pair): pair is readonly [string, string] => pair[1] !== null));
}

/** Formats wall time as it is, without conversion between zones. */
function inWords(language: string, options: Intl.DateTimeFormatOptions, date: string, time: string): string {
  const format = (locale: string) => new Intl.DateTimeFormat(locale, { ...options, timeZone: "UTC" });
  const instant = Date.parse(`${date}T${time}:00Z`);
  try {
    return format(language).format(instant);
  } catch {
    return format("en").format(instant);
  }
}
