// Versions of HL7 v2 that are read and written, and what differs between them.
export const VERSIONS = ["2.3", "2.3.1", "2.4", "2.5", "2.5.1"] as const;
export type Version = (typeof VERSIONS)[number];

export const isVersion = (text: string): text is Version => VERSIONS.some((version) => version === text);

/** From 2.5 the place of an error is ERR-2 and its code ERR-3; before, ERR-1 has both. */
export const hasErrorLocation = (version: string): boolean => version >= "2.5";

/** MSH-9 with the structure from 2.3.1 on (ADT^A40^ADT_A39). */
export const hasStructure = (version: string): boolean => version >= "2.3.1";
