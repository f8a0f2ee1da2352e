import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync, readFileSync } from 'node:fs';
import { getPriority } from 'node:os';
import { lowerPriority } from '../src/child/priority';

const isLinux = process.platform === 'linux';
/** Whether nice values can be raised again, as by root. */
const isRoot = process.getuid?.() === 0;

let child: ChildProcess;
beforeEach(async () => {
  child = spawn(process.execPath, ['-e', 'console.log(1); setInterval(() => {}, 1000)'], {
    detached: true,
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  if (child.stdout !== null) await once(child.stdout, 'data');
});
afterEach(async () => {
  const ended = once(child, 'exit');
  child.kill('SIGKILL');
  await ended;
});

function niceOf(pid: number): readonly number[] {
  if (!isLinux) return [getPriority(pid)];
  return readdirSync(`/proc/${pid}/task`).map((thread) => getPriority(Number(thread)));
}

function autogroupOf(pid: number): string {
  return isLinux ? readFileSync(`/proc/${pid}/autogroup`, 'utf8') : '';
}

it('lowers a process only where it can be raised again, with all of its threads', async () => {
  const pid = child.pid ?? 0;
  const before = { nice: niceOf(pid), autogroup: autogroupOf(pid) };

  const lowered = lowerPriority(pid);
  const nice = getPriority(pid);
  await lowered.restore();

  expect(nice).toBe((before.nice[0] ?? 0) + (isLinux && isRoot ? 3 : 0));
  expect({ nice: niceOf(pid), autogroup: autogroupOf(pid) }).toEqual(before);
});

it('lowers one that never serves for as long as it runs, whether or not it could be raised again', async () => {
  const pid = child.pid ?? 0;
  const before = getPriority(pid);

  await lowerPriority(pid, true).restore();

  expect(getPriority(pid)).toBe(before + 3);
});

it('does nothing about a process that has ended', async () => {
  await expect(lowerPriority(2 ** 30).restore()).resolves.toBeUndefined();
});
