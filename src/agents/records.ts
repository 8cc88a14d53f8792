// Agents, their numbers, recorded phrases and model servers, as every room above sees them.
import type { Row } from "../db/tables.ts";

export type Agent = Row<"agents">;
export type ModelServer = Row<"model_servers">;
export type PhoneNumber = Row<"phone_numbers">;
export type RecordedPhrase = Row<"agent_prompts">;
