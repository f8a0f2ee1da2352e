import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { escapePattern } from '../support/escape-pattern';
import { sourceFiles } from '../support/source-files';

const root = join(__dirname, '../..');

type TextsIn = (source: string, file: string) => readonly string[];

let textsIn: TextsIn;
beforeAll(async () => {
  const script = join(__dirname, '../../scripts/lib/texts-in.mjs');
  ({ textsIn } = (await import(script)) as { readonly textsIn: TextsIn });
});

describe('the catalogue of texts', () => {
  it('has literals, templates, joined parts and what they insert, each as one line', () => {
    const source = `
      throw new Error('The plugin is missing');
      const text = \`The type \${name} has \${many ? 'too many fields for it' : 'few'}\`;
      const joined = 'Stop the other process, ' + how + ' and ' + \`try it \${again}\`;`;

    expect(textsIn(source, 'sample.ts')).toEqual([
      'The plugin is missing',
      'The type {} has {}',
      'too many fields for it',
      'Stop the other process, {} and try it {}',
    ]);
  });

  it('has the text of pages', () => {
    expect(
      textsIn('const page = <p title="Sort by this column">Nothing matches\n  the filter</p>;', 'sample.tsx'),
    ).toEqual(['Sort by this column', 'Nothing matches the filter']);
  });

  it('has no statements, code, types, names of modules and short words', () => {
    const source = `
      import { x } from 'a module of this name';
      type Choice = 'one of these words';
      query('SELECT id FROM item WHERE version = 1');
      run("document.querySelector('main a b').click();");
      const key = 'two words';`;

    expect(textsIn(source, 'sample.ts')).toEqual([]);
  });
});

/** What the user of the pages sees is asserted as such. */
const ofPages = /plugins\/admin-ui\/|test\/e2e\/admin\//;

describe('a test', () => {
  it('asserts no text of the catalogue as a whole: the code, path and values of an error do not change with its wording', () => {
    const isCatalogued = catalogue();
    const found = testFiles().flatMap((file) =>
      messagesIn(readFileSync(file, 'utf8'))
        .filter(isCatalogued)
        .map((message) => `${relative(root, file)}: ${message}`),
    );
    expect(found).toEqual([]);
  });

  it('is reported with the text, also where that has values', () => {
    const source = `
      expect(error).toMatchObject({ code: 'NOT_FOUND', message: 'The plugin is missing.' });
      expect(run).toThrow(
        \`The plugin \${id} is missing\`,
      );
      expect(error).toMatchObject({ code: 'NOT_FOUND', message: expect.stringContaining('plugin') });`;
    expect(messagesIn(source)).toEqual(['The plugin is missing.', 'The plugin {} is missing']);
    expect(messagesIn(source).map(matcherOf(['The plugin {} is missing', 'another text {}']))).toEqual([false, true]);
  });
});

/** Messages that are compared as a whole, with `{}` for each expression. */
function messagesIn(source: string): readonly string[] {
  const literals = source.matchAll(/(?:\bmessage: *|\btoThrow\()\s*(['"`])((?:\\.|(?!\1)[^\\])+)\1/g);
  return [...literals].map(([, , text = '']) => text.replaceAll(/\$\{[^}]*\}/g, '{}').replaceAll(/\s+/g, ' '));
}

function catalogue(): (text: string) => boolean {
  const folder = join(root, 'test/texts');
  const files = readdirSync(folder).filter((name) => name !== 'plugins-admin-ui.txt');
  return matcherOf(files.flatMap((name) => readFileSync(join(folder, name), 'utf8').split('\n')).filter(isSentence));
}

function matcherOf(texts: readonly string[]): (text: string) => boolean {
  const patterns = texts.map((text) => text.split('{}').map(escapePattern).join('.*'));
  const whole = new RegExp(`^(?:${patterns.join('|')})\\.?$`);
  return (text) => isSentence(text) && whole.test(text);
}

/** With fewer words besides its values, a text is no sentence that would be another one in other words. */
function isSentence(text: string): boolean {
  return (text.match(/[A-Za-z]{2,}/g) ?? []).length >= 3;
}

function testFiles(): readonly string[] {
  const parents = ['core', 'plugins', 'services', 'cli'];
  const folders = parents.flatMap((parent) =>
    readdirSync(join(root, parent)).map((name) => join(parent, name, 'test')),
  );
  return ['test', 'contracts/test', 'cli/test', ...folders]
    .map((folder) => join(root, folder))
    .filter(existsSync)
    .flatMap((folder) => sourceFiles(folder))
    .filter((file) => file !== __filename && !ofPages.test(file));
}
