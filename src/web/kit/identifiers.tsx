// What the hospital's systems know a person by: the system, small, and the value to copy.
import type { Identifier } from "../../payloads/identifiers.ts";

export function Identifiers({ identifiers }: { identifiers: readonly Identifier[] }) {
  return (
    <span class="identifiers">
      {identifiers.map(({ system, value }) => (
        <span key={`${system} ${value}`} title={system}>
          <small>{shortSystem(system)}</small> <span class="identifier">{value}</span>
        </span>
      ))}
    </span>
  );
}

/** "https://healthid.ndhm.gov.in" → "healthid.ndhm.gov.in"; other words as they are. */
const shortSystem = (system: string): string => system.replace(/^https?:\/\//, "");
