import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { isRunning } from '../../../test/support/is-running';
import { makeHome, removeHomes } from './support/homes';
import { endTemporal } from './support/temporal';

// In a container, low numbers are those of the processes that run the tests.
it('the homes of tests are removed without a signal to a process that only has a number from their files', async () => {
  const stranger = spawn('sleep', ['60']);
  await once(stranger, 'spawn');
  const pid = stranger.pid ?? 0;
  const home = makeHome();
  mkdirSync(join(home, 'postgres/data'), { recursive: true });
  mkdirSync(join(home, 'temporal'));
  const reference = { pid, startedAt: 'another time' };
  writeFileSync(join(home, 'run.json'), JSON.stringify({ host: reference }));
  writeFileSync(join(home, 'temporal/runtime.json'), JSON.stringify({ process: reference }));
  writeFileSync(join(home, 'postgres/data/postmaster.pid'), `${pid}\n`);

  endTemporal(home);
  removeHomes();

  expect(isRunning(pid)).toBe(true);
  stranger.kill();
  await once(stranger, 'exit');
});
