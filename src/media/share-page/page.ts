// HTML page behind a share link. Complete without script; player.ts adds seeking and following.
import type { SharedAppointment, SharedCall } from "../share-view.ts";
import type { AnalysisSource, CallAnalytics, Utterance } from "../../payloads/conversation.ts";
import { dateAndTime, dateInWords, label, languageTag, lengthInWords, position, speakerName, value } from "./format.ts";
import { html, type Html } from "../../core/html.ts";
import {
  APPOINTMENT_STATUS_WORDS,
  DISPOSITION_WORDS,
  NO_TRANSCRIPT_WORDS,
  SENTIMENT_WORDS,
  STATUS_WORDS,
  WORDS,
} from "./words.ts";

type Call = SharedCall["call"];

const STATUS_TONES: Readonly<Record<Call["status"], "good" | "bad" | "open">> = {
  scheduled: "open",
  queued: "open",
  initiated: "open",
  ringing: "open",
  in_progress: "open",
  completed: "good",
  failed: "bad",
  cancelled: "bad",
  disallowed: "bad",
};

/** `recordingUrl` is relative to the page, so it works under any host name. */
export function callPage(shared: SharedCall, recordingUrl: string | null): string {
  const { call, insights, appointments } = shared;
  const outcome = [
    insights.analytics && summary(insights.analytics, insights.analysis_source),
    ...appointments.map(appointmentCard),
  ];
  const noted = Object.entries(insights.extracted_details ?? {});
  const isTwoSided = noted.length > 0 || outcome.some((section) => section !== null);
  // On a phone they follow each other in this order; on a wide screen the transcript is beside the rest.
  const body = html`<main class="call${isTwoSided ? " two-sided" : null}">
      ${head(call)}
      <div class="outcome">${outcome}</div>
      <div class="spoken">
        ${recordingUrl === null ? null : player(recordingUrl)}${transcript(shared, recordingUrl)}
      </div>
      <div class="noted">${noted.length > 0 ? details(noted, insights.analysis_source) : null}</div>
    </main>
    <footer>${WORDS.footer}</footer>
    <script type="module" src="../../assets/share.js"></script>`;
  return document(WORDS.pageTitle, body);
}

/** The same for every cause, so it reveals nothing. */
export function invalidLinkPage(): string {
  return document(
    WORDS.invalidTitle,
    html`<main class="notice">
      <h1>${WORDS.invalidTitle}</h1>
      <p>${WORDS.invalidText}</p>
      <p>${WORDS.invalidAdvice}</p>
    </main>`,
  );
}

function document(pageTitle: string, body: Html): string {
  return html`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="robots" content="noindex, nofollow, noarchive" />
        <meta name="color-scheme" content="light dark" />
        <title>${pageTitle}</title>
        <link rel="icon" type="image/svg+xml" href="../../../favicon.svg" />
        <link rel="stylesheet" href="../../assets/share.css" />
      </head>
      <body>
        ${body}
      </body>
    </html> `.text;
}

function title({ agent_name, contact_name }: Call): string {
  if (agent_name && contact_name) return WORDS.titleBetween(agent_name, contact_name);
  const name = agent_name ?? contact_name;
  return name ? WORDS.titleWith(name) : WORDS.titleOfNobody;
}

function head(call: Call): Html {
  const start = startOf(call);
  const planned = call.call_triggered_at === null ? html`${WORDS.plannedFor} ` : null;
  const outbound = call.call_direction === "outbound";
  return html`<header>
    <p class="status ${STATUS_TONES[call.status]}">${STATUS_WORDS[call.status]}</p>
    <h1>${title(call)}</h1>
    ${start === null ? null : html`<p class="when">${planned}${times(start)}</p>`}
    <dl class="facts">
      ${call.call_duration_seconds === null ? null : fact(WORDS.length, lengthInWords(call.call_duration_seconds))}
      ${fact(outbound ? WORDS.outgoing : WORDS.incoming, call.call_to ?? call.call_from ?? WORDS.unknown)}
    </dl>
  </header>`;
}

function startOf(call: Call): string | null {
  return call.call_triggered_at ?? call.scheduled_at;
}

function times(iso: string): Html {
  return html`<time datetime="${iso}">${dateAndTime(iso)}</time
    ><span class="local" data-at="${iso}" data-words="${WORDS.localTime}"></span>`;
}

function fact(name: string, text: string): Html {
  return html`<div>
    <dt>${name}</dt>
    <dd dir="auto">${text}</dd>
  </div>`;
}

/** Marks text written by a language model. */
const marked = (text: string, source: string | undefined): string =>
  source === "model" ? `${text} (${WORDS.byModel})` : text;

function summary(analytics: CallAnalytics, by: AnalysisSource | null): Html {
  return html`<section class="card">
    <h2>${WORDS.summary}</h2>
    <p dir="auto">${marked(analytics.summary, by?.summary)}</p>
    <dl class="list">
      ${fact(WORDS.outcome, marked(DISPOSITION_WORDS[analytics.disposition], by?.disposition))}
      <div class="mood ${analytics.sentiment}">
        <dt>${WORDS.mood}</dt>
        <dd>${marked(SENTIMENT_WORDS[analytics.sentiment], by?.sentiment)}</dd>
      </div>
      ${fact(WORDS.nextSteps, marked(analytics.next_steps, by?.next_steps))}
    </dl>
  </section>`;
}

function appointmentCard(appointment: SharedAppointment): Html {
  return html`<section class="card appointment">
    <h2>${WORDS.appointment}</h2>
    ${appointment.appointment_type_name === null ? null : html`<p class="service" dir="auto">${appointment.appointment_type_name}</p>`}
    <p class="day"><time datetime="${appointment.date}">${dateInWords(appointment.date)}</time></p>
    <p>${WORDS.appointmentHours(appointment.start_time, appointment.end_time)}</p>
    ${appointment.batch === null ? null : html`<p>${WORDS.batch} ${appointment.batch}</p>`}
    <p class="status ${appointment.status === "cancelled" || appointment.status === "no_show" ? "bad" : "good"}">
      ${APPOINTMENT_STATUS_WORDS[appointment.status]}
    </p>
  </section>`;
}

function details(entries: [key: string, found: unknown][], by: AnalysisSource | null): Html {
  return html`<section class="card">
    <h2>${WORDS.details}</h2>
    <dl class="list">
      ${entries.map(([key, found]) => fact(marked(label(key), by?.details[key]?.source), value(found)))}
    </dl>
  </section>`;
}

function player(recordingUrl: string): Html {
  return html`<section class="player" aria-labelledby="recording">
      <h2 class="unseen" id="recording">${WORDS.recording}</h2>
      <div class="card"><audio controls preload="metadata" src="${recordingUrl}"></audio></div>
    </section>
    <button type="button" id="back-to-line" hidden>${WORDS.backToLine}</button>`;
}

function transcript({ call, transcript: lines }: SharedCall, recordingUrl: string | null): Html {
  if (lines === null || lines.length === 0)
    return html`<p class="card nothing">${NO_TRANSCRIPT_WORDS[call.status]}</p>`;
  const language = languageTag(call.contact_preferred_language);
  return html`<section class="card" aria-labelledby="transcript">
    <h2 id="transcript">${WORDS.transcript}</h2>
    ${recordingUrl === null ? null : html`<p class="hint">${WORDS.seekHint}</p>`}
    <ol class="transcript">
      ${lines.map((utterance) => line(utterance, call, language, recordingUrl))}
    </ol>
  </section>`;
}

/** Without script the link opens the recording at this position (W3C Media Fragments, section 4.2.1). */
function line(utterance: Utterance, call: Call, language: string | null, recordingUrl: string | null): Html {
  const { speaker, text, timestamp } = utterance;
  const at = position(timestamp);
  const start =
    recordingUrl === null
      ? html`<span class="at">${at}</span>`
      : html`<a class="at" href="${recordingUrl}#t=${timestamp}"
          ><span class="unseen">${WORDS.playFrom}</span>${at}</a
        >`;
  const lang = language === null ? null : html`lang="${language}"`;
  return html`<li class="${speaker === "agent" ? "agent" : "other"}" data-at="${timestamp}">
    ${start}
    <p class="who" dir="auto">${speakerName(speaker, call)}</p>
    <p class="said" dir="auto" ${lang}>${text}</p>
  </li> `;
}
