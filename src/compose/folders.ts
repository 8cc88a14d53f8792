// Drop folders of sources: the watcher, and the files as people see them.
import type { RecurringJob } from "../scheduler/recurring.ts";
import { checkedFolderSettings } from "../exchange/folder/checked-settings.ts";
import type { IntakeDeps } from "../exchange/folder/intake-deps.ts";
import { createSourceFiles } from "../exchange/folder/service.ts";
import { FolderWatcher } from "../exchange/folder/watcher.ts";
import type { Config } from "../config/schema.ts";
import type { SourceServiceDeps } from "../exchange/sources/service.ts";

type FolderDeps = Omit<IntakeDeps, "root"> & {
  config: Config;
  settingsChecks: SourceServiceDeps["settingsChecks"];
};

export function createFolderServices(deps: FolderDeps) {
  const intake = { ...deps, root: deps.config.folders.root };
  deps.settingsChecks.folder = checkedFolderSettings;
  const folders = new FolderWatcher(intake);
  return { folders, sourceFiles: createSourceFiles({ ...intake, decided: (sourceId) => folders.wake(sourceId) }) };
}

export function folderJobs(folders: FolderWatcher): RecurringJob[] {
  return [
    { name: "look at the folders of sources", pattern: "*/5 * * * * *", run: async () => folders.start() },
    {
      name: "delete old files of sources",
      pattern: "23 * * * *",
      isDestructive: true,
      run: (now) => folders.removeOld(now),
    },
  ];
}
