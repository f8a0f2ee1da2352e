import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { declaredPatterns } from '@gantry/core-content';
import { checkPatterns } from '../../src/registration/patterns/check-patterns';
import { createPatternJudge, type PatternJudge, isPlainPattern } from '../../src/registration/patterns/pattern-judge';
import { BaseItem, definePlugin, Field, ItemType, type FieldOptions } from '@gantry/plugin-api';
import { createPluginFolders, type PluginFolders } from '../../../../test/support/plugin-folders';
import { reportOf, runRegistry } from '../support/run-registry';

function definitionWith(options: Partial<FieldOptions>) {
  class Note extends BaseItem {}
  Field({ displayName: 'Word', ...options })(Note.prototype, 'word');
  ItemType({ displayName: 'Note' })(Note);
  return definePlugin({ id: 'notes', itemTypes: [Note] });
}

describe('the patterns of a plugin', () => {
  let folders: PluginFolders;
  let judge: PatternJudge;
  beforeAll(async () => {
    folders = await createPluginFolders();
    judge = createPatternJudge(folders.sources.home);
  });
  afterAll(async () => {
    await judge.close();
    await folders.remove();
  });

  it.each([
    ['\\d{4}-\\d{2}-\\d{2}', {}],
    ['[A-Z]{2,40}', {}],
    ['#[0-9a-f]{6}', { maxLength: 100_000 }],
    ['[a-z0-9]+(?:-[a-z0-9]+)*', { type: 'TEXT' }],
    ['\\p{L}+( \\p{L}+)*', { type: 'TEXT' }],
  ] as const)('are accepted when they are safe: %s', async (pattern, options) => {
    expect(await checkPatterns(definitionWith({ pattern, ...options }), declaredPatterns, judge)).toEqual({
      problems: [],
      warnings: [],
    });
  });

  it.each([
    ['([a-z]+)+[0-9]', {}, 'doubles'],
    ['([a-z]+)+[0-9]', { maxLength: 60 }, 'doubles'],
    ['(a|a)*b', { maxLength: 60 }, 'doubles'],
    ['[^@\\s]+@[^@\\s]+\\.[^@\\s]+', { type: 'TEXT' }, 'up to 1000000 characters'],
    ['[^@\\s]+@[^@\\s]+\\.[^@\\s]+', { maxLength: 1_001 }, 'up to 1001 characters'],
    ['[a-z]*[a-z]*[a-z]*[a-z]*[0-9]', {}, 'up to 255 characters'],
    ['a'.repeat(1_001), {}, 'more than 1000 characters'],
  ] as const)('are refused when a value could block the platform: %s %p', async (pattern, options, reason) => {
    const { problems } = await checkPatterns(definitionWith({ pattern, ...options }), declaredPatterns, judge);
    expect(problems).toMatchObject([{ code: 'PATTERN_UNSAFE', reason: expect.stringContaining(reason) as string }]);
    expect(problems[0]?.reason).toContain('Note.word');
  });

  it('are accepted with a warning when short values bound their time', async () => {
    const definition = definitionWith({ pattern: '[^@\\s]+@[^@\\s]+\\.[^@\\s]+', maxLength: 1_000 });
    expect(await checkPatterns(definition, declaredPatterns, judge)).toEqual({
      problems: [],
      warnings: [expect.stringMatching(/ Note\.word .* power 2 /)],
    });
  });

  it('are judged once: the next start reads the verdict', async () => {
    const home = join(folders.root, 'other-home');
    const [first, second] = [createPatternJudge(home), createPatternJudge(home)];
    expect(await first.judge('^(?:(b+)+c)$')).toBe('exponential');
    await first.close();
    const file = join(home, 'cache', 'patterns.json');
    const kept = JSON.parse(await readFile(file, 'utf8')) as { readonly verdicts: Record<string, unknown> };
    expect(kept.verdicts).toEqual({ '^(?:(b+)+c)$': 'exponential' });
    await writeFile(file, JSON.stringify({ ...kept, verdicts: { '^(?:(b+)+c)$': 2 } }));
    expect(await second.judge('^(?:(b+)+c)$')).toBe(2);
    await second.close();
  });

  it.each([
    ['a', true],
    ['[a-z]+', true],
    ['x{3}-\\d*', true],
    ['[a-z]+[0-9]+', false],
    ['(a)', false],
    ['a|b', false],
    ['a?b?', false],
    ['\\bword\\b', false],
    ['(a)\\1', false],
    ['[(]+', true],
    ['[\\]a]+', true],
    ['\\(+', true],
    ['(a{2}){3}', false],
    ['/files/[0-9a-f]{64}\\.(png|jpg)', true],
    ['(?:png|jpg)[a-z]*', true],
    ['(ab|a)*', false],
    ['(a|a){30}b', false],
    ['(a|b)(a|b)', false],
    ['(a|b)\\1', false],
    ['(a|b+)', false],
    ['\\(a|b)', false],
    ['(a|)', false],
  ])('are plain or not at a glance: %s is %p', (pattern, expected) => {
    expect(isPlainPattern(`^(?:${pattern})$`)).toBe(expected);
  });

  it('keep a plugin from being used, or show as a note of it', async () => {
    const typed = (id: string, options: string) => `
      const { BaseItem, definePlugin, Field, ItemType } = require('@gantry/plugin-api');
      class ${id[0]?.toUpperCase()}${id.slice(1)} extends BaseItem {}
      const type = ${id[0]?.toUpperCase()}${id.slice(1)};
      Field({ displayName: 'Word', ${options} })(type.prototype, 'word');
      ItemType({ displayName: 'Word' })(type);
      module.exports = definePlugin({ id: '${id}', itemTypes: [type] });`;
    const add = (id: string, options: string) =>
      folders.add(id, { gantry: { contributes: { itemTypes: [id] } }, files: { 'index.js': typed(id, options) } });
    await add('evil', "pattern: '([a-z]+)+[0-9]'");
    await add('slow', "pattern: '[a-z]*[a-z]*[0-9]', maxLength: 100");

    const run = await runRegistry({ sources: folders.sources });

    expect(reportOf(run, 'evil')).toMatchObject({ state: 'failed', problems: [{ code: 'PATTERN_UNSAFE' }] });
    expect(reportOf(run, 'slow')).toMatchObject({
      state: 'started',
      notes: [expect.stringMatching(/ Slow\.word .* power 2 /)],
    });
  });
});
