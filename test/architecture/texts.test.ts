import { join } from 'node:path';

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
