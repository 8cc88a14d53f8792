// Where a contact is: time zone and US state, for calls by the rules of that place.
import { TextField } from "../kit/field.tsx";
import type { Fields } from "../kit/fields-of.ts";
import { said } from "../words.ts";
import { zonesWith } from "../zones.ts";

type BoundField = ReturnType<Fields<{ text: string }>["at"]>;

interface PlaceFieldsProps {
  /** The number in the form: only +1 has states. */
  number: string;
  zone: BoundField;
  region: BoundField;
}

const words = said.calleePlace;
const ZONE_LIST = "zones";

export function PlaceFields({ number, zone, region }: PlaceFieldsProps) {
  return (
    <>
      <TextField
        label={words.zone}
        hint={words.zoneHint}
        list={ZONE_LIST}
        maxLength={64}
        autoComplete="off"
        {...zone}
      />
      <datalist id={ZONE_LIST}>
        {zonesWith().map(([value]) => (
          <option key={value} value={value} />
        ))}
      </datalist>
      {(number.trim().startsWith("+1") || region.value !== "") && (
        <TextField label={words.region} maxLength={2} autoComplete="off" {...region} />
      )}
    </>
  );
}

/** Facts about a place, without what is not known. */
export const placeFacts = (place: { contact_time_zone: string | null; contact_region: string | null }) =>
  [
    [words.zone, place.contact_time_zone],
    [words.region, place.contact_region],
  ].filter((fact): fact is [string, string] => fact[1] !== null);
