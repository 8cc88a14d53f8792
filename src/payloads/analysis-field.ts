// A field that an agent's owner wants extracted from every call.
import { Type, type Static } from "@sinclair/typebox";
import { oneOf } from "../core/schema.ts";

export const FIELD_TYPES = ["text", "number", "yes_no", "date", "choice"] as const;
export type FieldType = (typeof FIELD_TYPES)[number];

export const AnalysisFieldSchema = Type.Object({
  name: Type.String({ maxLength: 40, description: "Its key in extracted_details." }),
  description: Type.String({ maxLength: 300, description: "What is asked, in words." }),
  type: oneOf(FIELD_TYPES),
  choices: Type.Array(Type.String({ maxLength: 60 }), { maxItems: 20, description: "For the type choice." }),
});
export type AnalysisField = Static<typeof AnalysisFieldSchema>;
