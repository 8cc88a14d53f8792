// HTML page behind a share link. Complete without script; player.ts adds seeking and following.
import type { SharedAppointment, SharedCall } from "../share-view.ts";
import type { AnalysisSource, CallAnalytics, Utterance } from "../../payloads/conversation.ts";
import { dateAndTime, dateInWords, label, languageTag, lengthInWords, position, speakerName, value } from "./format.ts";
import { html, type Html } from "../../core/html.ts";
import { ENGLISH_READER, type Reader } from "./reader.ts";

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

/** `recordingUrl` is relative to the page, so it works under any host name. The file begins at `recordedFrom`. */
export function callPage(
  shared: SharedCall,
  recordingUrl: string | null,
  recordedFrom = 0,
  reader: Reader = ENGLISH_READER,
): string {
  const { call, insights, appointments } = shared;
  const outcome = [
    insights.analytics && summary(insights.analytics, insights.analysis_source, reader),
    ...appointments.map((one) => appointmentCard(one, reader)),
  ];
  const noted = Object.entries(insights.extracted_details ?? {});
  const isTwoSided = noted.length > 0 || outcome.some((section) => section !== null);
  // On a phone they follow each other in this order; on a wide screen the transcript is beside the rest.
  const body = html`<main class="call${isTwoSided ? " two-sided" : null}">
      ${head(call, reader)}
      <div class="outcome">${outcome}</div>
      <div class="spoken">
        ${recordingUrl === null ? null : player(recordingUrl, reader)}${transcript(shared, { recordingUrl, recordedFrom }, reader)}
      </div>
      <div class="noted">${noted.length > 0 ? details(noted, insights.analysis_source, reader) : null}</div>
    </main>
    <footer>${reader.words.footer}</footer>
    <script type="module" src="../../assets/share.js"></script>`;
  return document(reader.words.pageTitle, body, reader);
}

/** The same for every cause, so it reveals nothing. */
export function invalidLinkPage(reader: Reader = ENGLISH_READER): string {
  return document(
    reader.words.invalidTitle,
    html`<main class="notice">
      <h1>${reader.words.invalidTitle}</h1>
      <p>${reader.words.invalidText}</p>
      <p>${reader.words.invalidAdvice}</p>
    </main>`,
    reader,
  );
}

function document(pageTitle: string, body: Html, { language }: Reader): string {
  return html`<!doctype html>
    <html lang="${language}">
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
        <p class="brand" role="region" aria-label="Ringward">Ringward</p>
        ${body}
      </body>
    </html> `.text;
}

function title({ agent_name, contact_name }: Call, { words }: Reader): string {
  if (agent_name && contact_name) return words.titleBetween(agent_name, contact_name);
  const name = agent_name ?? contact_name;
  return name ? words.titleWith(name) : words.titleOfNobody;
}

function head(call: Call, reader: Reader): Html {
  const start = startOf(call);
  const planned = call.call_triggered_at === null ? html`${reader.words.plannedFor} ` : null;
  const outbound = call.call_direction === "outbound";
  return html`<header>
    <p class="status ${STATUS_TONES[call.status]}">${reader.words.status[call.status]}</p>
    <h1>${title(call, reader)}</h1>
    ${start === null ? null : html`<p class="when">${planned}${times(start, reader)}</p>`}
    <dl class="facts">
      ${call.call_duration_seconds === null ? null : fact(reader.words.length, lengthInWords(call.call_duration_seconds, reader))}
      ${fact(outbound ? reader.words.outgoing : reader.words.incoming, call.call_to ?? call.call_from ?? reader.words.unknown)}
    </dl>
  </header>`;
}

function startOf(call: Call): string | null {
  return call.call_triggered_at ?? call.scheduled_at;
}

function times(iso: string, reader: Reader): Html {
  return html`<time datetime="${iso}">${dateAndTime(iso, reader)}</time
    ><span class="local" data-at="${iso}" data-words="${reader.words.localTime}"></span>`;
}

function fact(name: string, text: string): Html {
  return html`<div>
    <dt>${name}</dt>
    <dd dir="auto">${text}</dd>
  </div>`;
}

/** Marks text written by a language model. */
const marked = (text: string, source: string | undefined, { words }: Reader): string =>
  source === "model" ? `${text} (${words.byModel})` : text;

function summary(analytics: CallAnalytics, by: AnalysisSource | null, reader: Reader): Html {
  return html`<section class="card">
    <h2>${reader.words.summary}</h2>
    <p dir="auto">${marked(reader.words.finding(analytics.summary), by?.summary, reader)}</p>
    <dl class="list">
      ${fact(reader.words.outcome, marked(reader.words.disposition[analytics.disposition], by?.disposition, reader))}
      <div class="mood ${analytics.sentiment}">
        <dt>${reader.words.mood}</dt>
        <dd>${marked(reader.words.sentiment[analytics.sentiment], by?.sentiment, reader)}</dd>
      </div>
      ${fact(reader.words.nextSteps, marked(reader.words.finding(analytics.next_steps), by?.next_steps, reader))}
    </dl>
  </section>`;
}

function appointmentCard(appointment: SharedAppointment, reader: Reader): Html {
  return html`<section class="card appointment">
    <h2>${reader.words.appointment}</h2>
    ${appointment.appointment_type_name === null ? null : html`<p class="service" dir="auto">${appointment.appointment_type_name}</p>`}
    <p class="day"><time datetime="${appointment.date}">${dateInWords(appointment.date, reader)}</time></p>
    <p>${reader.words.appointmentHours(appointment.start_time, appointment.end_time)}</p>
    ${appointment.batch === null ? null : html`<p>${reader.words.batch} ${appointment.batch}</p>`}
    <p class="status ${appointment.status === "cancelled" || appointment.status === "no_show" ? "bad" : "good"}">
      ${reader.words.appointmentStatus[appointment.status]}
    </p>
  </section>`;
}

function details(entries: [key: string, found: unknown][], by: AnalysisSource | null, reader: Reader): Html {
  return html`<section class="card">
    <h2>${reader.words.details}</h2>
    <dl class="list">
      ${entries.map(([key, found]) => {
        const name = reader.words.detailName(key, label(key));
        return fact(
          marked(name, by?.details[key]?.source, reader),
          reader.words.detailValue(key, value(found, reader)),
        );
      })}
    </dl>
  </section>`;
}

function player(recordingUrl: string, { words }: Reader): Html {
  return html`<section class="player" aria-labelledby="recording">
      <h2 class="unseen" id="recording">${words.recording}</h2>
      <div class="card"><audio controls preload="metadata" src="${recordingUrl}"></audio></div>
    </section>
    <button type="button" id="back-to-line" hidden>${words.backToLine}</button>`;
}

function transcript({ call, transcript: lines }: SharedCall, recording: Recording, reader: Reader): Html {
  if (lines === null || lines.length === 0)
    return html`<p class="card nothing">${reader.words.noTranscript[call.status]}</p>`;
  const language = languageTag(call.contact_preferred_language);
  return html`<section class="card" aria-labelledby="transcript">
    <h2 id="transcript">${reader.words.transcript}</h2>
    ${recording.recordingUrl === null ? null : html`<p class="hint">${reader.words.seekHint}</p>`}
    <ol class="transcript">
      ${lines.map((utterance) => line(utterance, call, { language, ...recording }, reader))}
    </ol>
  </section>`;
}

interface Recording {
  recordingUrl: string | null;
  recordedFrom: number;
}

/** Without script the link opens the recording at this position (W3C Media Fragments, section 4.2.1). */
function line(
  utterance: Utterance,
  call: Call,
  { language, recordingUrl, recordedFrom }: Recording & { language: string | null },
  reader: Reader,
): Html {
  const { speaker, text, timestamp } = utterance;
  const inFile = Math.max(0, timestamp - recordedFrom);
  const at = position(timestamp);
  const start =
    recordingUrl === null
      ? html`<span class="at">${at}</span>`
      : html`<a class="at" href="${recordingUrl}#t=${inFile}"
          ><span class="unseen">${reader.words.playFrom}</span>${at}</a
        >`;
  const lang = language === null ? null : html`lang="${language}"`;
  return html`<li class="${speaker === "agent" ? "agent" : "other"}" data-at="${inFile}">
    ${start}
    <p class="who" dir="auto">${speakerName(speaker, call, reader)}</p>
    <p class="said" dir="auto" ${lang}>${text}</p>
  </li> `;
}
