// Says in words what a schema allows, for messages that a person can act on.
import type { TSchema } from "@sinclair/typebox";

export function allowedBy(schema: TSchema): string {
  if (typeof schema.description === "string") return schema.description;
  const choices = schema["anyOf"] as TSchema[] | undefined;
  if (choices?.every((choice) => "const" in choice)) return `one of ${choices.map((choice) => String(choice["const"])).join(", ")}`;
  if (choices) return choices.map(allowedBy).join(" or ");
  if (schema["const"] !== undefined) return JSON.stringify(schema["const"]);
  switch (schema["type"]) {
    case "integer":
      return `a whole number${range(schema)}`;
    case "number":
      return `a number${range(schema)}`;
    case "boolean":
      return "true or false";
    case "array":
      return "a list";
    case "object":
      return "a table";
    default:
      return schema["minLength"] ? "text that is not empty" : "text";
  }
}

function range(schema: TSchema): string {
  const { minimum, maximum } = schema as { minimum?: number; maximum?: number };
  if (minimum !== undefined && maximum !== undefined) return ` from ${minimum} to ${maximum}`;
  if (minimum !== undefined) return ` of at least ${minimum}`;
  return maximum === undefined ? "" : ` of at most ${maximum}`;
}
