// Names and permissions of roles.
import { said } from "../../words.ts";

export const roleNames = said.settings.roleNames;

export type RoleName = keyof typeof roleNames;

const roleNotes = said.settings.roleNotes;

export const roleOptions = Object.entries(roleNames);

export function roleNote(role: string): string {
  return role in roleNotes ? roleNotes[role as RoleName] : "";
}
