import { PageHead } from "../components/parts.tsx";

export function CallPage() {
  return <PageHead title="call" />;
}
