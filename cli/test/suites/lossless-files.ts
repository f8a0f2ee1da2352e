import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Client } from 'pg';
import { openBench, type Bench } from '../support/gantry';
import type { Commands } from '../support/commands';

const types = ['article', 'trendingarticlecomponent'] as const;

/** Two articles without a key, and a component that refers to them. */
const content = {
  article: [
    { id: 7, title: 'a', body: '' },
    { id: 9, title: 'b', body: null },
  ],
  trendingarticlecomponent: [{ id: 3, title: 'Read', articles: [9, 7] }],
};

export function describeLosslessFiles(commands: Commands): void {
  describe('gantry items export --ids --keep-empty and import --keep-ids --keep-empty', () => {
    let source: Bench;
    let target: Bench;
    beforeAll(async () => {
      [source, target] = await Promise.all([
        openBench(['plugins/articles'], commands),
        openBench(['plugins/articles'], commands),
      ]);
    });
    afterAll(() => Promise.all([source.close(), target.close()]));

    it('copy items without a key into an empty database, with their ids, references and empty texts', async () => {
      for (const type of types) {
        const input = content[type].map((item) => `${JSON.stringify(item)}\n`).join('');
        await run(source, ['import', type, '-', '--format', 'jsonl', '--keep-ids'], input);
        const file = join(source.home, '..', `${type}.csv`);
        await run(source, ['export', type, file, '--ids', '--keep-empty']);
        await run(target, ['import', type, file, '--keep-ids', '--keep-empty']);
      }

      expect(readFileSync(join(source.home, '..', 'article.csv'), 'utf8')).toContain('7,a,,"",');
      expect(await rowsOf(target)).toEqual(await rowsOf(source));
      expect(await rowsOf(target)).toContainEqual(expect.objectContaining({ id: 7, body: '' }));
    });
  });
}

async function rowsOf({ database }: Bench): Promise<readonly unknown[]> {
  const client = new Client({ connectionString: database.url });
  await client.connect();
  try {
    const { rows } = await client.query<{ readonly row: unknown }>(
      `SELECT to_jsonb(a) - 'created_at' - 'updated_at' AS row FROM articles_article a
       UNION ALL SELECT to_jsonb(c) - 'created_at' - 'updated_at' FROM articles_trendingarticlecomponent c
       UNION ALL SELECT to_jsonb(l) FROM articles_trendingarticlecomponent_articles l ORDER BY 1`,
    );
    return rows.map(({ row }) => row);
  } finally {
    await client.end();
  }
}

async function run(bench: Bench, words: readonly string[], input = ''): Promise<void> {
  const { code, stderr } = await bench.gantry(['items', ...words], { input });
  expect([code, stderr]).toEqual([0, '']);
}
