import { expect, test } from "bun:test";
import { startAgent, trunkAt } from "./agent-under-test.ts";
import { startSipp } from "./sipp.ts";
for (let k=0;k<80;k++) test("tcp "+k, async () => {
  const sipp = await startSipp("answer", { transport: "tcp" }); let stage="agent";
  const t=setTimeout(()=>console.log(k,"STUCK at",stage),4500);
  const logs:string[]=[]; const logger={debug(){},info:(m:string,f:any)=>logs.push(m+JSON.stringify(f)),warn:(m:string,f:any)=>{logs.push(m+JSON.stringify(f)); if(f?.problem) console.log(k,"WARN",JSON.stringify(f))},error:(m:string,f:any)=>console.log("ERR",m,f)};
  const run = await startAgent([trunkAt(sipp.port,{transport:"tcp"})],{logger} as any); stage="answer";
  run.invite(); await run.heard("call_1 answered"); stage="end"; run.agent.hangUp("call_1"); await run.ended(); stage="sipp";
  await sipp.finished(); clearTimeout(t);
}, 6_000);
