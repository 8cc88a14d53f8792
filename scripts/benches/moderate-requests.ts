// Reads and creates at a steady rate, in a separate process, while another measurement runs; reports to its parent.
// `moderate-requests.ts --url URL --key KEY --agent ID --call ID --reads 50 --creates 20` (per second)
import { parseArgs } from "node:util";
import { quantile } from "./figures.ts";

export interface RequestsReport {
  requests: number;
  failed: number;
  p99Ms: number;
}

const DAY_MS = 86_400_000;
const text = { type: "string", default: "" } as const;

function main(): void {
  const { values } = parseArgs({
    options: { url: text, key: text, agent: text, call: text, reads: text, creates: text },
  });
  const headers = { "x-api-key": values.key, "content-type": "application/json" };
  const times: number[] = [];
  let failed = 0;

  async function timed(request: () => Promise<Response>): Promise<void> {
    const startedMs = performance.now();
    try {
      const answer = await request();
      await answer.arrayBuffer();
      if (!answer.ok) failed++;
    } catch {
      failed++;
    }
    times.push(performance.now() - startedMs);
  }
  const read = () => fetch(`${values.url}/v1/calls/${values.call}`, { headers });
  const body = JSON.stringify({
    agent_id: values.agent,
    user_number: "+919811110123",
    scheduled_time: new Date(Date.now() + DAY_MS).toISOString(),
    additional_info: { doctor: "Dr. Example", visit: "annual check-up" },
  });
  const create = () => fetch(`${values.url}/v1/calls`, { method: "POST", headers, body });

  setInterval(() => void timed(read), 1_000 / Number(values.reads));
  setInterval(() => void timed(create), 1_000 / Number(values.creates));
  process.on("message", () => {
    process.send?.({ requests: times.length, failed, p99Ms: quantile(times, 0.99) } satisfies RequestsReport);
  });
}

if (import.meta.main) main();
