// Services of the legal rules: changes to the rule books, proofs of calls.
import { agentVersionsIn } from "../agents/versions/version-store.ts";
import { createNumberHash } from "../core/number-hash.ts";
import type { Config } from "../config/schema.ts";
import { createHeads } from "../rules/proof/heads.ts";
import { createProofKeys } from "../rules/proof/proof-keys.ts";
import { createProofService } from "../rules/proof/proof-service.ts";
import { callOf } from "../calls/call/store.ts";
import { releaseHeldByRules } from "../calls/queue/queue-store.ts";
import { createProvenCalls } from "../calls/life/proven-calls.ts";
import { createHoldService } from "../rules/holds/hold-service.ts";
import type { Keeping } from "../rules/holds/keeping.ts";
import { createRuleChangeService } from "../rules/book/change-service.ts";
import { createRegistryService } from "../rules/registry/service.ts";
import { createSealing } from "../rules/proof/sealing.ts";

type Given<Create extends (deps: never) => unknown> = Parameters<Create>[0];

export type RuleGround = Omit<Given<typeof createRuleChangeService>, "changed"> &
  Given<typeof createProofKeys> &
  Given<typeof createRegistryService> &
  Given<typeof createHoldService> & { keeping: Keeping } & Omit<
    Given<typeof createSealing>,
    "proofKeys" | "agentVersionsIn"
  > & { secrets: Parameters<typeof createNumberHash>[0]; config: Config } & Pick<Given<typeof createHeads>, "outbox">;

export function createRuleServices(ground: RuleGround) {
  const proofKeys = createProofKeys(ground);
  const proofs = createProofService({ ...ground, proofKeys, callOf });
  return {
    ruleChanges: createRuleChangeService({ ...ground, changed: releaseHeldByRules }),
    holds: createHoldService(ground),
    registry: createRegistryService(ground),
    keeping: ground.keeping,
    proofKeys,
    proofs,
    proofHeads: createHeads({ ...ground, proofs, headFile: ground.config.proofs.head_file }),
    provenCalls: createProvenCalls(createNumberHash(ground.secrets, "proof-numbers")),
    sealing: createSealing({ ...ground, proofKeys, agentVersionsIn }),
  };
}
