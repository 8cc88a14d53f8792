// What an agent's changes mean for calls: whoever keeps them says so.
import type { Executor, Tx } from "../db/tables.ts";

export interface WaitingCalls {
  hoursChanged(tx: Tx, organisationId: string, agentId: string, now: number): Promise<void>;
  trunkChanged(tx: Tx, now: number): Promise<void>;
  /** Whether calls of the agent are planned or under way. */
  hasUnfinished(executor: Executor, organisationId: string, agentId: string): Promise<boolean>;
  /** Whether it has a campaign that is not over. */
  hasCampaign(executor: Executor, organisationId: string, agentId: string): Promise<boolean>;
}
