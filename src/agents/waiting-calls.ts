// Port to the calls that depend on an agent.
import type { Executor, Tx } from "../db/tables.ts";

export interface WaitingCalls {
  hoursChanged(tx: Tx, organisationId: string, agentId: string, now: number): Promise<void>;
  trunkChanged(tx: Tx, now: number): Promise<void>;
  /** Whether the agent has planned or active calls. */
  hasUnfinished(executor: Executor, organisationId: string, agentId: string): Promise<boolean>;
  /** Whether the agent has an unfinished campaign. */
  hasCampaign(executor: Executor, organisationId: string, agentId: string): Promise<boolean>;
}
