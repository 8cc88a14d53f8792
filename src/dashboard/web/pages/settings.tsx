import { PageHead } from "../components/parts.tsx";

export function SettingsPage() {
  return <PageHead title="settings" />;
}
