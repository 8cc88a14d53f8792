// Documentation page for developers of webhook receivers. Numbers and events come from the code that uses them.
import { html, type Html } from "../../core/html.ts";
import { EVENT_TYPES, EVENTS } from "../catalogue.ts";
import {
  ATTEMPT_TIMEOUT_MS,
  FAILURES_UNTIL_DISABLED,
  MOST_ATTEMPTS,
  RETRY_DELAYS_MS,
  ROTATION_OVERLAP_MS,
} from "../retry-schedule.ts";
import { USER_AGENT } from "../signing.ts";
import { durationWords } from "./duration-words.ts";
import { SNIPPETS, type Snippet } from "./snippets.ts";
import { makeVectors, TOLERANCE_SECONDS } from "./vectors.ts";

type Cell = Html | readonly Html[];

const TIMEOUT = durationWords(ATTEMPT_TIMEOUT_MS);
const TOLERANCE = durationWords(TOLERANCE_SECONDS * 1000);
const OVERLAP = durationWords(ROTATION_OVERLAP_MS);

const HEADERS: readonly [names: string, meaning: Html][] = [
  ["Content-Type", html`<code>application/json</code>`],
  ["User-Agent", html`<code>${USER_AGENT}</code>`],
  ["X-Webhook-Id", html`The <code>event_id</code>, the same at every attempt.`],
  ["X-Webhook-Timestamp", html`Unix seconds of this attempt. Only while signing is on.`],
  ["X-Webhook-Signature", html`<code>v1=</code> and the Base64 signature. Only while signing is on.`],
  [
    "webhook-id webhook-timestamp webhook-signature",
    html`The same in the form of <a href="#standard">Standard Webhooks</a>.`,
  ],
];

const SECTIONS: readonly { id: string; title: string; content: () => Html }[] = [
  { id: "steps", title: "Four steps", content: steps },
  { id: "headers", title: "Headers", content: headers },
  { id: "signature", title: "The signature", content: signature },
  { id: "code", title: "Code to copy", content: code },
  { id: "vectors", title: "Test vectors", content: vectors },
  { id: "retries", title: "Retries and duplicates", content: retries },
  { id: "standard", title: "Standard Webhooks", content: standard },
  { id: "rotation", title: "Changing the secret", content: rotation },
  { id: "events", title: "Events", content: events },
];

export interface PageFace {
  iconPath: string;
  stylePath: string;
  /** The bar on top, with links to the other pages. */
  bar: Html;
}

export function verifierPage({ iconPath, stylePath, bar }: PageFace): string {
  return html`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="color-scheme" content="light dark" />
        <title>Receiving webhooks · Ringward</title>
        <link rel="icon" type="image/svg+xml" href="${iconPath}" />
        <link rel="stylesheet" href="${stylePath}" />
        <link rel="stylesheet" href="/docs/webhooks/page.css" />
      </head>
      <body>
        <a class="face-skip" href="#main">Skip to the text</a>
        ${bar}
        <main id="main">
          <h1>Receiving webhooks</h1>
          <p class="lead">
            Ringward posts what happened to your HTTPS endpoint. Check the signature of every request before you trust
            it.
          </p>
          <nav aria-label="On this page">
            <ul>
              ${SECTIONS.map(({ id, title }) => html`<li><a href="#${id}">${title}</a></li>`)}
            </ul>
          </nav>
          ${SECTIONS.map(
            ({ id, title, content }) =>
              html`<section aria-labelledby="${id}">
                <h2 id="${id}">${title}</h2>
                ${content()}
              </section> `,
          )}
        </main>
      </body>
    </html> `.text;
}

function steps(): Html {
  return html`<ol>
    <li>Read the body as <strong>raw bytes</strong>, before anything parses it.</li>
    <li>Check the <a href="#signature">signature</a>. Where it does not hold, answer 401 and do nothing else.</li>
    <li>Store the event and answer 2xx within <strong>${TIMEOUT}</strong>. Do the work afterwards.</li>
    <li>Pass over an <code>event_id</code> that you have seen before.</li>
  </ol> `;
}

function headers(): Html {
  const rows = HEADERS.map(([names, meaning]) => [
    names.split(" ").map((name) => html`<code>${name}</code> `),
    meaning,
  ]);
  return table("headers", ["Header", "Meaning"], rows);
}

function signature(): Html {
  return html`<pre
      class="formula"
      tabindex="0"
      role="region"
      aria-label="Formula"
    ><code>X-Webhook-Signature = "v1=" + Base64( HMAC-SHA256( secret, X-Webhook-Timestamp + "." + raw body ) )</code></pre>
    <ul>
      <li>The key is the <strong>whole secret</strong>, <code>whsec_</code> included, not decoded.</li>
      <li>Sign the bytes that arrived. JSON that was parsed and written again has other bytes.</li>
      <li>Compare the whole header value, <code>v1=</code> included, in constant time.</li>
      <li>
        Refuse a timestamp more than ${TOLERANCE} away from your clock: it may be a replay. Keep your clock in sync.
      </li>
    </ul> `;
}

function code(): Html {
  return html`<p>Each needs the standard library alone. Choose a language:</p>
    <div class="snippets">${SNIPPETS.map((snippet, index) => languageCode(snippet, index === 0))}</div> `;
}

/** Only one is open at a time: browsers close others of the same name, without a script. */
function languageCode({ id, language, fileName, code: text, rawBody }: Snippet, open: boolean): Html {
  return html`<details name="language" ${open ? html` open` : null}>
    <summary>${language}</summary>
    <p id="${id}"><a href="/docs/webhooks/${fileName}" download>Download ${fileName}</a></p>
    <pre tabindex="0" role="region" aria-label="${language} code"><code>${text}</code></pre>
    <dl class="raw">
      ${rawBody.map(
        ({ framework, expression }) =>
          html`<div>
            <dt>Raw bytes in ${framework}</dt>
            <dd><code>${expression}</code></dd>
          </div>`,
      )}
    </dl>
  </details> `;
}

function vectors(): Html {
  const { vectors: all } = makeVectors();
  const good = all.filter(({ valid }) => valid).length;
  return html`<p>
      <a href="/docs/webhooks/vectors.json">vectors.json</a> holds ${all.length} deliveries made by this release:
      ${good} that your check has to accept and ${all.length - good} that it has to refuse. Run them in your own tests.
    </p>
    <p>
      Each has the <code>secret</code>, the time <code>now</code>, <code>headers</code>, the <code>body</code>, and the
      answer: <code>valid</code> for <code>X-Webhook-Signature</code>, <code>standard_valid</code> for
      <code>webhook-signature</code>.
    </p> `;
}

function retries(): Html {
  return html`<p>
      Anything but a 2xx within ${TIMEOUT} is a failed attempt: another status, a redirect, a slow answer, no
      connection. There are ${MOST_ATTEMPTS} attempts:
    </p>
    <ol>
      ${RETRY_DELAYS_MS.map((delayMs, index) => html`<li>${index === 0 ? "at once" : `${durationWords(delayMs)} after attempt ${index}`}</li>`)}
    </ol>
    <ul>
      <li>
        Every attempt has a new timestamp and signature, and the same <code>event_id</code>. Links to media are signed
        anew, so the body may differ.
      </li>
      <li>
        The same event can arrive twice, even after you answered 2xx. Keep the <code>event_id</code>s you have handled,
        and answer 2xx to one you know.
      </li>
      <li>Events of one call arrive in order; <code>data.sequence</code> counts them from 1.</li>
      <li>
        After ${FAILURES_UNTIL_DISABLED} failed attempts in a row the endpoint is switched off. Events are kept; they
        can be sent once it is on again.
      </li>
    </ul> `;
}

function standard(): Html {
  return html`<p>
      Every signed delivery also carries <code>webhook-id</code>, <code>webhook-timestamp</code> and
      <code>webhook-signature</code>, so that the libraries of
      <a href="https://www.standardwebhooks.com/" rel="noreferrer">Standard Webhooks</a> verify it. Give them the secret
      as it was shown.
    </p>
    <p>
      If you write that check yourself, mind the differences: the key is the <strong>decoded</strong> Base64 after
      <code>whsec_</code>, the signed text is <code>webhook-id.webhook-timestamp.body</code>, and the header is a list
      of <code>v1,…</code> separated by spaces. One that matches is enough.
    </p> `;
}

function rotation(): Html {
  return html`<p>
      After a rotation both secrets sign for ${OVERLAP}. No delivery is refused if you change your receiver like this:
    </p>
    <ol>
      <li>Rotate the secret. Your receiver goes on with the old one.</li>
      <li>
        Within ${OVERLAP}, give your receiver both secrets, the old and the new, with a space between them. The code
        above accepts either.
      </li>
      <li>After ${OVERLAP}, take the old one away.</li>
    </ol>
    <p>
      During these ${OVERLAP} the first attempt carries the old secret's signature in <code>X-Webhook-Signature</code>,
      the second the new one's, and so on in turn. A receiver that has the new secret alone therefore refuses the first
      attempt and accepts the second, ${durationWords(RETRY_DELAYS_MS[1])} later. <code>webhook-signature</code> carries
      both at every attempt. From then on only the new secret signs.
    </p> `;
}

function events(): Html {
  const rows = EVENT_TYPES.map((type) => [html`<code>${type}</code>`, html`${EVENTS[type].firedWhen}`]);
  return html`<p>
      Every body has <code>event_id</code>, <code>event_type</code>, <code>created_at</code> and <code>data</code>. The
      fields of <code>data</code> are in the <a href="/swagger">API documentation</a>. Ignore fields you do not know:
      there may be more one day.
    </p>
    ${table("events", ["Event", "Sent when"], rows)}`;
}

/** Labelled by the heading of its section. */
function table(headingId: string, columns: readonly string[], rows: readonly (readonly Cell[])[]): Html {
  return html`<table aria-labelledby="${headingId}">
    <thead>
      <tr>
        ${columns.map((column) => html`<th scope="col">${column}</th>`)}
      </tr>
    </thead>
    <tbody>
      ${rows.map(
        ([first, ...others]) =>
          html`<tr>
            <th scope="row">${first ?? null}</th>
            ${others.map((cell) => html`<td>${cell}</td>`)}
          </tr>`,
      )}
    </tbody>
  </table>`;
}
