// What each role is called and may do.

export const roleNames = { owner: "Owner", staff: "Staff", viewer: "Viewer" } as const;

export type RoleName = keyof typeof roleNames;

const roleNotes: Record<RoleName, string> = {
  owner: "Everything, settings, keys and people included",
  staff: "Calls, calendar and agents",
  viewer: "Looks, changes nothing",
};

export const roleOptions = Object.entries(roleNames);

export function roleNote(role: string): string {
  return role in roleNotes ? roleNotes[role as RoleName] : "";
}
