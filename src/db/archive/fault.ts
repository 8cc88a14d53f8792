// Why there is no backup, or why one is refused; the words are for whoever typed the command.
export class BackupError extends Error {}
