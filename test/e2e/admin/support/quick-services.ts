import { cp, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';

const project = join(__dirname, '..', '..', '..', '..');

/** Copies of the order services whose waits a test can sit out. */
export interface QuickServices {
  /** Plugin folders, relative to the project. */
  readonly plugins: readonly string[];
  remove(): Promise<void>;
}

/** A parcel is on its way for a second, and a compensation gives up after its second attempt. All else is as built. */
export async function createQuickServices(): Promise<QuickServices> {
  const folder = await mkdtemp(join(tmpdir(), 'gantry-quick-services-'));
  await Promise.all([
    copyService(folder, 'order', { 'maximumAttempts: 8': 'maximumAttempts: 2' }),
    copyService(folder, 'consignment', { 'deliverySleep: 2 * minute': 'deliverySleep: 1 * second' }),
  ]);
  return {
    plugins: ['order', 'consignment'].map((name) => relative(project, join(folder, name))),
    remove: () => rm(folder, { recursive: true, force: true }),
  };
}

async function copyService(folder: string, name: string, changes: Readonly<Record<string, string>>): Promise<void> {
  const [source, copy] = [join(project, 'services', name), join(folder, name)];
  await cp(join(source, 'package.json'), join(copy, 'package.json'), { recursive: true });
  await cp(join(source, 'dist'), join(copy, 'dist'), { recursive: true });
  await symlink(join(project, 'node_modules'), join(copy, 'node_modules'));
  const bundle = join(copy, 'dist', 'workflow-bundle.js');
  let code = await readFile(bundle, 'utf8');
  for (const [before, after] of Object.entries(changes)) {
    if (!code.includes(before)) throw new Error(`The workflows of ${name} no longer contain "${before}".`);
    code = code.replaceAll(before, after);
  }
  await writeFile(bundle, code);
}
