import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import {
  changeDecision,
  forgetDecision,
  readDecisions,
  readDecisionsFile,
  readPreviousDecisions,
  readWaiting,
  returnToPreviousDecisions,
  storeCopy,
} from '../../src/state/state-file';
import { createPluginFolders, type PluginFolders } from '../../../../test/support/plugin-folders';

describe('the state file', () => {
  let folders: PluginFolders;
  let home: string;
  beforeEach(async () => {
    folders = await createPluginFolders();
    ({ home } = folders.sources);
  });
  afterEach(() => folders.remove());

  it('holds no decisions while it does not exist', async () => {
    expect(await readDecisions(home)).toEqual(new Map());
  });

  it('gives back what was decided', async () => {
    await changeDecision(home, 'recipes', { enabled: true, version: '1.0.0', contentHash: 'sha256-x' });
    await changeDecision(home, 'articles', { enabled: false });
    await changeDecision(home, 'recipes', { enabled: false });
    expect(await readDecisions(home)).toEqual(
      new Map([
        ['articles', { enabled: false }],
        ['recipes', { enabled: false }],
      ]),
    );
  });

  it('keeps the set from before the last change, and returns to it once', async () => {
    const pin = (version: string) =>
      ({ enabled: true, version, contentHash: `sha256-${version}`, folder: '/x' }) as const;
    expect(await returnToPreviousDecisions(home)).toBeUndefined();
    await changeDecision(home, 'recipes', pin('1.0.0'));
    await changeDecision(home, 'recipes', pin('1.1.0'));
    await changeDecision(home, 'recipes', pin('1.1.0'));
    const previous = new Map([['recipes', pin('1.0.0')]]);

    expect(await readPreviousDecisions(home)).toEqual(previous);
    expect(await returnToPreviousDecisions(home)).toEqual(previous);
    expect(await readDecisions(home)).toEqual(previous);
    expect(await returnToPreviousDecisions(home)).toBeUndefined();
    expect(await readDecisions(home)).toEqual(previous);
  });

  it('does not count once the set of the database has changed since, and then is no base of later decisions', async () => {
    const pin = (version: string) => ({ enabled: true, version, contentHash: `sha256-${version}` }) as const;
    const copyOf = (revision: string, version: string) => ({
      ...{ host: 'a', revision, generation: 1, followed: false },
      decisions: new Map([['boats', pin(version)]]),
    });
    await storeCopy(home, copyOf('first', '1.0.0'));
    await changeDecision(home, 'boats', pin('1.1.0'));
    expect(await readDecisions(home)).toEqual(new Map([['boats', pin('1.1.0')]]));
    expect(await readWaiting(home)).toEqual({ decisions: new Map([['boats', pin('1.1.0')]]), areSuperseded: false });

    await storeCopy(home, copyOf('second', '1.2.0'));
    expect(await readDecisions(home)).toEqual(new Map([['boats', pin('1.2.0')]]));
    // A later version than the one that was decided leaves nothing to decide again; an earlier one does.
    expect(await readWaiting(home)).toEqual({ decisions: new Map(), areSuperseded: true });
    await storeCopy(home, copyOf('third', '1.0.0'));
    expect(await readWaiting(home)).toEqual({ decisions: new Map([['boats', pin('1.1.0')]]), areSuperseded: true });
    await storeCopy(home, copyOf('second', '1.2.0'));

    await forgetDecision(home, 'boats');
    expect(await readDecisions(home)).toEqual(new Map());
    expect(await readWaiting(home)).toEqual({ decisions: new Map([['boats', undefined]]), areSuperseded: false });
  });

  it('leaves no draft and no lock behind', async () => {
    await changeDecision(home, 'articles', { enabled: false });
    expect(await readdir(home)).toEqual(['plugins.json']);
  });

  it.each([
    ['is cut off', '{ "formatVersion": 1, "plugins": { "recip'],
    ['is empty', ''],
    ['is of a later version', '{ "formatVersion": 2, "plugins": {} }'],
    [
      'says something unknown of a plugin',
      '{ "formatVersion": 1, "plugins": { "recipes": { "enabled": "perhaps" } } }',
    ],
  ])('is reported with a remedy, and stays as it is, when it %s', async (_what, text) => {
    const file = await folders.write('home/plugins.json', text);
    const expected = {
      code: 'PLUGIN_STATE_DAMAGED',
      message: expect.stringContaining(file),
      remedy: expect.stringContaining('mv "'),
    };
    await expect(readDecisions(home)).rejects.toMatchObject(expected);
    await expect(changeDecision(home, 'recipes', { enabled: false })).rejects.toMatchObject(expected);
    expect(await readFile(file, 'utf8')).toBe(text);
  });

  it('that GANTRY_PLUGIN_SET names counts in place of it, and must be there', async () => {
    await changeDecision(home, 'recipes', { enabled: false });
    const file = await folders.write(
      'emergency.json',
      '{ "formatVersion": 1, "plugins": { "boats": { "enabled": false } } }',
    );

    expect([...(await readDecisionsFile(file)).keys()]).toEqual(['boats']);
    await expect(readDecisionsFile(`${file}.other`)).rejects.toMatchObject({
      code: 'PLUGIN_STATE_DAMAGED',
      remedy: expect.stringContaining('unset GANTRY_PLUGIN_SET') as string,
    });
  });

  it('takes an id that is a name of every object for an ordinary one', async () => {
    await changeDecision(home, 'constructor', { enabled: false });
    expect([...(await readDecisions(home)).keys()]).toEqual(['constructor']);
  });

  it('keeps every one of many changes made at once', async () => {
    const ids = Array.from({ length: 20 }, (_, index) => `plugin-${index}`);
    await Promise.all(ids.map((id) => changeDecision(home, id, { enabled: false })));
    expect([...(await readDecisions(home)).keys()].toSorted()).toEqual(ids.toSorted());
  });

  it('takes over the lock of a process that has died', async () => {
    const dead = spawn(process.execPath, ['--version']);
    await once(dead, 'exit');
    await folders.write('home/plugins.json.lock', String(dead.pid));
    await changeDecision(home, 'recipes', { enabled: false });
    expect((await readDecisions(home)).has('recipes')).toBe(true);
  });

  it('loses no change when many find the lock of a process that has died', async () => {
    const dead = spawn(process.execPath, ['--version']);
    await once(dead, 'exit');
    await folders.write('home/plugins.json.lock', String(dead.pid));
    const ids = Array.from({ length: 20 }, (_, index) => `plugin-${index}`);
    await Promise.all(ids.map((id) => changeDecision(home, id, { enabled: false })));
    expect([...(await readDecisions(home)).keys()].toSorted()).toEqual(ids.toSorted());
    expect(await readdir(home)).toEqual(['plugins.json']);
  });

  it('says who to ask when another command does not let go of the lock', async () => {
    await folders.write('home/plugins.json.lock', String(process.pid));
    await expect(changeDecision(home, 'recipes', { enabled: false })).rejects.toMatchObject({
      code: 'PLUGIN_STATE_BUSY',
      remedy: expect.stringContaining('rm "'),
    });
  });

  it('survives a draft that a killed process left', async () => {
    await folders.write('home/plugins.json.99999.abcd.tmp', '{ "half');
    await writeFile(join(home, 'plugins.json'), '{ "formatVersion": 1, "plugins": {} }');
    expect(await readDecisions(home)).toEqual(new Map());
  });
});
