// A phone number in groups, as people write and read it. Selected and copied it is one piece again.
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
