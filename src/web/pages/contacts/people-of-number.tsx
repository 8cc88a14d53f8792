// The people behind one number, with their identifiers: a family may share a telephone.
import type { FoundContact } from "../../../dashboard/contact-page.ts";
import { Identifiers } from "../../kit/identifiers.tsx";
import { Card } from "../../kit/parts.tsx";
import { said } from "../../words.ts";

const words = said.contacts;

type People = FoundContact["people"];

export function PeopleOfNumber({ people }: { people: People }) {
  return (
    <ul class="contact-people">
      {people.map(({ names, identifiers }, index) => (
        <li key={index}>
          {people.length > 1 && <span>{names.length === 0 ? words.noName : names.join(", ")}</span>}{" "}
          <Identifiers identifiers={identifiers} />
        </li>
      ))}
    </ul>
  );
}

/** Nothing for one person without identifiers: the head of the page says it all. */
export function PeopleCard({ people }: { people: People }) {
  const [only] = people;
  if (people.length <= 1 && (only?.identifiers.length ?? 0) === 0) return null;
  return (
    <Card title={people.length > 1 ? words.sharedNumber : words.identifiers}>
      <PeopleOfNumber people={people} />
    </Card>
  );
}
