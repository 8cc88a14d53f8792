// A hospital whose systems speak FHIR: the test app with a window on Mondays, and a client that validates every answer.
import type { Appointment, Bundle, OperationOutcome, Parameters, ParametersParameter, Patient } from "fhir/r4";
import { createClinic, MONDAY, type Clinic } from "../calendar/clinic.ts";
import { createFhirClient, matchesIn, type FhirAnswer, type FhirOptions, type SendFhir } from "./fhir-client.ts";
import type { HospitalOptions } from "./hospital.ts";

export interface FhirHospital extends Omit<Clinic, "book"> {
  fhir: SendFhir;
  /** POST of an operation with these parameters. */
  operate(name: string, parameter: ParametersParameter[], options?: FhirOptions): Promise<FhirAnswer<Bundle>>;
  /** The proposals of a day. */
  find(more?: ParametersParameter[]): Promise<Appointment[]>;
  hold(proposal: Appointment, options?: FhirOptions): Promise<FhirAnswer<Bundle & OperationOutcome>>;
  book(of: Appointment, options?: FhirOptions & { patient?: Patient }): Promise<FhirAnswer<Bundle & OperationOutcome>>;
}

export const ASHA: Patient = {
  resourceType: "Patient",
  identifier: [{ system: "urn:ringward:identifier:mrn", value: "MRN-004711" }],
  name: [{ use: "official", given: ["Asha"], family: "Rao" }],
  telecom: [{ system: "phone", value: "+91 98100 12345" }],
};

/** The day in India, where the hospital is. */
export const ON_MONDAY: ParametersParameter[] = [
  { name: "start", valueDateTime: `${MONDAY}T00:00:00+05:30` },
  { name: "end", valueDateTime: `${MONDAY}T23:59:00+05:30` },
];

export const referenceTo = ({ id = "" }: Appointment) => ({ reference: `Appointment/${id}` });

export async function createFhirHospital(options: HospitalOptions = {}): Promise<FhirHospital> {
  const clinic = await createClinic(options);
  const base = "http://localhost/fhir";
  const fhir = createFhirClient((request) => clinic.app.handle(request), clinic.key, base);
  const hospital: FhirHospital = {
    ...clinic,
    fhir,
    operate: (name, parameter, more = {}) =>
      fhir("POST", `/Appointment/$${name}`, {
        body: { resourceType: "Parameters", parameter } satisfies Parameters,
        ...more,
      }),
    async find(more = []) {
      const answer = await hospital.operate("find", [...ON_MONDAY, ...more]);
      return matchesIn<Appointment>(answer.body);
    },
    hold: (proposal, more) =>
      hospital.operate(
        "hold",
        [{ name: "appointment-reference", valueReference: referenceTo(proposal) }],
        more,
      ) as never,
    book: (of, { patient = ASHA, ...more } = {}) =>
      hospital.operate(
        "book",
        [
          { name: "appointment-reference", valueReference: referenceTo(of) },
          { name: "patient-resource", resource: patient },
        ],
        more,
      ) as never,
  };
  return hospital;
}

/** The only Appointment of an operation's answer. */
export function appointmentOf({ status, text, body }: FhirAnswer<Bundle>): Appointment {
  const [appointment, ...others] = status === 200 ? matchesIn<Appointment>(body) : [];
  if (!appointment || others.length > 0) throw new Error(`Answered ${status}: ${text}`);
  return appointment;
}
