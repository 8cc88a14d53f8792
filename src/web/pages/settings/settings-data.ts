// Data that every settings tab gets.
import type { api, call } from "../../client.ts";

export type Settings = Awaited<ReturnType<typeof call<Awaited<ReturnType<typeof api.settings.get>>["data"]>>>;

export interface TabProps {
  settings: Settings;
  reload: () => void;
}
