// The plan of `ringward apply`: every object of the file in the order of application, as words or JSON.
import { AppError } from "../../core/errors.ts";
import { planEndpoints, planKeys } from "./access-kind.ts";
import { planAgents } from "./agent-kind.ts";
import { planClosures, planWindows } from "./calendar-kind.ts";
import { planBranches, planServices } from "./directory-kind.ts";
import { PRUNABLE, type Kind } from "./file-schema.ts";
import type { Ground, Step } from "./ground.ts";
import { planOrganisation } from "./organisation-kind.ts";
import { planDoNotDisturb } from "./people-kind.ts";
import { planReminders } from "./reminder-kind.ts";
import { planRules } from "./rule-kind.ts";
import { planSources } from "./source-kind.ts";
import { planNumbers, planTrunks } from "./trunk-kind.ts";

/** In the order of KINDS: names of earlier kinds are known to later ones. */
const PLANNERS: readonly ((ground: Ground) => Promise<Step[]>)[] = [
  planOrganisation,
  planRules,
  planDoNotDisturb,
  planBranches,
  planServices,
  planTrunks,
  planAgents,
  planNumbers,
  planWindows,
  planReminders,
  planClosures,
  planSources,
  planEndpoints,
  planKeys,
];

export interface Plan {
  steps: readonly Step[];
  warnings: readonly string[];
  faults: readonly string[];
  left: ReadonlyMap<Kind, number>;
}

/** `asked`: the organisation's id, if it is not found by its name. */
export async function makePlan(ground: Ground, asked: string | undefined): Promise<Plan> {
  await findOrganisation(ground, asked);
  const steps: Step[] = [];
  for (const planner of PLANNERS) steps.push(...(await planner(ground)));
  steps.push(...ground.removals);
  return { steps, warnings: ground.warnings, faults: ground.faults, left: ground.left };
}

async function findOrganisation(ground: Ground, asked: string | undefined): Promise<void> {
  const name = ground.file.organisation.name.trim();
  const all = await ground.services.organisations.list();
  const found = all.filter((each) => (asked === undefined ? each.name === name : each.id === asked));
  if (asked !== undefined && found.length === 0) throw new AppError("NOT_FOUND", `There is no organisation ${asked}.`);
  if (found.length > 1)
    throw new AppError("CONFLICT", `${found.length} organisations have this name: give the id of one with --org.`);
  if (found[0]) ground.isOrganisation(found[0].id);
}

export const isOpen = ({ action }: Step): boolean => action !== "unchanged";

/** What is done, without the steps that change nothing. */
export const openSteps = ({ steps }: Plan): Step[] => steps.filter(isOpen);

export const planView = ({ steps, warnings, left }: Plan) => ({
  steps: steps.map(({ kind, name, action, fields, note }) => ({ kind, name, action, fields, note: note ?? null })),
  warnings,
  not_in_file: Object.fromEntries([...left].filter(([, count]) => count > 0)),
});

export function planRows({ steps }: Plan): string[][] {
  return steps.map(({ kind, name, action, fields, note }) => [
    action,
    kind,
    name,
    [fields.join(", "), note ?? ""].filter(Boolean).join("; "),
  ]);
}

/** Objects that stay although the file does not name them. */
export function leftWords({ left }: Plan): string {
  const counted = [...left].filter(([, count]) => count > 0).map(([kind, count]) => `${kind} ${count}`);
  return counted.length === 0 ? "" : `Not in the file and left as they are (see --prune): ${counted.join(", ")}.`;
}

const DONE: Readonly<Record<Step["action"], string>> = {
  create: "Created",
  change: "Changed",
  remove: "Removed",
  unchanged: "Unchanged",
};

/** `told` hears of every step that is done. A failure names its object; the steps before it stay. */
export async function applyPlan(plan: Plan, told: (line: string) => void): Promise<number> {
  const steps = openSteps(plan);
  for (const [done, step] of steps.entries()) {
    try {
      await step.run();
    } catch (error) {
      throw failed(step, error, `${done} of ${steps.length} steps are done`);
    }
    told(`${DONE[step.action]} ${step.kind} "${step.name}".`);
  }
  return steps.length;
}

function failed({ kind, name }: Step, error: unknown, progress: string): unknown {
  if (!(error instanceof AppError)) return error;
  const message = `${kind} "${name}": ${error.message} ${progress}; run the same command again to continue.`;
  return new AppError(error.code, message, { cause: error });
}

/** Kinds named by --prune. */
export function pruneOf(text: string | undefined, isInFile: (kind: Kind) => boolean): ReadonlySet<Kind> {
  const kinds = (text ?? "").split(",").flatMap((part) => part.trim() || []);
  return new Set(
    kinds.map((kind) => {
      const known = PRUNABLE.find((each) => each === kind);
      if (!known) throw new AppError("VALIDATION_ERROR", `--prune: ${kind} is none of ${PRUNABLE.join(", ")}.`);
      if (!isInFile(known))
        throw new AppError("VALIDATION_ERROR", `--prune: the file does not hold ${known}. Nothing was changed.`);
      return known;
    }),
  );
}
