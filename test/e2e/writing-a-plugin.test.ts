import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { expectAnswer, partsOfPage, titleOf } from '../support/page-commands';
import { plainPng } from '../support/plain-png';
import { contentPlugins, startTestHost } from '../support/platform';
import { send, type Answer } from '../support/rest-client';
import { createWalkFolder } from '../support/walk-folder';

const project = join(__dirname, '../..');

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

  it('stores pictures through the service of the plugin media, and works without it', async () => {
    const plugins = [...contentPlugins, relative(project, join(folder.path, 'my-plugins/courses'))];
    const [withMedia, without] = await Promise.all([
      startTestHost({ plugins: [...plugins, 'plugins/media'] }),
      startTestHost({ plugins }),
    ]);
    try {
      const stored = await storePicture(withMedia.address);
      const refused = await storePicture(without.address);

      expect(stored.json.data.picture).toMatch(/^\/media\/[0-9a-f]{64}\.png$/);
      expect((await send(withMedia.address, stored.json.data.picture)).status).toBe(200);
      expect([refused.status, refused.json.error.message]).toEqual([503, 'Pictures need the plugin media. Enable it.']);
    } finally {
      await Promise.all([withMedia.stop(), without.stop()]);
    }
  }, 180_000);
});

async function storePicture(address: string): Promise<Answer> {
  const body = JSON.stringify({ title: 'Sharpening tools', slug: 'sharpening' });
  const headers = { 'content-type': 'application/json' };
  const created = await send(address, '/api/cms/items/course', { method: 'POST', headers, body });
  const picture = { method: 'POST', headers: { 'content-type': 'image/png' }, body: plainPng(20, 10) };
  return send(address, `/courses/${created.json.data.id}/picture`, picture);
}
