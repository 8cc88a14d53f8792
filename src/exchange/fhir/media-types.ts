// Content negotiation: JSON only, as FHIR R4.
import { AppError } from "../../core/errors.ts";

export const FHIR_JSON = "application/fhir+json";
const JSON_TYPE = "application/json";
const TYPED = "; charset=utf-8";

/** Values of _format, with the media type of the answer. */
const FORMATS: Readonly<Record<string, string>> = {
  json: FHIR_JSON,
  [FHIR_JSON]: FHIR_JSON,
  [JSON_TYPE]: JSON_TYPE,
  "text/json": JSON_TYPE,
};

/** Media type of the answer. `_format` wins over the header. Throws NOT_ACCEPTABLE. */
export function answerType(accept: string | null, format: string | null): string {
  const type = format === null ? acceptedType(accept ?? "") : FORMATS[bareType(format.replace(" ", "+"))];
  if (type === undefined)
    throw new AppError("NOT_ACCEPTABLE", `Only JSON is answered. Send Accept: ${FHIR_JSON}, or _format=json.`);
  return type + TYPED;
}

const bareType = (text: string) => text.split(";")[0]?.trim().toLowerCase() ?? "";

/** A fhirVersion other than 4.0 is not acceptable. */
function acceptedType(accept: string): string | undefined {
  const ranges = accept
    .split(",")
    .filter((range) => !/;\s*(?:fhirVersion=(?!4\.0\b)|q=0(?:\.0*)?\s*(?:;|$))/i.test(range));
  const types = ranges.map(bareType);
  if (accept.trim() === "" || types.some((type) => [FHIR_JSON, "*/*", "application/*"].includes(type)))
    return FHIR_JSON;
  return types.some((type) => type === JSON_TYPE || type === "text/json") ? JSON_TYPE : undefined;
}
