// Uncaught faults in the line's thread. Bun by itself would end the worker, and with it every call.
import { expect, test } from "bun:test";
import type { FromWorker } from "../../../../src/telephony/sip/carrier/protocol.ts";
import { startLineWorker } from "../../../../src/compose/threads/start.ts";
import { until } from "../../../support/until.ts";
import { workerSettings } from "./bench.ts";
import { afterwards, cleanUpAfterEach } from "./clean-up.ts";

cleanUpAfterEach();

test("rejections and throws that nothing catches are told without their message, and the worker goes on", async () => {
  const program = new URL("./let-go-twice.ts", import.meta.url).pathname;
  const run = Bun.spawn([process.execPath, program], { stdout: "pipe", stderr: "pipe" });
  afterwards(() => run.kill());
  const [out, faults] = await Promise.all([new Response(run.stdout).text(), new Response(run.stderr).text()]);
  const said = out
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line) as { type: string });

  const stray = {
    type: "stray",
    thread: "line",
    fields: { error: "TypeError", at: expect.stringContaining("letting-go.ts") as string },
  };
  expect(said.filter(({ type }) => type === "stray")).toEqual([stray, stray, stray]);
  expect(said.at(-1)).toEqual({ type: "stopped" });
  expect(out + faults).not.toContain("Meera");
  expect(await run.exited).toBe(0);
});

test("an order that throws ends its own call, and the worker goes on", async () => {
  const worker = startLineWorker();
  afterwards(() => worker.terminate());
  const said: FromWorker[] = [];
  worker.onMessage((message) => void said.push(message));
  worker.post({ type: "start", settings: workerSettings(), trunks: [] });
  await until(() => said.some(({ type }) => type === "ready"));
  // Without the clips that an order always has.
  worker.post({ type: "dial", order: { callId: "call_1" } as never });
  await until(() => said.some(({ type }) => type === "ended"));
  expect(said.find(({ type }) => type === "ended")).toMatchObject({
    callId: "call_1",
    end: { kind: "failed", code: "infrastructure_error" },
  });
  expect(said.find(({ type }) => type === "log")).toMatchObject({
    message: "An order to the line failed.",
    fields: { order: "dial", error: "TypeError" },
  });
  const beats = () => said.filter(({ type }) => type === "beat").length;
  const before = beats();
  await until(() => beats() > before);
});
