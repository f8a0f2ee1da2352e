import { spawnSync } from 'node:child_process';
import { join } from 'node:path';

const watchdog = join(__dirname, '../dist/context/plugin-watchdog.js');

/** Runs code in a separate process, with `notifyLauncher` of a watchdog. */
function run(code: string) {
  const script = `const { notifyLauncher, stop } = require(${JSON.stringify(watchdog)}).startPluginWatchdog(); ${code}`;
  return spawnSync(process.execPath, ['-e', script], { encoding: 'utf8', timeout: 20_000 });
}

describe('the watchdog of plugin code', () => {
  it('ends a process that the code keeps to itself, and names the plugin and what to do', () => {
    const { signal, stderr } = run(
      `notifyLauncher({ kind: 'entering', plugin: 'stuck', phase: 'load', timeoutMs: 0 }); for (;;);`,
    );

    expect(signal).toBe('SIGKILL');
    expect(stderr).toBe(
      'gantry: The plugin stuck blocks the process in its phase load.\n  gantry plugins disable stuck\n',
    );
  });

  it('does not end code that returns, and does not keep the process alive', () => {
    const { status, stderr } = run(
      `notifyLauncher({ kind: 'entering', plugin: 'quick', phase: 'load', timeoutMs: 0 }); notifyLauncher({ kind: 'left', plugin: 'quick', phase: 'load' });`,
    );

    expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
  });
});
