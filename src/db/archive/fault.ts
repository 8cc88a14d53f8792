// Error of a backup or restore; its message is for the person who ran the command.
export class BackupError extends Error {}
