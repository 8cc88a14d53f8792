// Path of the FHIR server.

export const FHIR_PATH = "/fhir";
