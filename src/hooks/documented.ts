// The bodies of the inbound webhook as the API document shows them: everything that no-code.ts accepts. Requests are
// validated by model.ts, after no-code.ts has converted them.
import { Type, type TProperties, type TSchema } from "@sinclair/typebox";
import { CreateCallSchema, CREATE_CALL_EXAMPLE } from "../calls/model.ts";
import { oneOf } from "../core/schema.ts";
import { CallReference, HOOK_ACTIONS } from "./model.ts";
import { JSON_FIELDS, NUMBER_FIELDS } from "./no-code.ts";

const BLANK = Type.String({ pattern: "^\\s*$", description: "Counts as absent." });
const JSON_TEXT = Type.String({ description: "The same as JSON text." });
const NUMBER = Type.Integer({ description: "With its country code." });

const asTaken = (name: string, schema: TSchema): TSchema => {
  const others = [
    ...(NUMBER_FIELDS.includes(name) ? [NUMBER] : []),
    ...(JSON_FIELDS.includes(name) ? [JSON_TEXT] : [BLANK]),
  ];
  return Type.Optional(Type.Union([schema, ...others], { description: textOf(schema) }));
};

/** The description may stand at the part that is not null. */
function textOf({ description, anyOf = [] }: TSchema): string {
  return description ?? (anyOf as TSchema[]).map(textOf).find((text) => text !== "") ?? "";
}

const { agent_id, ...optional } = CreateCallSchema.properties as TProperties;
const CallFields = Type.Object({
  agent_id: agent_id ?? Type.String(),
  ...Object.fromEntries(Object.entries(optional).map(([name, schema]) => [name, asTaken(name, schema)])),
});

const listOfOne = (schema: TSchema) => Type.Array(schema, { minItems: 1, maxItems: 1 });

const dataOf = (fields: TSchema, description: string) =>
  Type.Optional(Type.Union([fields, JSON_TEXT, listOfOne(fields), Type.Null()], { description }));

const BESIDE = "May be left out, with its fields beside action.";
const requests = [
  Type.Object({
    action: Type.Literal("call.create"),
    data: dataOf(CallFields, `The call, as in POST /v1/calls. ${BESIDE}`),
  }),
  Type.Object({ action: oneOf(["call.cancel", "call.delete"]), data: dataOf(CallReference, `The call. ${BESIDE}`) }),
  Type.Object({ action: Type.Literal("ping"), data: Type.Optional(Type.Unknown({ description: "Ignored." })) }),
];

/** A list of one, because some tools send lists. */
export const HookDocumentSchema = Type.Union([...requests, listOfOne(Type.Union(requests))], {
  description: "Each action with its data.",
});

const text = (description: string) => Type.Optional(Type.String({ description }));

/** Every value of a form is text. */
export const HookFormSchema = Type.Object(
  {
    action: oneOf(HOOK_ACTIONS),
    data: text("All fields as JSON text, instead of the fields beside action."),
    call_id: text("With call.cancel and call.delete: the call."),
    ...Object.fromEntries(
      Object.entries(CreateCallSchema.properties).map(([name, schema]) => [
        name,
        text(`With call.create. ${textOf(schema)}${JSON_FIELDS.includes(name) ? " As JSON text." : ""}`.trim()),
      ]),
    ),
  },
  {
    additionalProperties: Type.String(),
    description: "Nested fields as data[agent_id], data.agent_id or data__agent_id, and so below additional_info.",
  },
);

export const HOOK_EXAMPLES = {
  "call.create": { value: { action: "call.create", data: CREATE_CALL_EXAMPLE } },
  "call.cancel": { value: { action: "call.cancel", data: { call_id: "call_01k9zv3q5m2n8r4t6w7x9y0abc" } } },
  "call.delete": { value: { action: "call.delete", data: { call_id: "call_01k9zv3q5m2n8r4t6w7x9y0abc" } } },
  ping: { value: { action: "ping" } },
};

export const HOOK_FORM_EXAMPLE = {
  action: "call.create",
  agent_id: "agt_01k9zv3q5m2n8r4t6w7x9y0abc",
  contact_number: "+91 98765 40100",
  contact_name: "Test Patient",
  "additional_info[visit]": "annual check-up",
};
