import { PageHead } from "../components/parts.tsx";

export function CalendarPage() {
  return <PageHead title="calendar" />;
}
