// Versions of an agent: the fields of each, and the names of those that changed.
import { json, meanings, type Meant } from "../../db/meaning.ts";
import type { AgentFields } from "./difference.ts";

export const versionMeaning = meanings<"agent_versions">()({
  changed: json<readonly string[]>(),
  fields: json<AgentFields>(),
});
export type AgentVersion = Meant<typeof versionMeaning>;
