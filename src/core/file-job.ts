// Parsing of an uploaded file, as a job that can run in another process: its input and output are JSON and bytes.

/** Input or output of a job: everything except `bytes` is JSON. */
export type Message = object & { bytes?: Uint8Array };

/** Functions of the serving process that a job may call by name; results are JSON. */
export type World = Readonly<Record<string, (asked: never) => Promise<unknown>>>;

export interface FileJob<Input extends object, Output extends object, Asked = object> {
  /** Unique among all jobs. */
  name: string;
  /** Throws an AppError if the file is invalid. */
  run(input: Input, world: Asked): Promise<Output>;
}

export interface Files {
  /** Throws the job's AppError, or one that says that the file exceeds the limits. */
  read<Input extends object, Output extends object, Asked extends object>(
    organisationId: string,
    job: FileJob<Input, Output, Asked>,
    input: Input,
    world: Asked,
  ): Promise<Output>;
  stop(): void;
}

/** Runs in this process: for commands, which serve no other client. */
export const readHere: Files = {
  read: (_, job, input, world) => job.run(input, world),
  stop() {},
};
