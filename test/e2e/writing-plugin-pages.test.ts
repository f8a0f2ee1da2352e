import { readFileSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { expectAnswer, partsOfPage, titleOf } from '../support/page-commands';
import { createWalkFolder } from '../support/walk-folder';

const project = join(__dirname, '..', '..');

describe('the sample of docs/writing-plugin-pages.md', () => {
  const folder = createWalkFolder();
  symlinkSync(join(project, 'test'), join(folder.path, 'test'), 'junction');
  afterAll(() => folder.remove());

  test.each(partsOfPage('writing-plugin-pages.md').map((part) => [titleOf(part), part] as const))(
    '%s',
    async (_title, part) => {
      if (part.kind === 'file') {
        expect(part.content).toBe(readFileSync(join(project, 'test/samples/paints', part.path), 'utf8'));
        return;
      }
      const { printed, code } = await folder.run(part.commands, {});
      if (part.answer !== undefined) expectAnswer(printed, part.answer);
      expect(code).toBe(0);
    },
    60_000,
  );
});
