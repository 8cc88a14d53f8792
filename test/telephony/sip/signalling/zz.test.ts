import { expect, test } from "bun:test";
import { startAgent, trunkAt } from "./agent-under-test.ts";
import { startSipp } from "./sipp.ts";
for (let k=0;k<14;k++) test("lossy "+k, async () => {
  const args = ["-lost", "20", "-T2", "200", "-max_invite_retrans", "40", "-max_non_invite_retrans", "40"];
  const sipp = await startSipp("lossy", { calls: 10, args });
  const run = await startAgent([trunkAt(sipp.port)], { timers: { t1Ms: 50, t2Ms: 200, t4Ms: 500 } });
  const ids = Array.from({ length: 10 }, (_, i) => `call_${i}`);
  for (const callId of ids) run.invite({ callId });
  const endings = await Promise.all(ids.map((callId) => run.ended(callId)));
  const bad = ids.filter((_, i) => endings[i]!.by !== "peer" || endings[i]!.outcome !== null);
  for (const id of bad) { console.log(id, JSON.stringify(run.endings.get(id)), run.events.filter(e=>e.startsWith(id)));
   const counts=new Map<string,number>(); for (const e of run.ladder){const c=/Call-ID: (\S+)/.exec(e.text)![1]!; counts.set(c,(counts.get(c)??0)+1)} 
   for (const [c,n] of counts) { const l=run.ladder.filter(e=>e.text.includes(c)); if (!l.some(e=>e.firstLine.startsWith("BYE"))) console.log(l.map(e=>`${e.atMs%100000} ${e.direction} ${e.firstLine}`).join("\n")); } }
}, 10_000);
