// POST /v1/calls at full rate, in a separate process, while the part sip measures calls. Reports the count to its
// parent.
import { parseArgs } from "node:util";

const { values } = parseArgs({
  options: { url: { type: "string" }, key: { type: "string" }, agent: { type: "string" }, number: { type: "string" } },
});
const CONNECTIONS = 64;
const DAY_MS = 86_400_000;
const headers = { "x-api-key": values.key ?? "", "content-type": "application/json" };
/** Scheduled for tomorrow: these calls are stored and not dialled during the measurement. */
const body = JSON.stringify({
  agent_id: values.agent,
  user_number: values.number,
  scheduled_time: new Date(Date.now() + DAY_MS).toISOString(),
  additional_info: { visit: "annual check-up" },
});

let created = 0;
process.on("message", () => process.send?.(created));

async function client(): Promise<never> {
  for (;;) {
    const answer = await fetch(`${values.url}/v1/calls`, { method: "POST", headers, body });
    await answer.arrayBuffer();
    if (answer.status !== 201) throw new Error(`POST /v1/calls answered ${answer.status}.`);
    created++;
  }
}
await Promise.all(Array.from({ length: CONNECTIONS }, client));
