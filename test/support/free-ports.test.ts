// Several test processes at once, as two lanes, two clones or two people on one machine are.
import { expect, test } from "bun:test";
import { join } from "node:path";
import { audioPorts, freeSipPort, reservedPort, type PortRow } from "./free-ports.ts";

const MODULE = join(import.meta.dir, "free-ports.ts");
const PROGRAM = `
  import { audioPorts, freeSipPort, reservedPort } from ${JSON.stringify(MODULE)};
  const rows = Array.from({ length: 40 }, () => [
    { from: reservedPort() }, { from: freeSipPort() }, audioPorts(4),
  ]).flat();
  console.log(JSON.stringify(rows.flatMap(({ from, to = from }) => [from, to])));
  for await (const _ of Bun.stdin.stream()) {}
`;

function startedProcess() {
  const child = Bun.spawn([process.execPath, "-e", PROGRAM], { stdin: "pipe", stdout: "pipe", stderr: "inherit" });
  const ports = async (): Promise<number[]> => {
    const { value } = await child.stdout.getReader().read();
    return JSON.parse(new TextDecoder().decode(value)) as number[];
  };
  return { child, ports: ports() };
}

test("test processes that run at once never hold the same port", async () => {
  const processes = Array.from({ length: 4 }, startedProcess);
  const blocks = await Promise.all(processes.map(({ ports }) => ports));
  const all = blocks.flatMap((ports) => [...new Set(ports)]);
  expect(new Set(all).size).toBe(all.length);
  expect(all.every((port) => port >= 10_000 && port < 32_000)).toBeTrue();
  for (const { child } of processes) child.kill();
});

test("ports in use are skipped, whatever their protocol and address", async () => {
  const next = reservedPort() + 2;
  const datagrams = await Bun.udpSocket({ hostname: "127.0.0.9", port: next });
  const stream = Bun.listen({ hostname: "127.0.0.1", port: next + 2, socket: { data() {} } });
  const given = [reservedPort(), freeSipPort(), audioPorts(4).from];
  expect(given.every((port) => port > next + 2)).toBeTrue();
  datagrams.close();
  stream.stop(true);
});

test("a long row is held as a whole", () => {
  const overlap = (a: PortRow, b: PortRow) => a.from <= b.to && b.from <= a.to;
  const rows = [audioPorts(1_200), audioPorts(600), audioPorts(20)];
  expect(rows.map(({ from, to }) => to - from + 1 >= 20)).toEqual([true, true, true]);
  expect(overlap(rows[0]!, rows[1]!) || overlap(rows[1]!, rows[2]!) || overlap(rows[0]!, rows[2]!)).toBeFalse();
});
