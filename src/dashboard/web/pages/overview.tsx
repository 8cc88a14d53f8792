import { PageHead } from "../components/parts.tsx";

export function OverviewPage() {
  return <PageHead title="overview" />;
}
