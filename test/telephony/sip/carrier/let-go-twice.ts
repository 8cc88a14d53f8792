// A program of its own, because `bun test` ends every worker with an unhandled rejection, whoever listens: starts the
// real line worker, makes it let go of two promises and throw once, and writes what it said as a line of JSON each.
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
