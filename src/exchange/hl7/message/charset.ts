// Character sets of messages (MSH-18, HL7 table 0211).
import { Hl7Fault } from "./fault.ts";

/** Names as senders write them → the decoder's name. ASCII and an empty MSH-18 are read as UTF-8 where it is valid. */
const DECODERS: Readonly<Record<string, string>> = {
  "": "",
  ASCII: "",
  "ISO IR6": "",
  "UNICODE UTF-8": "utf-8",
  UNICODE: "utf-8",
  "UTF-8": "utf-8",
  UTF8: "utf-8",
  "ISO IR192": "utf-8",
  "WINDOWS-1252": "windows-1252",
  CP1252: "windows-1252",
  "1252": "windows-1252",
  "ISO-8859-1": "windows-1252",
  "ISO IR100": "windows-1252",
};

const EUROPEAN = /^(?:ISO[- ]?)?8859[-/](1[0-6]|[1-9])$/;

export interface Charset {
  /** As MSH-18 has it. */
  declared: string;
  decode: (bytes: Uint8Array) => string;
  /** Set if the bytes were not valid in the declared set. */
  note: string | null;
}

/** Bytes that are not valid UTF-8 are read as Windows-1252, because many senders declare one and send the other. */
export function charsetOf(declared: string, bytes: Uint8Array): Charset {
  const name = declared.trim().toUpperCase();
  const european = EUROPEAN.exec(name)?.[1];
  const decoder = european === undefined ? DECODERS[name] : european === "1" ? "windows-1252" : `iso-8859-${european}`;
  if (decoder === undefined)
    throw new Hl7Fault(
      "AE",
      103,
      { segment: "MSH", field: 18 },
      "MSH-18 must be ASCII, 8859/1, Windows-1252 or UNICODE UTF-8.",
    );
  if (decoder !== "" && decoder !== "utf-8") return { declared, decode: decoderOf(decoder), note: null };
  if (isUtf8(bytes)) return { declared, decode: decoderOf("utf-8"), note: null };
  const note = "The bytes are not valid UTF-8 and were read as Windows-1252.";
  return { declared, decode: decoderOf("windows-1252"), note };
}

export function isUtf8(bytes: Uint8Array): boolean {
  try {
    new TextDecoder("utf-8", { fatal: true }).decode(bytes);
    return true;
  } catch {
    return false;
  }
}

function decoderOf(name: string): (bytes: Uint8Array) => string {
  const decoder = new TextDecoder(name === "iso-8859-12" ? "windows-1252" : name);
  return (bytes) => decoder.decode(bytes);
}

/** Character sets of messages that we send. */
export const SENT_CHARSETS = ["UNICODE UTF-8", "8859/1", "WINDOWS-1252", "ASCII"] as const;
export type SentCharset = (typeof SENT_CHARSETS)[number];

/** Windows-1252 between 0x80 and 0x9f, where it differs from ISO 8859-1. */
const HIGH_1252 = new Map(
  Array.from({ length: 32 }, (_, i) => 0x80 + i).map((byte) => [
    new TextDecoder("windows-1252").decode(Uint8Array.of(byte)),
    byte,
  ]),
);

/** Characters outside the set become "?". */
export function encodeText(text: string, charset: string): Buffer {
  const name = charset.trim().toUpperCase();
  if (name === "WINDOWS-1252" || name === "CP1252") return singleBytes(text, 0xff, HIGH_1252);
  if (name === "8859/1" || name === "ISO-8859-1") return singleBytes(text, 0xff, new Map());
  if (name === "ASCII") return singleBytes(text, 0x7f, new Map());
  return Buffer.from(text, "utf8");
}

function singleBytes(text: string, highest: number, others: ReadonlyMap<string, number>): Buffer {
  const bytes = Array.from(text.normalize("NFC"), (sign) => {
    const code = sign.codePointAt(0) ?? 0x3f;
    const isShared = code < 0x80 || (code >= 0xa0 && code <= highest) || (others.size === 0 && code <= highest);
    return others.get(sign) ?? (isShared ? code : 0x3f);
  });
  return Buffer.from(bytes);
}
