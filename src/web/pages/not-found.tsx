// Page for an unknown address.
import { PageHead } from "../kit/parts.tsx";
import { said } from "../words.ts";

const words = said.shared.notFound;

export function NotFoundPage() {
  return (
    <>
      <PageHead title={words.title} />
      <p>
        {words.text} <a href="/dashboard">{words.home}</a>
      </p>
    </>
  );
}
