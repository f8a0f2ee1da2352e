import { execFileSync } from 'node:child_process';
import { join } from 'node:path';

const script = join(__dirname, '../../scripts/lib/texts-in.mjs');

/** swc is loaded by Node.js, as by the script itself. */
function textsIn(source: string, file = 'sample.ts'): readonly string[] {
  const program = `import { textsIn } from ${JSON.stringify(script)};
    console.log(JSON.stringify(textsIn(${JSON.stringify(source)}, ${JSON.stringify(file)})));`;
  const output = execFileSync(process.execPath, ['--input-type=module', '--eval', program], { encoding: 'utf8' });
  return JSON.parse(output) as readonly string[];
}

describe('the catalogue of texts', () => {
  it('has literals, templates, joined parts and what they insert, each as one line', () => {
    const source = `
      throw new Error('The plugin is missing');
      const text = \`The type \${name} has \${many ? 'too many fields for it' : 'few'}\`;
      const joined = 'Stop the other process, ' + how + ' and ' + \`try it \${again}\`;`;

    expect(textsIn(source)).toEqual([
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

    expect(textsIn(source)).toEqual([]);
  });
});
