// Faults in the line's thread that no fence caught. Left to itself, Bun ends a worker for them, and everybody's calls.
import { expect, test } from "bun:test";
import { startLineWorker } from "../../../../src/workers.ts";
import { until } from "../../../support/until.ts";
import { workerSettings } from "./bench.ts";
import { afterwards, cleanUpAfterEach } from "./clean-up.ts";

cleanUpAfterEach();

test("a rejection that nobody handles is logged without its message, and the worker goes on until it is told to stop", async () => {
  const program = new URL("./let-go-twice.ts", import.meta.url).pathname;
  const run = Bun.spawn([process.execPath, program], { stdout: "pipe", stderr: "pipe" });
  afterwards(() => run.kill());
  const [out, faults] = await Promise.all([new Response(run.stdout).text(), new Response(run.stderr).text()]);
  const said = out
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line) as { type: string });

  const logged = {
    type: "log",
    level: "error",
    message: "Work in the line's thread failed and nobody was told; calls go on.",
    fields: { error: "TypeError", at: expect.stringContaining("letting-go.ts") as string },
  };
  expect(said.filter(({ type }) => type === "log")).toEqual([logged, logged]);
  expect(said.at(-1)).toEqual({ type: "stopped" });
  expect(out + faults).not.toContain("Meera");
  expect(await run.exited).toBe(0);
});

test("a throw that nobody catches ends the worker; the reason names its kind and place, and quotes nothing", async () => {
  const worker = startLineWorker();
  afterwards(() => worker.terminate());
  let isReady = false;
  const ends: string[] = [];
  worker.onMessage(({ type }) => (isReady ||= type === "ready"));
  worker.onEnd((reason) => void ends.push(reason));
  worker.post({ type: "start", settings: workerSettings(), trunks: [] });
  await until(() => isReady);
  worker.post({ type: "dial", order: null as never });
  await until(() => ends.length > 0);
  expect(ends).toEqual([expect.stringMatching(/^TypeError at #dial \(.*switchboard\.ts/)]);
});
