import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { sourceFiles } from '../support/source-files';

const root = join(__dirname, '../..');

/** Private or archaic words, each with what to write instead. Identifiers are checked word by word. */
const avoided: readonly (readonly [pattern: RegExp, instead: string])[] = [
  [/\b(?:is|are|was|were|be|been) away\b/i, 'unavailable'],
  [/\b(?:tells?|told|telling)\b/i, 'report, notify, pass, name'],
  [/\bmend(?:s|ed|ing|able)?\b/i, 'fix'],
  [/\banew\b/i, 'again'],
  [/\bshall\b/i, 'the present tense'],
  [/\bwhoever\b/i, 'the caller, the reader, the process that …'],
  [/\bof (?:its|their|our|your) own\b/i, 'its own …, a separate …'],
  [/\bnothing is at\b/i, 'Not found'],
  [/\b(?:stands|lies) (?:in|at|on|for|before|below|beside|outside|still)\b/i, 'is, means, precedes'],
  [/\bkeepers?\b/i, 'owner'],
  [/\b(?:worthwhile|patience)\b/i, 'timeout, back-off'],
  [/\bsigns? of life\b/i, 'heartbeat'],
  [/\bouter process\b/i, 'launcher'],
];

describe('sources, messages and documentation', () => {
  it('use standard words', () => {
    expect(checkedFiles().flatMap((file) => findingsIn(relative(root, file), readFileSync(file, 'utf8')))).toEqual([]);
  });

  it('are reported with file, line and the standard word when they do not', () => {
    const text = ["throw new Error('Mend the plugin');", 'const tellAll = 1;', '// The service is away.'].join('\n');
    expect(findingsIn('sample.ts', text)).toEqual([
      'sample.ts:1: "Mend", write fix',
      'sample.ts:2: "tell", write report, notify, pass, name',
      'sample.ts:3: "is away", write unavailable',
    ]);
  });
});

/** A description of the REST interface that does not name the value: `Of the client.` for its address. */
const nameless =
  /(?:describe\(|description: |summary: )['`](?:Of|What|Why|Which|When|Where|Whether|How|Nothing|Those|Its?|They) /;

describe('descriptions of the REST interface', () => {
  it('begin with the value', () => {
    const files = checkedFiles().filter((file) => file.endsWith('.ts') && !file.includes(join('core', 'client')));
    const lines = files.flatMap((file) =>
      readFileSync(file, 'utf8')
        .split('\n')
        .map((text, index) => ({ text, at: `${relative(root, file)}:${index + 1}` })),
    );
    expect(lines.filter(({ text }) => nameless.test(text)).map(({ at, text }) => `${at}: ${text.trim()}`)).toEqual([]);
  });
});

/** A relative clause in place of a noun: the reader has to guess the thing. */
const riddle = /^(?:What|Whatever|One that|Those that|Nothing|Such as)\b/;

describe('comments', () => {
  it('begin with the thing', () => {
    const files = [...checkedFiles(), ...testFiles()].filter((file) => /\.(?:tsx?|[cm]js)$/.test(file));
    expect(files.flatMap((file) => riddlesIn(relative(root, file), readFileSync(file, 'utf8')))).toEqual([]);
  });

  it('are reported when they begin with a relative clause', () => {
    const text =
      '/** What came of it. */\n/**\n * Nothing is left.\n */\n// A line\n// What it continues\nwait();\n  // One that waits.';
    expect(riddlesIn('sample.ts', text)).toEqual([
      'sample.ts:1: begin with the thing, not "What"',
      'sample.ts:3: begin with the thing, not "Nothing"',
      'sample.ts:8: begin with the thing, not "One that"',
    ]);
  });
});

function riddlesIn(name: string, text: string): readonly string[] {
  const lines = text.split('\n').map((line) => line.trim());
  return lines.flatMap((line, index) => {
    const before = lines[index - 1] ?? '';
    const isContinued = line.startsWith('//') && before.startsWith('//');
    const begin =
      /^(?:\/\*\*?|\/\/|\{\/\*)\s*(.*)/.exec(line)?.[1] ?? (before === '/**' ? line.replace(/^\*\s*/, '') : '');
    const found = isContinued ? undefined : riddle.exec(begin)?.[0];
    return found === undefined ? [] : [`${name}:${index + 1}: begin with the thing, not "${found}"`];
  });
}

function findingsIn(name: string, text: string): readonly string[] {
  return text.split('\n').flatMap((line, index) => {
    const words = line.replaceAll(/(?<=[a-z])(?=[A-Z])/g, ' ').replaceAll('_', ' ');
    return avoided.flatMap(([pattern, instead]) => {
      const found = pattern.exec(words)?.[0];
      return found === undefined ? [] : [`${name}:${index + 1}: "${found}", write ${instead}`];
    });
  });
}

function testFiles(): readonly string[] {
  const folders = ['test', 'plugins/admin-ui/web/test', ...packages().map((name) => join(name, 'test'))];
  return folders
    .map((folder) => join(root, folder))
    .filter((folder) => existsSync(folder))
    .flatMap((folder) => sourceFiles(folder, /\.(?:tsx?|[cm]js)$/));
}

function packages(): readonly string[] {
  return ['contracts', 'cli', ...['core', 'core/modules', 'plugins', 'services'].flatMap(foldersIn)];
}

function checkedFiles(): readonly string[] {
  return [
    ...packages().flatMap((name) => sourceFiles(join(root, name, 'src'), /\.tsx?$/)),
    ...sourceFiles(join(root, 'plugins/admin-ui/web/src'), /\.tsx?$/),
    ...sourceFiles(join(root, 'scripts'), /\.mjs$/),
    ...readdirSync(join(root, 'docs'), { recursive: true, encoding: 'utf8' })
      .filter((name) => name.endsWith('.md'))
      .map((name) => join(root, 'docs', name)),
    join(root, 'README.md'),
  ];
}

function foldersIn(group: string): readonly string[] {
  return readdirSync(join(root, group))
    .map((name) => join(group, name))
    .filter((name) => existsSync(join(root, name, 'src')));
}
