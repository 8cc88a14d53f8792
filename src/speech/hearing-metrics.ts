// Metrics of recognition for /metrics.
import type { Metrics } from "../core/metrics.ts";
import type { Hearing } from "./hearing.ts";

export function measureHearing(metrics: Metrics, hearing: Hearing): void {
  metrics.gauge("ringward_speech_listening", "1 while calls are listened to, 0 while keys are all there is.", () =>
    hearing.status().state === "listening" ? 1 : 0,
  );
  metrics.gauge("ringward_speech_recognisers", "Recognisers ready for speech.", () => hearing.status().recognisers);
  metrics.gauge(
    "ringward_speech_utterance_ms",
    "Time to recognise an ordinary answer in milliseconds, measured at start-up.",
    () => hearing.status().utteranceMs ?? 0,
  );
  metrics.gauge(
    "ringward_speech_voice_ms",
    "Time to synthesise one second of speech in milliseconds, measured at start-up.",
    () => hearing.status().voiceMs ?? 0,
  );
  metrics.gauge("ringward_speech_spotters", "Phrase spotters running.", () => hearing.status().spotters);
  metrics.gauge(
    "ringward_speech_talking_calls",
    "Calls with speech recognition in progress.",
    () => hearing.status().talkingCalls,
  );
  metrics.gauge(
    "ringward_speech_most_talking_calls",
    "Capacity for calls with speech recognition, estimated from their load; no call is dialled beyond it.",
    () => hearing.status().mostTalkingCalls ?? 0,
  );
}
