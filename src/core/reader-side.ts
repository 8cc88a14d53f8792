// Main loop of the process that parses files: runs one job after the other, until the pipe to the server closes.
import { AppError } from "./errors.ts";
import { faultFields } from "./fault-fields.ts";
import type { FileJob, Message } from "./file-job.ts";
import { frameOf, framesIn } from "./frames.ts";
import type { FromReader, ToReader } from "./reader-protocol.ts";

export type AnyFileJob = FileJob<never, object, never>;

export async function serveJobs(
  jobs: readonly AnyFileJob[],
  input: AsyncIterable<Uint8Array>,
  write: (bytes: Uint8Array) => Promise<unknown>,
): Promise<void> {
  const frames = framesIn<ToReader>(input);
  const send = async (message: FromReader, bytes?: Uint8Array) => {
    for (const part of frameOf({ ...message, ...(bytes && { bytes }) })) await write(part);
  };
  const ask = async (name: string, asked: unknown): Promise<unknown> => {
    await send({ type: "asks", name, asked });
    const { value: frame } = await frames.next();
    if (!frame || !("answer" in frame.fields)) throw new Error("An answer was expected.");
    return frame.fields.answer;
  };
  const world = new Proxy({}, { get: (_, name) => (asked: unknown) => ask(String(name), asked) }) as never;
  for (;;) {
    const { value: frame } = await frames.next();
    if (!frame) return;
    const { fields, bytes } = frame;
    if (!("job" in fields)) continue;
    const job = jobs.find(({ name }) => name === fields.job);
    try {
      if (!job) throw new Error("This kind of file is not supported.");
      const { bytes: made, ...output }: Message = await job.run({ ...fields.input, bytes } as never, world);
      await send({ type: "done", output }, made);
    } catch (error) {
      await send(faultOf(error));
    }
  }
}

function faultOf(error: unknown): FromReader {
  if (error instanceof AppError) {
    const { code, message, details } = error;
    return { type: "fault", code, message, details };
  }
  return { type: "broken", error: Object.values(faultFields(error)).join(" ") };
}
