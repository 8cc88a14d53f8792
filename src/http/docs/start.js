// Starts Swagger UI in the reader's colour scheme, and corrects what it leaves out for screen readers.
const dark = matchMedia("(prefers-color-scheme: dark)");
const show = () => document.documentElement.classList.toggle("dark-mode", dark.matches);
show();
dark.addEventListener("change", show);

window.ui = SwaggerUIBundle({
  url: "openapi.json",
  dom_id: "#swagger-ui",
  deepLinking: true,
  persistAuthorization: true,
  displayRequestDuration: true,
  tryItOutEnabled: true,
  validatorUrl: null,
});

/** Swagger UI begins with an h2 and skips levels. */
const LEVELS = [
  [".info .title", 1],
  [".opblock-tag, .models h4, .webhooks h2", 2],
  [".opblock-section-header h4, .opblock-body h4, .model-container h4", 3],
  [".opblock-body h5", 4],
];
const NAMES = [
  ["select#servers", "Server"],
  ["select.examples-select-element", "Example"],
  ["select.content-type, select[aria-label='']", "Media type"],
  ["select", "Value"],
];

/** Outside its main part. */
const REGIONS = [
  [".information-container", "About this API"],
  [".schemes-server-container", "Server and authorisation"],
];

function correct() {
  const page = document.querySelector("#swagger-ui");
  for (const [selector, name] of REGIONS)
    for (const part of page.querySelectorAll(`${selector}:not([role])`)) {
      part.setAttribute("role", "region");
      part.setAttribute("aria-label", name);
    }
  for (const [selector, level] of LEVELS)
    for (const heading of page.querySelectorAll(selector))
      if (!heading.hasAttribute("aria-level")) heading.setAttribute("aria-level", String(level));
  for (const [selector, name] of NAMES)
    for (const select of page.querySelectorAll(selector))
      if (!select.getAttribute("aria-label")) select.setAttribute("aria-label", name);
  for (const field of page.querySelectorAll(":is(input, textarea):not([aria-label], [id], [type=submit])"))
    field.setAttribute("aria-label", field.getAttribute("placeholder") ?? "Value");
  // A link inside a button, which opens the same operation.
  for (const link of page.querySelectorAll(".opblock-summary-control a[href]")) link.removeAttribute("href");
  // Long examples scroll.
  for (const box of page.querySelectorAll("pre:not([tabindex]), .highlight-code:not([tabindex])"))
    box.setAttribute("tabindex", "0");
}

let isPlanned = false;
new MutationObserver(() => {
  if (isPlanned) return;
  isPlanned = true;
  requestAnimationFrame(() => {
    isPlanned = false;
    correct();
  });
}).observe(document.querySelector("#swagger-ui"), { childList: true, subtree: true });
