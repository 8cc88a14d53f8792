// A place of backups that calls `step` before and after everything that it does.
import type { BackupPlace } from "../../../src/db/kept-backups/backup-place.ts";

export function steppedPlace(place: BackupPlace, step: () => void): BackupPlace {
  const around = async <T>(work: () => Promise<T>): Promise<T> => {
    step();
    const done = await work();
    step();
    return done;
  };
  return {
    where: place.where,
    list: () => around(() => place.list()),
    tidy: (owner) => around(() => place.tidy(owner)),
    put: (backup) =>
      around(() =>
        place.put({
          ...backup,
          check(file) {
            step();
            backup.check(file);
            step();
          },
        }),
      ),
    replace: (...file) => around(() => place.replace(...file)),
    remove: (name) => around(() => place.remove(name)),
    fetch: (...of) => place.fetch(...of),
  };
}
