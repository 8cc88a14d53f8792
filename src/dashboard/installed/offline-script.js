// Script of the offline page: its language, and a reload as soon as the appliance answers.
const LOOK_EVERY_MS = 2000;

const chosen = localStorage.getItem("ringward-language");
const wanted = [chosen, ...navigator.languages].map((tag) => (tag ?? "").slice(0, 2));
const language = wanted.find((tag) => tag === "en" || tag === "hi") ?? "en";
for (const part of document.querySelectorAll("main [lang]")) part.hidden = part.lang !== language;
document.documentElement.lang = language;

async function look() {
  try {
    const { headers } = await fetch("/dashboard/api/welcome", { cache: "no-store" });
    // A proxy responds in HTML while it does not reach the appliance.
    if (headers.has("x-request-id")) location.reload();
  } catch {
    // Still not reachable.
  }
}

setInterval(() => document.hidden || look(), LOOK_EVERY_MS);
addEventListener("online", look);
for (const button of document.querySelectorAll("button")) button.addEventListener("click", () => location.reload());
