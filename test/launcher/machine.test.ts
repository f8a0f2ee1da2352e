import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { satisfies } from 'semver';

const root = join(__dirname, '../..');

interface Machine {
  readonly node: string;
  readonly os: string;
  readonly cpu: string;
  readonly libc?: string;
}

interface LockedPackage {
  readonly dev?: boolean;
  readonly optional?: boolean;
  readonly devOptional?: boolean;
  readonly engines?: { readonly node?: string };
}

interface MachineModule {
  readMachine(): Machine;
  machineRefusal(machine: Machine, packages: Readonly<Record<string, LockedPackage>>): string | undefined;
}

interface SpaceModule {
  spaceRefusal(
    space: { readonly count: number; readonly hasSameDisk: boolean; readonly available: number },
    folder: string,
  ): string | undefined;
}

const { packages } = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8')) as {
  readonly packages: Readonly<Record<string, LockedPackage>>;
};

async function load<Module>(name: string): Promise<Module> {
  return (await import(pathToFileURL(join(root, 'scripts/lib', name)).href)) as Module;
}

async function refusal(machine: Machine): Promise<string | undefined> {
  const { machineRefusal } = await load<MachineModule>('machine.mjs');
  return machineRefusal(machine, packages);
}

const linux = { node: '24.0.0', os: 'linux', cpu: 'x64', libc: 'glibc' };

describe('where npm start runs', () => {
  it.each([
    ['Linux with glibc on x64', linux],
    ['Linux with glibc on arm64', { ...linux, cpu: 'arm64' }],
    ['macOS on arm64', { node: '24.0.0', os: 'darwin', cpu: 'arm64' }],
    ['macOS on x64', { node: '24.0.0', os: 'darwin', cpu: 'x64' }],
    ['Windows on x64', { node: '24.0.0', os: 'win32', cpu: 'x64' }],
  ])('is accepted: %s', async (_name, machine) => {
    expect(await refusal(machine)).toBeUndefined();
  });

  it.each([
    ['musl', { ...linux, libc: 'musl' }, /Linux with musl: @temporalio\/core-bridge .* Debian/],
    ['an unknown C library', { node: '24.0.0', os: 'linux', cpu: 'x64' }, /Linux with an unknown C library/],
    ['Linux on 32 bits', { ...linux, cpu: 'arm' }, /linux arm: @gantry\/launcher has no binary/],
    ['Linux on RISC-V', { ...linux, cpu: 'riscv64' }, /linux riscv64: @gantry\/launcher, .* have no binary/],
    ['Windows on arm64', { node: '24.0.0', os: 'win32', cpu: 'arm64' }, /win32 arm64: .* Windows \(x64\)\.$/],
    ['FreeBSD', { node: '24.0.0', os: 'freebsd', cpu: 'x64' }, /freebsd x64: .* Use Linux with glibc \(x64, arm64\)/],
  ])('is refused in one line, which names what to use: %s', async (_name, machine, expected) => {
    const line = await refusal(machine);

    expect(line).toMatch(expected);
    expect(line).not.toContain('\n');
  });

  it.each([
    ['18.20.8', false],
    ['20.18.3', false],
    ['20.19.0', true],
    ['21.7.3', false],
    ['22.11.0', false],
    ['22.12.0', true],
    ['23.0.0', true],
    ['24.0.0', true],
    ['26.0.0', true],
    ['27.0.0', true],
  ])('accepts the versions of Node.js that all packages of the start accept: %s', async (node, isAccepted) => {
    const strict = Object.values(packages).filter(
      (entry) => entry.dev !== true && entry.optional !== true && entry.devOptional !== true,
    );
    const unfit = strict.filter(({ engines }) => engines?.node !== undefined && !satisfies(node, engines.node));

    const expected = `Gantry needs Node.js 20.19, 22.12 or newer; this is ${node}.`;
    const line = await refusal({ ...linux, node });
    expect(unfit.length === 0).toBe(isAccepted);
    expect(line?.startsWith(expected)).toBe(isAccepted ? undefined : true);
  });

  it('recognises this machine', async () => {
    const { readMachine } = await load<MachineModule>('machine.mjs');

    expect(readMachine()).toMatchObject({ node: process.versions.node, os: process.platform, cpu: process.arch });
    expect(await refusal(readMachine())).toBeUndefined();
  });

  it('is refused on a disk that the packages would fill, with the space that they need', async () => {
    const { spaceRefusal } = await load<SpaceModule>('disk-space.mjs');
    const refuse = (available: number, count = 520, hasSameDisk = true): string | undefined =>
      spaceRefusal({ count, hasSameDisk, available }, '/srv/gantry');

    expect(refuse(200e6)).toBe(
      'The disk of /srv/gantry has 200 MB left; 520 packages and the build need 1,136 MB. Free space, or move the repository to another disk, and start again.',
    );
    expect(refuse(900e6)).toMatch(/need 1,136 MB/);
    expect([refuse(900e6, 520, false), refuse(250e6, 10), refuse(1_136e6)]).toEqual(Array(3).fill(undefined));
  });
});
