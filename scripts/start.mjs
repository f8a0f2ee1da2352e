/**
 * `npm start`: installs and builds what is needed, then runs `gantry up` in this very process, so that signals, exit code
 * and terminal are its own. Arguments go to `gantry up`: `npm start -- --port 8080`.
 */
import { assertNode } from './lib/assert-node.mjs';

assertNode('npm start');
const { ensureBuilt } = await import('./lib/ensure-built.mjs');
const { ensureInstalled } = await import('./lib/ensure-installed.mjs');
const { root } = await import('./lib/run.mjs');
const { assertNoneRuns } = await import('./lib/running-platform.mjs');

if (await prepare()) {
  // From wherever it is called, paths in settings are relative to the project.
  process.chdir(root);
  process.argv.splice(2, 0, 'up');
  if (process.env.npm_lifecycle_event === 'start') stopWithNpm();
  await import('../cli/bin/gantry.js');
}

async function prepare() {
  try {
    assertNoneRuns(process.argv.slice(2));
    await ensureInstalled();
    await ensureBuilt();
    return true;
  } catch (error) {
    console.error(`npm start: ${error.message}`);
    process.exitCode = 1;
    return false;
  }
}

/**
 * npm runs a script through a shell and passes a signal to that shell alone, which ends and leaves its child behind. A
 * service manager that stops npm means the platform: it stops once the shell is gone.
 */
function stopWithNpm() {
  const shell = process.ppid;
  const watch = setInterval(() => {
    if (process.ppid === shell) return;
    clearInterval(watch);
    process.kill(process.pid, 'SIGTERM');
  }, 250);
  watch.unref();
}
