import { spawn } from 'node:child_process';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** The folder of the repository. */
export const root = join(dirname(fileURLToPath(import.meta.url)), '../..');

/**
 * Runs a program in the repository and resolves with its exit code (1 when a signal ended it).
 * Its output goes to the terminal as it comes.
 * @param options `onStart` gets the process
 */
export function run(command, args, { cwd = root, env = process.env, shell = false, onStart = () => {} } = {}) {
  return new Promise((resolve, reject) => {
    const child = spawn(command, args, { cwd, env, shell, stdio: 'inherit' });
    if (child.pid !== undefined) onStart(child);
    child.once('error', reject);
    child.once('close', (code) => resolve(code ?? 1));
  });
}

/** Runs a JavaScript file with this Node.js, independent of PATH. */
export function runNode(file, args = [], options = {}) {
  return run(process.execPath, [join(root, file), ...args], options);
}
