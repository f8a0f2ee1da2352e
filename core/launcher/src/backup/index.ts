/** Loaded by the commands of backups only: it needs Sequelize and much of the host, which other commands start without. */
export { backupHome } from './backup-home';
export type { BackupOptions, BackupReport } from './backup-home';
export { restoreHome } from './restore-home';
export type { RestoreOptions, RestoreReport } from './restore-home';
export { verifyBackup } from './verify-backup';
export type { VerifyOptions, VerifyReport } from './verify-backup';
