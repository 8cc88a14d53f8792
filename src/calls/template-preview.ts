// Preview of a prompt or greeting: filled in as a call of the organisation does.
import type { PreviewTemplateInput } from "../agents/model.ts";
import type { AgentService } from "../agents/service.ts";
import { renderTemplate, type Rendered } from "../agents/template.ts";
import { assertStorable } from "./additional-info.ts";
import { knownFacts } from "./call/template-values.ts";

export async function previewTemplate(
  agents: Pick<AgentService, "known">,
  organisationId: string,
  { template, values, branch_id = null }: PreviewTemplateInput,
): Promise<Rendered> {
  assertStorable("values", values);
  const known = await agents.known(organisationId, branch_id);
  return renderTemplate(template, { ...values, ...knownFacts({ additionalInfo: values, known }) });
}
