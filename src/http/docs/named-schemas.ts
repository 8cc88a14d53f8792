// Names for the schemas of bodies, answers and events. Generated clients make types of them, so a name stays as it is.
interface Media {
  schema?: unknown;
}

interface Content {
  content?: Record<string, Media>;
}

interface NamedOperation {
  operationId?: unknown;
  requestBody?: unknown;
  responses?: unknown;
}

/** What several operations answer with. All others are named after their operation. */
const RECORDS: Readonly<Record<string, string>> = {
  getAgent: "Agent",
  getCampaign: "Campaign",
  getWindow: "Window",
  getAppointment: "Appointment",
  getPhoneNumber: "PhoneNumber",
  getTrunk: "Trunk",
  getBranch: "Branch",
  getService: "Service",
  getSource: "Source",
  getHl7Message: "Hl7Message",
  listSourceFiles: "SourceFile",
  getReminderRule: "ReminderRule",
  listRetentionHolds: "RetentionHold",
  listConsents: "Consent",
  getConsent: "ConsentWithChanges",
  getWebhookEndpoint: "WebhookEndpoint",
  listWebhookDeliveries: "WebhookDelivery",
  getWebhookDelivery: "WebhookDeliveryWithAttempts",
  getClosure: "Closure",
  getCall: "Call",
  getCallProof: "Proof",
  getAvailability: "AvailableSlot",
  getTracking: "SlotTracking",
  setCallQuestion: "CallQuestionWithSecret",
  getCallQuestion: "CallQuestion",
  getApiKey: "ApiKey",
  createApiKey: "NewApiKey",
  createWebhookEndpoint: "NewWebhookEndpoint",
  listWaitingList: "WaitingEntry",
  listPeople: "Person",
  getPerson: "PersonWithHistory",
  getTranscript: "TranscriptLine",
  removeBranch: "RemovedBranch",
  removeTrunk: "Deleted",
  getMe: "Me",
  createCall: "NewCall",
  createCampaign: "NewCampaign",
  listCampaignResults: "CampaignResult",
  listRules: "Rules",
  listAudit: "AuditEntry",
  listAgentVersions: "AgentVersion",
  getAgentVersion: "AgentVersionWithChanges",
  getSharedCall: "SharedCall",
  previewClosure: "ClosurePreview",
};

/** Moves them to `components.schemas`; equal ones share a name. */
export function nameSchemas(document: {
  paths: Record<string, Record<string, object>>;
  webhooks: Record<string, object>;
  components: object;
}): void {
  const named = new Map<string, object>();
  const byText = new Map<string, string>();

  function refTo(schema: object, wanted: string): object {
    const text = JSON.stringify(schema);
    const name = byText.get(text) ?? wanted;
    const other = named.get(name);
    if (other && JSON.stringify(other) !== text) throw new Error(`Two schemas are called ${name}.`);
    byText.set(text, name);
    named.set(name, schema);
    return { $ref: `#/components/schemas/${name}` };
  }

  const operations = Object.values(document.paths).flatMap((methods) => Object.values(methods) as NamedOperation[]);
  // Records first: what else equals one has its name.
  for (const isRecord of [true, false])
    for (const operation of operations) {
      const id = String(operation.operationId);
      if (id in RECORDS !== isRecord) continue;
      for (const [status, answer] of Object.entries((operation.responses ?? {}) as Record<string, Content>)) {
        const media = answer.content?.["application/json"];
        if (!status.startsWith("2") || !media) continue;
        // A creating route answers 200 if it created nothing, for example to a dry run.
        const isNothing = status === "200" && "201" in (operation.responses as object);
        nameAnswer(media, isNothing ? `${upper(id)}Checked` : (RECORDS[id] ?? `${upper(id)}Answer`), refTo);
      }
    }
  for (const { operationId, requestBody } of operations)
    nameBody(requestBody, `${upper(String(operationId))}Body`, refTo);
  for (const [type, path] of Object.entries(document.webhooks)) {
    const { post } = path as { post: { requestBody: unknown } };
    nameBody(post.requestBody, `${type.split(/[._]/).map(upper).join("")}Event`, refTo);
  }
  const { components } = document as { components: { schemas: Record<string, object> } };
  for (const [name, schema] of [...named].toSorted(([a], [b]) => (a < b ? -1 : 1))) components.schemas[name] = schema;
}

type RefTo = (schema: object, name: string) => object;

/** The record of an answer is in `data`, alone or in a list. */
function nameAnswer(media: Media, name: string, refTo: RefTo): void {
  const schema = media.schema as { properties?: { data?: { type?: unknown; items?: object } } } | undefined;
  const data = schema?.properties?.data;
  if (schema?.properties && data?.type === "array" && data.items) {
    if (isRecord(data.items)) data.items = refTo(data.items, name);
  } else if (schema?.properties && data && isRecord(data)) schema.properties.data = refTo(data, name);
  else if (schema && isRecord(schema)) media.schema = refTo(schema, name);
}

function nameBody(body: unknown, name: string, refTo: RefTo): void {
  const media = (body as Content | undefined)?.content?.["application/json"];
  if (media && isRecord(media.schema)) media.schema = refTo(media.schema, name);
}

const isRecord = (schema: unknown): schema is object =>
  typeof schema === "object" && schema !== null && ("properties" in schema || "anyOf" in schema);

const upper = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);
