// A phone number in groups of digits for reading. Selecting and copying gives the number without gaps.
import { phoneGroups } from "../format.ts";

export function Phone({ number }: { number: string }) {
  return (
    <span class="phone">
      {phoneGroups(number).map((group, index) => (
        <span key={index}>{group}</span>
      ))}
    </span>
  );
}
