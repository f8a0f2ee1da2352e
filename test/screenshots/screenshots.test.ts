import { readdirSync } from 'node:fs';
import { join, parse } from 'node:path';
import { pathToFileURL } from 'node:url';

const root = join(__dirname, '../..');
const kept = readdirSync(join(root, 'docs/screenshots'))
  .filter((file) => file.endsWith('.png'))
  .map((file) => parse(file).name);

interface TakeModule {
  /** Resolves with the bytes of styles of each page, by its name. */
  takePictures(onPicture: (name: string, picture: Buffer) => void): Promise<ReadonlyMap<string, number>>;
}

interface CompareModule {
  differenceTo(name: string, picture: Buffer): Promise<string | undefined>;
}

async function load<Module>(name: string): Promise<Module> {
  return (await import(pathToFileURL(join(__dirname, name)).href)) as Module;
}

// Elsewhere npm brings no browser, and others have other fonts.
const describeOnLinux = process.platform === 'linux' && process.arch === 'x64' ? describe : describe.skip;

describeOnLinux('the pages look as in docs/screenshots', () => {
  const taken = new Map<string, Buffer>();
  let styles: ReadonlyMap<string, number> = new Map();

  beforeAll(async () => {
    const { takePictures } = await load<TakeModule>('take-pictures.mjs');
    styles = await takePictures((name, picture) => taken.set(name, picture));
  });

  it('which has a picture of each page in each look, and no other', () => {
    expect(kept.toSorted()).toEqual([...taken.keys()].toSorted());
  });

  it('and none, also of those without a picture, loads more than 26,000 bytes of styles', () => {
    expect([...styles].filter(([, bytes]) => bytes === 0 || bytes > 26_000)).toEqual([]);
  });

  it.each(kept)('%s', async (name) => {
    const { differenceTo } = await load<CompareModule>('compare-picture.mjs');
    const picture = taken.get(name);
    expect(picture && (await differenceTo(name, picture))).toBeUndefined();
    expect(picture).toBeDefined();
  });
});
