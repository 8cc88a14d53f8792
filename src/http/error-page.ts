// Page for people who open an unknown address in a browser. Programs get the JSON error body.
import { html } from "../core/html.ts";
import { FACE_PATH, faceBar, MARK_PATH } from "./face.ts";
import { pathOf } from "./handler.ts";

const WORDS = {
  en: {
    title: "Page not found",
    text: "There is no page at this address. It may have been mistyped, or the page has moved.",
    home: "Open the dashboard",
  },
  hi: {
    title: "पेज नहीं मिला",
    text: "इस पते पर कोई पेज नहीं है। हो सकता है कि पता ग़लत लिखा गया हो, या पेज हटा दिया गया हो।",
    home: "डैशबोर्ड खोलें",
  },
} as const;

const HEADERS = {
  "content-type": "text/html; charset=utf-8",
  "content-security-policy":
    "default-src 'none'; style-src 'self'; img-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
  "cache-control": "no-store",
  "referrer-policy": "no-referrer",
  vary: "accept, accept-language",
};

/** Below these, clients are programs. Some of them, such as Java's, ask for HTML by default. */
const FOR_PROGRAMS = /^\/(?:v1|fhir|dashboard\/api)(?:\/|$)/;

export function wantsPage(request: Request): boolean {
  return (
    request.method === "GET" &&
    !FOR_PROGRAMS.test(pathOf(request)) &&
    (request.headers.get("accept") ?? "").includes("text/html")
  );
}

export function notFoundPage({ headers }: Request): Response {
  const [first = ""] = (headers.get("accept-language") ?? "").toLowerCase().split(/[,;-]/);
  const language = first.trim() === "hi" ? "hi" : "en";
  const words = WORDS[language];
  const page = html`<!doctype html>
    <html lang="${language}">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="color-scheme" content="light dark" />
        <title>${words.title} · Ringward</title>
        <link rel="icon" type="image/svg+xml" href="${MARK_PATH}" />
        <link rel="stylesheet" href="${FACE_PATH}" />
      </head>
      <body>
        ${faceBar(null)}
        <main class="face-message">
          <h1>${words.title}</h1>
          <p>${words.text}</p>
          <a class="face-button" href="/dashboard">${words.home}</a>
        </main>
      </body>
    </html> `.text;
  return new Response(page, { status: 404, headers: HEADERS });
}
