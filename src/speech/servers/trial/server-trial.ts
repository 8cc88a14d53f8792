// Trial of a model server: reports what works, how fast, and what is missing. Sends no patient data.
import { G711_SAMPLE_RATE_HZ } from "../../../audio/g711.ts";
import type { Clock } from "../../../core/clock.ts";
import type { CommandAddress, ServerAddress, ServerRole } from "../port.ts";
import { createTranscriber } from "../recognition/transcriber.ts";
import { createSpeaker } from "../voice/server-voice.ts";
import { tryLanguage } from "./chat-trial.ts";
import { faultWords } from "./fault-words.ts";
import type { Finding, ServerTrial } from "./finding.ts";

/** A server that loads its model first takes longer than any call would wait. */
const TRIAL_MS = 15_000;
/** Wait of a call that has a built-in fallback. */
const PATIENCE_MS = 1_500;

type Address = ServerAddress | CommandAddress;

export async function tryServer(options: { clock: Clock; role: ServerRole; address: Address }): Promise<ServerTrial> {
  const { clock, role, address } = options;
  const patient =
    address.kind === "command"
      ? { ...address, totalMs: TRIAL_MS }
      : { ...address, firstMs: TRIAL_MS, totalMs: TRIAL_MS };
  const findings = await findingsOf(clock, role, patient);
  return { isUsable: findings.every(({ verdict }) => verdict !== "fails"), findings };
}

async function findingsOf(clock: Clock, role: ServerRole, address: Address): Promise<Finding[]> {
  if (role === "recognition") return [await tryRecogniser(clock, address)];
  if (role === "voice") return [await tryVoice(clock, address)];
  if (address.kind === "openai") return tryLanguage(clock, address);
  return [{ verdict: "fails", words: "A program cannot lead a conversation." }];
}

function timed(words: string, ms: number): Finding {
  if (ms <= PATIENCE_MS) return { verdict: "works", words };
  return {
    verdict: "missing",
    words: `${words} That is slow: calls wait ${PATIENCE_MS} ms, and then use what is built in.`,
  };
}

/** Sends quiet noise: only the response counts, not the words. */
async function tryRecogniser(clock: Clock, address: Address): Promise<Finding> {
  const transcriber = createTranscriber({ clock, address, language: address.languages[0] ?? "en", note: () => {} });
  const noise = Int16Array.from({ length: G711_SAMPLE_RATE_HZ }, (_, i) => ((i * 7_919) % 401) - 200);
  const startedMs = clock.elapsedMs();
  try {
    await transcriber.transcribe(noise, new AbortController().signal);
    const ms = Math.round(clock.elapsedMs() - startedMs);
    return timed(`It listens: a second of sound took ${ms} ms.`, ms);
  } catch (error) {
    return { verdict: "fails", words: `It does not listen: ${faultWords(error)}` };
  } finally {
    transcriber.close();
  }
}

async function tryVoice(clock: Clock, address: Address): Promise<Finding> {
  const speaker = createSpeaker({ clock, address, note: () => {} });
  const isHindi = address.languages[0]?.startsWith("hi") ?? false;
  const startedMs = clock.elapsedMs();
  try {
    const samples = await speaker.speak(isHindi ? "नमस्ते।" : "Good morning.", new AbortController().signal);
    const ms = Math.round(clock.elapsedMs() - startedMs);
    const seconds = (samples.length / G711_SAMPLE_RATE_HZ).toFixed(1);
    return timed(`It speaks: ${seconds} s of speech took ${ms} ms.`, ms);
  } catch (error) {
    return { verdict: "fails", words: `It does not speak: ${faultWords(error)}` };
  } finally {
    speaker.close();
  }
}
