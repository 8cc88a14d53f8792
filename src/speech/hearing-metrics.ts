// Metrics of recognition for /metrics.
import type { Metrics } from "../core/metrics.ts";
import type { Hearing } from "./hearing.ts";

export function measureHearing(metrics: Metrics, hearing: Hearing): void {
  metrics.gauge("ringward_speech_listening", "1 while calls are listened to, 0 while keys are all there is.", () =>
    hearing.status().state === "listening" ? 1 : 0,
  );
  metrics.gauge(
    "ringward_speech_recognisers",
    "Recognisers that are ready for words.",
    () => hearing.status().recognisers,
  );
  metrics.gauge(
    "ringward_speech_utterance_ms",
    "What an ordinary answer takes a recogniser, measured when it started.",
    () => hearing.status().utteranceMs ?? 0,
  );
  metrics.gauge(
    "ringward_speech_voice_ms",
    "What a second of speech takes the voice, measured when it started.",
    () => hearing.status().voiceMs ?? 0,
  );
  metrics.gauge("ringward_speech_spotters", "Phrase spotters that listen for alarms.", () => hearing.status().spotters);
  metrics.gauge("ringward_speech_talking_calls", "Calls that are listened to.", () => hearing.status().talkingCalls);
  metrics.gauge(
    "ringward_speech_most_talking_calls",
    "Calls that can be listened to at once, from what they ask for; beyond it none is dialled.",
    () => hearing.status().mostTalkingCalls ?? 0,
  );
}
