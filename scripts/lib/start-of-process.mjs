import { readFileSync } from 'node:fs';

/**
 * When a running process started, on Linux as in run.json (core/common/src/processes.ts): a number may belong to
 * another process after a while. Elsewhere only that it exists; null when there is none of that number.
 */
export function startOfProcess(pid) {
  if (process.platform !== 'linux') return isAlive(pid) ? 'alive' : null;
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    // A zombie is no more than an entry that its parent has not read.
    if (fields[0] === 'Z' || fields[0] === 'X') return null;
    return `${readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim()}/${fields[19]}`;
  } catch {
    return null;
  }
}

function isAlive(pid) {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return error.code === 'EPERM';
  }
}
