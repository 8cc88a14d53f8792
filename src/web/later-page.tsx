// A page whose code is loaded when it is first opened: the first load of the dashboard stays small.
import type { FunctionComponent } from "preact";
import { lazy } from "preact-iso";
import { Problem } from "./kit/parts.tsx";
import { said } from "./words.ts";

export const laterPage = (load: () => Promise<FunctionComponent>): FunctionComponent =>
  lazy(() => load().catch(() => NotLoaded));

/** After an upgrade the code of the page has another address, which a reload finds. */
function NotLoaded() {
  return <Problem text={said.shared.errors.unknown} onRetry={() => location.reload()} />;
}
