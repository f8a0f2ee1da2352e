import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { Client } from 'pg';
import { expectAnswer, partsOfPage, titleOf } from '../support/page-commands';
import { plainPng } from '../support/plain-png';
import { createTestDatabase } from '../support/database';
import { eventually } from '../support/eventually';
import { startLocalTemporal } from '../support/local-temporal';
import { contentPlugins, startTestHost } from '../support/platform';
import { send, sendJson, type Answer } from '../support/rest-client';
import { createWalkFolder } from '../support/walk-folder';

const project = join(__dirname, '../..');
const page = join(project, 'docs/writing-a-plugin.md');

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

  it('works without media and Temporal, and with them stores pictures and has all changes in its listing, also earlier ones', async () => {
    const plugins = [...contentPlugins, relative(project, join(folder.path, 'my-plugins/courses'))];
    const database = await createTestDatabase();
    const temporal = await startLocalTemporal();
    // Without Temporal, changes wait.
    const first = await startTestHost({ plugins, databaseUrl: database.url });
    const sharpening = await createCourse(first.address, 'sharpening');
    const refused = await storePicture(first.address, sharpening);
    await first.stop();
    const second = await startTestHost({
      plugins: [...plugins, 'plugins/media'],
      databaseUrl: database.url,
      environment: { TEMPORAL_ADDRESS: temporal.address },
    });
    try {
      expect([refused.status, refused.json.error.message]).toEqual([503, 'Pictures need the plugin media. Enable it.']);
      await expectListed(database.url, [`${sharpening} 1 sharpening`]);
      const stored = await storePicture(second.address, sharpening);
      expect(stored.json.data.picture).toMatch(/^\/media\/[0-9a-f]{64}\.png$/);
      expect((await send(second.address, stored.json.data.picture)).status).toBe(200);
      const [, words = '', shown = ''] = /^```console\n\$ (.*)\n([^]*?)^```/m.exec(readFileSync(page, 'utf8')) ?? [];
      expect(await folder.run(`npx ${words} --url ${second.address}`, {})).toEqual({ code: 0, printed: shown });

      const planing = await createCourse(second.address, 'planing');
      await sendJson(second.address, 'PATCH', `/api/cms/items/course/${sharpening}`, { title: 'Sharpening knives' });
      await expectListed(database.url, [`${sharpening} 3 Sharpening knives`, `${planing} 1 planing`]);
      await send(second.address, `/api/cms/items/course/${planing}`, { method: 'DELETE' });
      await expectListed(database.url, [`${sharpening} 3 Sharpening knives`]);
    } finally {
      await second.stop();
      await temporal.teardown();
      await database.drop();
    }
  });
});

async function createCourse(address: string, slug: string): Promise<number> {
  const { json, text } = await sendJson(address, 'POST', '/api/cms/items/course', { title: slug, slug });
  if (json.data === undefined) throw new Error(text);
  return json.data.id;
}

/** The table has, or will have, these courses: id, version and title. */
async function expectListed(databaseUrl: string, expected: readonly string[]): Promise<void> {
  const client = new Client({ connectionString: databaseUrl });
  await client.connect();
  try {
    await eventually(async () => {
      const { rows } = await client.query<{ listed: string }>(
        "SELECT concat_ws(' ', id, version, title) AS listed FROM courses_listing ORDER BY id",
      );
      return rows.map(({ listed }) => listed).join() === expected.join();
    });
  } finally {
    await client.end();
  }
}

async function storePicture(address: string, course: number): Promise<Answer> {
  const picture = { method: 'POST', headers: { 'content-type': 'image/png' }, body: plainPng(20, 10) };
  return send(address, `/courses/${course}/picture`, picture);
}
