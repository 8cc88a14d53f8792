import { PageHead } from "../components/parts.tsx";

export function AgentsPage() {
  return <PageHead title="agents" />;
}
