import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { eventually } from '../support/eventually';
import { freePort } from '../support/free-port';
import { expectAnswer, partsOfPage, titleOf } from '../support/page-commands';
import { createWalkFolder, walkEnvironment } from '../support/walk-folder';

const command = join(__dirname, '../../cli/bin/gantry.js');

/** The first command is started by the `npx` of the machine. */
const ownNpx = { PATH: process.env['PATH'] ?? '' };

describe('the walk in docs/getting-started.md', () => {
  const folder = createWalkFolder();
  const walk = { address: '', platform: undefined as ChildProcess | undefined };

  beforeAll(async () => {
    walk.address = `http://127.0.0.1:${await freePort()}`;
  });
  afterAll(async () => {
    await stopPlatform(walk.platform);
    folder.remove();
  });

  test.each(partsOfPage('getting-started.md').map((part) => [titleOf(part), part] as const))(
    '%s',
    async (_title, part) => {
      if (part.kind !== 'commands') throw new Error('The page makes its files by commands.');
      const isStart = part.section === 'Start';
      const start = /^(?:(\w+)=(\S+) )?npm start$/.exec(part.commands);
      if (start !== null) {
        await stopPlatform(walk.platform);
        walk.platform = await startPlatform(start[1] === undefined ? {} : { [start[1]]: start[2] ?? '' });
        return;
      }
      const { printed, code } = await folder.run(
        part.commands.replaceAll('http://127.0.0.1:3000', walk.address),
        isStart ? { ...settings(), ...ownNpx } : settings(),
      );
      if (part.answer !== undefined) expectAnswer(printed, part.answer);
      expect(code).toBe(part.answer?.content.includes('not acceptable') === true ? 1 : 0);
    },
    180_000,
  );

  /** `npm start` after what it installs and builds, which has been done for this very test. */
  async function startPlatform(environment: Readonly<Record<string, string>>): Promise<ChildProcess> {
    const platform = spawn(process.execPath, [command, 'up'], {
      cwd: folder.path,
      env: { ...walkEnvironment(), ...settings(), ...environment },
      stdio: 'ignore',
    });
    await eventually(() => isReady(walk.address, platform));
    return platform;
  }

  function settings(): Readonly<Record<string, string>> {
    return { GANTRY_PORT: new URL(walk.address).port };
  }
});

async function stopPlatform(platform: ChildProcess | undefined): Promise<void> {
  if (platform === undefined || platform.exitCode !== null || platform.signalCode !== null) return;
  const ended = once(platform, 'exit');
  platform.kill('SIGINT');
  await ended;
}

async function isReady(address: string, platform: ChildProcess): Promise<boolean> {
  if (platform.exitCode !== null) throw new Error(`The platform ended by itself, with ${platform.exitCode}.`);
  const response = await fetch(`${address}/readyz`, { signal: AbortSignal.timeout(5_000) }).catch(() => undefined);
  return response?.status === 200;
}
