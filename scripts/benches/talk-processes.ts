// The processes beside the executable in the part talk: the patients and the baseline timer.
import { join } from "node:path";
import type { Punctuality } from "./talk-beat.ts";
import type { Measured, Reply } from "./talk-patient.ts";
import type { FromPatients, ToPatients } from "./talk-patients.ts";

export interface Patients {
  port: number;
  /** Starts to measure punctuality. */
  measure(): void;
  report(): Promise<{ calls: Punctuality; bare: Punctuality }>;
  /** The measurements of this number's patient, after the call. */
  ended(number: string): Promise<Measured>;
  stop(): void;
}

/** `wrapper`: a command prefix, such as taskset. */
export async function startPatients(scripts: Reply[][], wrapper: string[]): Promise<Patients> {
  const script = (name: string) => [...wrapper, process.execPath, join(import.meta.dir, name)];
  const waiting = new Map<string, (measured: Measured) => void>();
  const listening = Promise.withResolvers<Extract<FromPatients, { type: "listening" }>>();
  let reported = Promise.withResolvers<{ calls: Punctuality; bare: Punctuality }>();
  const child = Bun.spawn(script("talk-patients.ts"), {
    stdout: "inherit",
    stderr: "inherit",
    ipc(message: FromPatients) {
      if (message.type === "listening") listening.resolve(message);
      if (message.type === "report") reported.resolve(message);
      if (message.type === "ended") waiting.get(message.number)?.(message.measured);
    },
  });
  const tell = (order: ToPatients) => child.send(order);
  const { port, barePort } = await listening.promise;
  tell({ type: "scripts", scripts });
  const bare = Bun.spawn([...script("talk-bare.ts"), String(barePort)], { stdout: "inherit", stderr: "inherit" });
  return {
    port,
    measure: () => tell({ type: "measure" }),
    report() {
      reported = Promise.withResolvers();
      tell({ type: "report" });
      return reported.promise;
    },
    ended: (number) => new Promise((resolve) => void waiting.set(number, resolve)),
    stop() {
      child.kill();
      bare.kill();
    },
  };
}
