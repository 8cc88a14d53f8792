// Input of an operation: a Parameters resource, or the query of a GET.
import type { Appointment, Identifier, Parameters, ParametersParameter, Patient, Reference } from "fhir/r4";
import { AppError, invalidField } from "../../../core/errors.ts";
import { isObject } from "../json.ts";

const MOST_PARAMETERS = 100;
const LONGEST_NAME = 64;
/** Of one text in a query. */
const LONGEST_TEXT = 1_000;
/** Result parameters and formats are no parameters of the operation. */
const BESIDE = ["_format", "_pretty", "_count"];

export class OperationInput {
  readonly #parameters: readonly ParametersParameter[];

  /** Throws if a parameter is not one of `known`. */
  constructor(parameters: readonly ParametersParameter[], known: readonly string[]) {
    const stray = parameters.find(({ name }) => !known.includes(name) && !BESIDE.includes(name));
    if (stray) {
      const shown = stray.name.slice(0, LONGEST_NAME).replaceAll(/[^\x21-\x7e]/g, "?");
      throw invalidField(shown, `${shown} is not a parameter of this operation. It takes ${known.join(", ")}.`);
    }
    this.#parameters = parameters;
  }

  has(name: string): boolean {
    return this.#named(name).length > 0;
  }

  /** Dates, codes, numbers and texts. */
  texts(name: string): string[] {
    return this.#named(name).map((each) => {
      const value =
        each.valueString ??
        each.valueDateTime ??
        each.valueInstant ??
        each.valueDate ??
        each.valueCode ??
        each.valueUri ??
        each.valueInteger ??
        each.valueCoding;
      if (typeof value === "number") return String(value);
      if (typeof value === "string") return value;
      if (value && typeof value === "object") return `${value.system ?? ""}|${value.code ?? ""}`;
      throw invalidField(name, `${name} must have a value of its type, such as valueString.`);
    });
  }

  text(name: string): string | undefined {
    return only(name, this.texts(name));
  }

  references(name: string): Reference[] {
    return this.#named(name).map((each) => {
      const value: unknown = each.valueReference ?? each.valueString ?? each.valueUri;
      if (typeof value === "string") return { reference: value };
      if (isObject(value)) return value;
      throw invalidField(name, `${name} must have valueReference.`);
    });
  }

  reference(name: string): Reference | undefined {
    return only(name, this.references(name));
  }

  identifier(name: string): Identifier | undefined {
    return only(name, this.#named(name))?.valueIdentifier;
  }

  appointment(name: string): Appointment | undefined {
    return only(name, this.#resources(name, "Appointment")) as Appointment | undefined;
  }

  patients(name: string): Patient[] {
    return this.#resources(name, "Patient") as Patient[];
  }

  #resources(name: string, type: string): object[] {
    return this.#named(name).map(({ resource }) => {
      if (isObject(resource) && resource["resourceType"] === type) return resource;
      throw invalidField(name, `${name} must have resource, of the type ${type}.`);
    });
  }

  #named(name: string): ParametersParameter[] {
    return this.#parameters.filter((each) => each.name === name);
  }
}

function only<T>(name: string, values: readonly T[]): T | undefined {
  if (values.length > 1) throw invalidField(name, `${name} was sent twice. Send it once.`);
  return values[0];
}

export function inputOf(body: unknown, known: readonly string[]): OperationInput {
  if (!isObject(body) || body["resourceType"] !== "Parameters")
    throw new AppError("VALIDATION_ERROR", "The body must be a Parameters resource.");
  const { parameter = [] } = body as unknown as Parameters;
  if (!Array.isArray(parameter) || parameter.length > MOST_PARAMETERS)
    throw invalidField("parameter", `parameter must be a list of at most ${MOST_PARAMETERS} entries.`);
  if (!parameter.every((each) => isObject(each) && typeof each["name"] === "string"))
    throw invalidField("parameter", "Each parameter must have a name.");
  return new OperationInput(parameter, known);
}

/** All parameters of an operation that changes nothing may stand in the address. */
export function inputOfQuery(query: URLSearchParams, known: readonly string[]): OperationInput {
  const parameters = [...query].map(([name, valueString]) => {
    if (valueString.length > LONGEST_TEXT) throw invalidField(name, `${name} has at most ${LONGEST_TEXT} characters.`);
    return { name, valueString };
  });
  if (parameters.length > MOST_PARAMETERS)
    throw new AppError("VALIDATION_ERROR", `An operation has at most ${MOST_PARAMETERS} parameters.`);
  return new OperationInput(parameters, known);
}
