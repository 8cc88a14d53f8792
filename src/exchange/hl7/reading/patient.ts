// The patient of a message: identifiers, name, telephone number, e-mail address (PID).
import { assertDiallable } from "../../../core/phone.ts";
import { completeNumber } from "../../../lists/complete-number.ts";
import type { Identifier } from "../../mirror/port.ts";
import { partOf, type Components, type Message, type Segment } from "../message/message.ts";
import type { Hl7Settings } from "../settings.ts";
import { systemOf } from "./codes.ts";

/** Undefined: the message says nothing about it. Null: the sender deleted it, or it is of no use. */
export interface ReadPatient {
  identifiers: Identifier[];
  name: string | null | undefined;
  number: string | null | undefined;
  email: string | null | undefined;
}

const MOST_IDENTIFIERS = 10;
const LONGEST_SYSTEM = 200;
const LONGEST_VALUE = 100;
const LONGEST_NAME = 200;

/** Control characters, and marks that change the direction of text. */
const UNSHOWN = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]+/gu;

export const cleaned = (text: string, longest: number): string =>
  Array.from(text.replaceAll(UNSHOWN, " ").replaceAll(/ {2,}/g, " ").trim()).slice(0, longest).join("").trim();

export function readPatient(message: Message, pid: Segment | undefined, settings: Hl7Settings): ReadPatient {
  const telephones = [13, 14].flatMap((field) => message.repetitions(pid, field).map((xtn) => ({ field, xtn })));
  return {
    identifiers: identifiersIn(message, pid, 3, settings),
    name: nameOf(message, pid, 5),
    number: numberOf(message, pid, telephones, settings),
    email: emailOf(telephones.map(({ xtn }) => xtn)),
  };
}

/** Of a CX field: PID-3 or MRG-1. */
export function identifiersIn(
  message: Message,
  segment: Segment | undefined,
  field: number,
  settings: Hl7Settings,
): Identifier[] {
  const given = message.repetitions(segment, field).slice(0, MOST_IDENTIFIERS * 2);
  const found = given.flatMap((cx): Identifier[] => {
    const value = cleaned(partOf(cx, 1), LONGEST_VALUE);
    if (value === "" || value === '""') return [];
    const authority = [partOf(cx, 4, 1), partOf(cx, 4, 2), partOf(cx, 5)].map((text) => cleaned(text, LONGEST_SYSTEM));
    return [{ system: systemOf(authority, settings), value }];
  });
  const distinct = new Map(found.map((each) => [`${each.system}\n${each.value}`, each]));
  return [...distinct.values()].slice(0, MOST_IDENTIFIERS);
}

/** XPN: the legal name, otherwise the first. Some senders put all of the name into its first component. */
export function nameOf(message: Message, segment: Segment | undefined, field: number): string | null | undefined {
  if (message.isDeleted(segment, field)) return null;
  const names = message.repetitions(segment, field).filter((xpn) => partOf(xpn, 1) !== "" || partOf(xpn, 2) !== "");
  const chosen = names.find((xpn) => partOf(xpn, 7).toUpperCase() === "L") ?? names[0];
  if (!chosen) return undefined;
  const name = [2, 3, 1, 4].map((number) => partOf(chosen, number)).filter((text) => text !== "" && text !== '""');
  return cleaned(name.join(" "), LONGEST_NAME) || undefined;
}

interface Telephone {
  field: number;
  xtn: Components;
}

/** Equipment without a voice: fax, pager, modem. */
const NOT_VOICE = new Set(["FX", "BP", "MD", "TDD", "TTY", "INTERNET", "X.400", "SAT"]);

/** A mobile telephone before the home, and the home before the work place. */
function rankOf({ field, xtn }: Telephone): number {
  const [use, equipment] = [partOf(xtn, 2).toUpperCase(), partOf(xtn, 3).toUpperCase()];
  const isMobile = equipment === "CP" || use === "PRS" || use === "CP";
  const isWork = field === 14 || use === "WPN";
  return (isMobile ? 0 : 2) + (isWork ? 1 : 0) + (use === "EMR" ? 4 : 0);
}

function numberOf(
  message: Message,
  pid: Segment | undefined,
  telephones: readonly Telephone[],
  settings: Hl7Settings,
): string | null | undefined {
  const voice = telephones
    .filter(({ xtn }) => !NOT_VOICE.has(partOf(xtn, 3).toUpperCase()) && partOf(xtn, 2).toUpperCase() !== "NET")
    .toSorted((a, b) => rankOf(a) - rankOf(b));
  const written = voice.flatMap(({ xtn }) => writtenNumber(xtn) ?? []);
  for (const text of written) {
    const number = diallable(text, settings);
    if (number !== null) return number;
  }
  // A number that cannot be called is no reason to keep calling the one before.
  return written.length > 0 || message.isDeleted(pid, 13) ? null : undefined;
}

/** In the form that the sender chose: parts (XTN-5 to 7), unformatted (XTN-12), or text (XTN-1). */
function writtenNumber(xtn: Components): string | null {
  const [country, area, local] = [5, 6, 7].map((number) => partOf(xtn, number).replaceAll(/[^\d+]/g, ""));
  const text = (partOf(xtn, 1) || partOf(xtn, 12)).slice(0, LONGEST_NUMBER).replace(EXTENSION, "");
  if (/\d/.test(text) && !text.includes("@")) return text;
  if (!local) return null;
  const national = `${area ?? ""}${local}`;
  return country ? `+${country.replace(/^\+|^00/, "")}${national.replace(/^0/, "")}` : national;
}

const LONGEST_NUMBER = 80;

/** `X123`, `ext. 123`, beeper (B) and comment (C) of the text form. */
const EXTENSION = /\s*(?:(?:x|ext\.?|extn\.?)\s*\d+.*|[BC]\d.*|C[A-Za-z ].*)$/i;

function diallable(text: string, { country = null }: Hl7Settings): string | null {
  const completed = completeNumber(text, country);
  if (!("number" in completed)) return null;
  try {
    assertDiallable(completed.number, "number");
    return completed.number;
  } catch {
    return null;
  }
}

const EMAIL = /^[^\s@<>"']{1,64}@[^\s@<>"']{1,190}\.[^\s@<>"']{2,}$/;

function emailOf(telephones: readonly Components[]): string | undefined {
  const texts = telephones.flatMap((xtn) => [partOf(xtn, 4), partOf(xtn, 1)]);
  return texts.find((text) => EMAIL.test(text));
}
