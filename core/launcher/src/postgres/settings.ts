import { totalmem } from 'node:os';

const megabyte = 1024 * 1024;

/**
 * Settings written to postgresql.conf when the database is made: a developer machine with a solid-state disk, full
 * durability (fsync and synchronous_commit keep their defaults). Change them there, or with ALTER SYSTEM.
 */
export function initialSettings(
  memory = totalmem(),
  platform: NodeJS.Platform = process.platform,
): Readonly<Record<string, string>> {
  const megabytes = (bytes: number): string => `${Math.round(bytes / megabyte)}MB`;
  const sharedBuffers = Math.min(Math.max(memory / 16, 128 * megabyte), 1024 * megabyte);
  return {
    max_connections: '200',
    shared_buffers: megabytes(sharedBuffers),
    effective_cache_size: megabytes(Math.max(memory / 2, 512 * megabyte)),
    work_mem: '16MB',
    maintenance_work_mem: '256MB',
    random_page_cost: '1.1',
    // Compiling a query costs more than the short queries here take.
    jit: 'off',
    min_wal_size: '128MB',
    max_wal_size: '2GB',
    wal_compression: 'on',
    timezone: 'UTC',
    log_timezone: 'UTC',
    log_line_prefix: '%m [%p] ',
    // Only this reaches the disk on macOS; elsewhere the default does.
    ...(platform === 'darwin' ? { wal_sync_method: 'fsync_writethrough' } : {}),
  };
}
