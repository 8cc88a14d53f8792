// Sources: systems of the hospital that own appointments.
import { flag, json, meanings, words, type Meant } from "../../db/meaning.ts";
import type { OwnedPart } from "../../payloads/source.ts";

export type SourceSettings = Readonly<Record<string, unknown>>;

export const sourceMeaning = meanings<"sources">()({
  settings: json<SourceSettings>(),
  owns: words<OwnedPart>(),
  enabled: flag,
});
export type Source = Meant<typeof sourceMeaning>;
