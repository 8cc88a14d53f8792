// A set-up appliance on which no server runs, and the commands typed at it.
import { expect } from "bun:test";
import { join } from "node:path";
import { runBinary, tempFolder } from "./binary.ts";

export const PASSWORD = "correct horse battery";

/** A set-up appliance on which no server runs. */
export async function appliance(): Promise<string> {
  const dataDir = join(tempFolder(), "data");
  const made = await runBinary(
    ["setup", "--organisation", "St. Mary", "--email", "owner@hospital.example", "--data", dataDir],
    {
      stdin: `${PASSWORD}\n`,
    },
  );
  expect(made).toMatchObject({ code: 0, stderr: "" });
  return dataDir;
}

export const on = (dataDir: string, ...args: string[]) => runBinary([...args, "--data", dataDir]);

export async function jsonOf(dataDir: string, ...args: string[]): Promise<unknown> {
  const { code, stdout, stderr } = await on(dataDir, ...args, "--json");
  expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
  return JSON.parse(stdout) as unknown;
}
