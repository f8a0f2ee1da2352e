import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expectAnswer, partsOfPage, titleOf } from '../support/page-commands';
import { createWalkFolder } from '../support/walk-folder';

describe('the plugin of docs/writing-a-plugin.md', () => {
  const folder = createWalkFolder();
  afterAll(() => folder.remove());

  test.each(partsOfPage('writing-a-plugin.md').map((part) => [titleOf(part), part] as const))(
    '%s',
    async (_title, part) => {
      if (part.kind === 'file') {
        const file = join(folder.path, 'my-plugins/courses', part.path);
        mkdirSync(dirname(file), { recursive: true });
        writeFileSync(file, part.content);
        return;
      }
      const { printed, code } = await folder.run(part.commands, {});
      if (part.answer !== undefined) expectAnswer(printed, part.answer);
      expect(code).toBe(0);
    },
    180_000,
  );
});
