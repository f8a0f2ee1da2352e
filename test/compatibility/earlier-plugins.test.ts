import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { describePlugin } from '@gantry/plugin-api/testing';
import { startTestHost } from '../support/platform';
import { sendJson } from '../support/rest-client';

const project = join(__dirname, '../..');
const folder = join(__dirname, 'fixtures/plugins');
const values = { 'course.startsOn': () => '2026-11-21' };

// Plugins as they were built on earlier versions of the plugin API: every later version of the same major runs them unchanged.
describePlugin(
  readdirSync(folder).map((name) => join(folder, name)),
  { project, values },
);

it('the plugin courses of 1.0 answers its routes as it did', async () => {
  const plugins = ['plugins/catalog', 'plugins/articles', 'test/compatibility/fixtures/plugins/courses-1.0'];
  const { address, stop } = await startTestHost({ plugins });
  try {
    const created = await sendJson(address, 'POST', '/api/cms/items/course', { title: 'Planing', slug: 'planing' });
    expect(created.json.data.values).toMatchObject({ level: 'BEGINNER', full: false, price: null });
    const free = await fetch(new URL('/courses/free?level=BEGINNER', address));
    expect(await free.json()).toMatchObject({ data: [{ title: 'Planing' }] });
    expect((await fetch(new URL('/courses/free?level=NONE', address))).status).toBe(400);
  } finally {
    await stop();
  }
}, 120_000);
