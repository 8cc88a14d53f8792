import { PageHead } from "../components/parts.tsx";

export function DevelopersPage() {
  return <PageHead title="developers" />;
}
