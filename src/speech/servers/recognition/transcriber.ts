// Client for a hospital's own recogniser: /audio/transcriptions of a server, or a local program.
import { Type } from "@sinclair/typebox";
import { Value } from "@sinclair/typebox/value";
import { pcmWav } from "../../../audio/pcm-wav.ts";
import type { Clock } from "../../../core/clock.ts";
import { forRecogniser } from "../../asr/utterance.ts";
import { languageNamed } from "../../languages.ts";
import { createRunCommand } from "../command/run-command.ts";
import { createServerHttp, type GoodAnswer, type ServerHttp } from "../http/server-http.ts";
import { ServerFault, type CommandAddress, type NoteSent, type ServerAddress } from "../port.ts";

export interface Transcriber {
  /** Audio at 8 kHz. Throws nothing but a ServerFault. */
  transcribe(samples: Int16Array, signal: AbortSignal): Promise<string>;
  warm(): void;
  close(): void;
}

export interface TranscriberOptions {
  clock: Clock;
  address: ServerAddress | CommandAddress;
  /** Language of the call: BCP 47 tag or free text. */
  language: string;
  note: NoteSent;
}

const RATE_HZ = 16_000;
const MOST_BYTES = 256 * 1024;
/** Longer than any utterance. */
const MOST_CHARS = 4_000;
/** A WAV would have to contain these 25 characters after a line break to be split. */
const BOUNDARY = "ringward-7d0f4c1e9ab24f6c";

const Answer = Type.Object({ text: Type.String() });

export function createTranscriber(options: TranscriberOptions): Transcriber {
  const { clock, address, language, note } = options;
  if (address.kind === "command") {
    const program = createRunCommand({ clock, address, role: "recognition", note });
    return {
      transcribe: async (samples, signal) => plainText((await program.run(wavOf(samples), signal)).toString("utf8")),
      warm() {},
      close() {},
    };
  }
  const http = createServerHttp({ clock, address, role: "recognition", note });
  return {
    transcribe: (samples, signal) => transcribed(http, address, language, wavOf(samples), signal),
    warm: () => http.warm(),
    close: () => http.close(),
  };
}

async function transcribed(
  http: ServerHttp,
  { model }: ServerAddress,
  language: string,
  wav: Buffer,
  signal: AbortSignal,
): Promise<string> {
  const fields = { model, language: codeOf(language), response_format: "json", temperature: "0" };
  const answer = await http.ask(
    {
      method: "POST",
      path: "/audio/transcriptions",
      contentType: `multipart/form-data; boundary=${BOUNDARY}`,
      body: multipart(fields, wav),
      mostBytes: MOST_BYTES,
    },
    signal,
  );
  let fault: ServerFault | null = null;
  try {
    return textOf(await wholeOf(answer), answer.contentType);
  } catch (error) {
    fault = error instanceof ServerFault ? error : new ServerFault("garbage");
    throw fault;
  } finally {
    answer.finish(fault);
  }
}

function wavOf(samples: Int16Array): Buffer {
  const wide = forRecogniser(samples);
  return pcmWav(
    Int16Array.from(wide, (sample) => Math.max(-32_768, Math.min(32_767, Math.round(sample * 32_767)))),
    RATE_HZ,
  );
}

/** ISO 639-1, as in the API. */
function codeOf(language: string): string {
  return languageNamed(language) ?? language.trim().toLowerCase().split(/[-_]/, 1)[0] ?? "en";
}

function multipart(fields: Readonly<Record<string, string>>, wav: Buffer): Buffer {
  const part = (name: string, value: string) =>
    `--${BOUNDARY}\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`;
  const file =
    `--${BOUNDARY}\r\nContent-Disposition: form-data; name="file"; filename="speech.wav"\r\n` +
    "Content-Type: audio/wav\r\n\r\n";
  const head = Object.entries(fields).map(([name, value]) => part(name, value));
  return Buffer.concat([Buffer.from(head.join("") + file), wav, Buffer.from(`\r\n--${BOUNDARY}--\r\n`)]);
}

async function wholeOf(answer: GoodAnswer): Promise<string> {
  const pieces: Buffer[] = [];
  for (let bytes = await answer.next(); bytes !== null; bytes = await answer.next()) pieces.push(bytes);
  return Buffer.concat(pieces).toString("utf8");
}

/** Some servers answer with plain text. */
function textOf(body: string, contentType: string): string {
  if (contentType === "text/plain" && !body.trimStart().startsWith("{")) return plainText(body);
  let value: unknown;
  try {
    value = JSON.parse(body);
  } catch {
    throw new ServerFault("garbage");
  }
  if (!Value.Check(Answer, value)) throw new ServerFault("garbage");
  return plainText(value.text);
}

/** Whisper annotates non-speech in brackets: "[BLANK_AUDIO]", "(music)". */
function plainText(text: string): string {
  if (text.length > MOST_CHARS) throw new ServerFault("tooLong");
  return text
    .replaceAll(/[[(][^\])]{0,60}[\])]/g, " ")
    .replaceAll(/[\p{Cc}\s]+/gu, " ")
    .trim();
}
