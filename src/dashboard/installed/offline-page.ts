// Page that an installed dashboard shows while the appliance does not answer. Complete in itself, because the browser
// has nothing else then.
import { sha256 } from "../../core/hmac.ts";
import { html, Html } from "../../core/html.ts";
import { FACE_CSS } from "../../http/face.ts";
import mark from "../../http/mark.svg" with { type: "text" };
import script from "./offline-script.js" with { type: "text" };

const WORDS = {
  en: {
    title: "The appliance does not answer",
    text: "Check the connection of this device. This page opens by itself as soon as Ringward answers.",
    nothing: "Nothing about patients is kept on this device.",
    again: "Try again",
  },
  hi: {
    title: "Ringward से जवाब नहीं मिल रहा",
    text: "इस डिवाइस का कनेक्शन जाँचें। Ringward के जवाब देते ही यह पेज अपने आप खुल जाएगा।",
    nothing: "मरीज़ों की कोई जानकारी इस डिवाइस पर नहीं रखी जाती।",
    again: "फिर कोशिश करें",
  },
} as const;

const hashed = (text: string) => `'sha256-${sha256(text).toString("base64")}'`;

export const offlinePolicy = () =>
  [
    "default-src 'none'",
    `script-src ${hashed(script)}`,
    `style-src ${hashed(FACE_CSS)}`,
    "connect-src 'self'",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ].join("; ");

/** Style and script stay as they are; both are our own text. */
export function offlinePage(): string {
  const part = (language: keyof typeof WORDS) => {
    const words = WORDS[language];
    return html`<div lang="${language}" ${language === "en" ? null : html`hidden`}>
      <h1>${words.title}</h1>
      <p>${words.text}</p>
      <p>${words.nothing}</p>
      <button class="face-button" type="button">${words.again}</button>
    </div>`;
  };
  const main = html`<main class="face-message">
    ${new Html(mark)}
    <div role="alert">${part("en")} ${part("hi")}</div>
  </main>`;
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>Ringward</title>
<style>${FACE_CSS}</style>
</head>
<body>${main.text}<script>${script}</script></body>
</html>
`;
}
