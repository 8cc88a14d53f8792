// Run as a separate process, because `bun test` ends every worker with an unhandled rejection despite listeners: starts
// the real line worker, makes it reject two promises unhandled and throw once, and prints its reports as JSON lines.
import type { FromWorker, ToWorker } from "../../../../src/telephony/sip/carrier/protocol.ts";
import { hearStrays } from "../../../../src/core/last-resort.ts";
import { portOf } from "../../../../src/compose/threads/start.ts";
import { until } from "../../../support/until.ts";
import { workerSettings } from "./bench.ts";

const tell = (what: object): void => console.log(JSON.stringify(what));
const preload = new URL("./letting-go.ts", import.meta.url).pathname;
const thread = new Worker(new URL("../../../../src/compose/threads/line-worker.ts", import.meta.url), { preload });
const worker = portOf<ToWorker, FromWorker>(thread);
const said: string[] = [];

worker.onMessage((message) => {
  said.push(message.type);
  tell(message);
});
worker.onEnd((reason) => {
  tell({ type: "died", reason });
  process.exit(1);
});
hearStrays((stray) => {
  said.push("stray");
  tell({ type: "stray", ...stray });
});
const count = (type: FromWorker["type"] | "stray") => said.filter((each) => each === type).length;

worker.post({ type: "start", settings: workerSettings({ logLevel: "error" }), trunks: [] });
await until(() => count("ready") === 1);
for (const [index, type] of ["letGo", "letGo", "throw"].entries()) {
  thread.postMessage({ type }, []);
  await until(() => count("stray") === index + 1);
}
const beatsBefore = count("beat");
await until(() => count("beat") > beatsBefore + 1);
worker.post({ type: "stop", drainMs: 0 });
await until(() => count("stopped") === 1);
process.exit(0);
