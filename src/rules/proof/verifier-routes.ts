// /docs/verify-proofs: one page that verifies proofs in the browser, and shows its code. It works offline: save it and
// open it from the disk. Public.
import { Elysia } from "elysia";
import { sha256 } from "../../core/hmac.ts";
import { html } from "../../core/html.ts";
import { lazily } from "../../core/lazily.ts";
import { FACE_CSS } from "../../http/face.ts";
import formCode from "./verifier/form.js" with { type: "text" };
import verifierCode from "./verifier/verify.js" with { type: "text" };

const STYLE = `${FACE_CSS}
main{max-width:60rem;margin:0 auto;padding:1.25rem clamp(1rem,2vw,2.5rem) 4rem}
main>*{margin-bottom:1rem}
label{display:block;margin:.5rem 0;font-size:var(--size-small);font-weight:600}
input{display:block;min-height:44px;max-width:100%;font:inherit}
pre{overflow:auto;padding:.75rem;background:var(--surface-2);border-radius:var(--radius);font:var(--size-small) var(--mono)}`;
const SCRIPT = `${verifierCode}\n${formCode}`;

/** The page runs its own script alone, and reaches no network. */
const policy = () =>
  [
    "default-src 'none'",
    `script-src 'sha256-${sha256(SCRIPT).toString("base64")}'`,
    `style-src 'sha256-${sha256(STYLE).toString("base64")}'`,
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ].join("; ");

/** Script and style stay as they are; both are our own text. */
function page(): string {
  const body = html`<h1>Verify proofs of calls</h1>
    <p>
      The files stay in this browser. To use the page offline, save it and open it from your disk. The format is
      described in the <a href="/docs/lawful-calls#proof">handbook</a>.
    </p>
    <form id="form">
      <label>Proofs (JSON, or one per line) <input type="file" id="proofs" required /></label>
      <label>Public keys of the appliance <input type="file" id="keys" /></label>
      <label>Published head <input type="file" id="head" /></label>
      <button class="face-button">Verify</button>
    </form>
    <p id="result" role="status"></p>
    <h2>The code of this page</h2>
    <pre tabindex="0">${verifierCode}</pre>`;
  const head = `<meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>Verify proofs of calls</title>`;
  return `<!doctype html><html lang="en"><head>${head}<style>${STYLE}</style></head><body><main>${body.text}</main><script>${SCRIPT}</script></body></html>`;
}

export function proofVerifierRoutes() {
  const text = lazily(page);
  const headers = lazily(() => ({
    "content-type": "text/html; charset=utf-8",
    "content-security-policy": policy(),
    "cache-control": "no-cache",
    "referrer-policy": "no-referrer",
  }));
  return new Elysia({ name: "proof-verifier", detail: { hide: true } })
    .get("/docs/verify-proofs", () => new Response(text(), { headers: headers() }))
    .get(
      "/docs/verify-proofs/verify.js",
      () =>
        new Response(verifierCode, {
          headers: { "content-type": "text/javascript; charset=utf-8", "cache-control": "no-cache" },
        }),
    );
}
