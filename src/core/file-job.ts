// Reading a file that someone sent, as a job that can run in another process: its input and output are JSON and bytes.

/** What travels to a job and back: all but `bytes` is JSON. */
export type Message = object & { bytes?: Uint8Array };

/** What a job may ask of the process that serves, by name: each answer is JSON. */
export type World = Readonly<Record<string, (asked: never) => Promise<unknown>>>;

export interface FileJob<Input extends object, Output extends object, Asked = object> {
  /** Unique among all jobs. */
  name: string;
  /** Throws an AppError where something is wrong with the file. */
  run(input: Input, world: Asked): Promise<Output>;
}

export interface Files {
  /** Throws the job's AppError, or one that says that the file takes too much to read. */
  read<Input extends object, Output extends object, Asked extends object>(
    organisationId: string,
    job: FileJob<Input, Output, Asked>,
    input: Input,
    world: Asked,
  ): Promise<Output>;
  stop(): void;
}

/** In this process: for commands, which serve no one else meanwhile. */
export const readHere: Files = {
  read: (_, job, input, world) => job.run(input, world),
  stop() {},
};
