import { readFileSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { expectAnswer, partsOfPage, titleOf } from '../support/page-commands';
import { createWalkFolder } from '../support/walk-folder';

const project = join(__dirname, '..', '..');
const parts = partsOfPage('writing-plugin-pages.md');
const files = parts.filter((part) => part.kind === 'file');
const steps = parts.filter((part) => part.kind === 'commands');

describe('the sample of docs/writing-plugin-pages.md', () => {
  const folder = createWalkFolder();
  symlinkSync(join(project, 'test'), join(folder.path, 'test'), 'junction');
  afterAll(() => folder.remove());

  it.each(files)('has the file $path as the page shows it', ({ path, content }) => {
    expect(content).toBe(readFileSync(join(project, 'test/samples/paints', path), 'utf8'));
  });

  it.each(steps.map((step) => [titleOf(step), step] as const))(
    '%s',
    async (_title, { commands, answer }) => {
      const { printed, code } = await folder.run(commands, {});
      if (answer !== undefined) expectAnswer(printed, answer);
      expect(code).toBe(0);
    },
    60_000,
  );
});
