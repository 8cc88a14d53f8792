import { PageHead } from "../components/parts.tsx";

export function CallsPage() {
  return <PageHead title="calls" />;
}
