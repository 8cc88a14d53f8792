// Memory of an idle appliance, against a baseline server compiled the same way.
import { tempFolder } from "../../test/support/binary.ts";
import { bareServer } from "./bare-server.ts";
import type { Bench, Finding } from "./bench.ts";
import { startBare, startRingward, type ServerProcess } from "./server-process.ts";

const MOST_BYTES = 120e6;
const megabytes = (bytes: number) => `${(bytes / 1e6).toFixed(0)} MB`;

async function settled(server: ServerProcess, seconds: number): Promise<ReturnType<ServerProcess["memory"]>> {
  await Bun.sleep(seconds * 1_000);
  const memory = server.memory();
  await server.stop();
  return memory;
}

async function run({ quick }: { quick: boolean }): Promise<Finding[]> {
  // Every recurring job runs once in the first minute.
  const seconds = quick ? 3 : 65;
  const [bare, empty, demo] = await Promise.all([
    startBare(await bareServer(), tempFolder()).then((server) => settled(server, seconds)),
    startRingward(tempFolder()).then((server) => settled(server, seconds)),
    startRingward(tempFolder(), ["--demo"]).then((server) => settled(server, seconds)),
  ]);
  const found = (measure: string, { all, own }: typeof bare): Finding => ({
    measure: `resident after ${seconds} s, ${measure}`,
    here: `${megabytes(all)}, ${megabytes(own)} of it its own`,
    against: `${megabytes(bare.all)} (${megabytes(bare.own)}) of a bare compiled server`,
    ratio: all / bare.all,
    goal: `≤ ${megabytes(MOST_BYTES)}`,
    holds: all <= MOST_BYTES,
  });
  return [found("an empty appliance", empty), found("a demo hospital", demo)];
}

export const memory: Bench = {
  name: "memory",
  about: "what an appliance that nobody uses keeps in memory, beside a bare server",
  run,
};
