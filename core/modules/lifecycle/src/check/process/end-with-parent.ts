import { isMainThread, Worker, workerData } from 'node:worker_threads';

const intervalMs = 500;

/** Kills this process soon after its parent has ended. A thread does it, as the main thread may be in an endless loop. */
export function endWithParent(): void {
  new Worker(__filename, { workerData: process.ppid }).unref();
}

if (!isMainThread) {
  setInterval(() => {
    if (process.ppid !== workerData) process.kill(process.pid, 'SIGKILL');
  }, intervalMs);
}
