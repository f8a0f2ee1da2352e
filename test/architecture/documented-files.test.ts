import { existsSync, readFileSync, readdirSync, statSync } from 'node:fs';
import { basename, dirname, join, relative } from 'node:path';

const root = join(__dirname, '../..');
const pages = ['docs/architecture.md', 'CONTRIBUTING.md'];
const folders = /^(?:contracts|core|plugins|services|cli|test|docs|scripts)\//;

describe.each(pages)('%s', (page) => {
  it('names files and folders that exist', () => {
    const code = [...textOf(page).matchAll(/`([^`\n]+)`/g)].flatMap(([, text = '']) => text.split(/\s+/));
    const names = code.filter((word) => folders.test(word) && !/[<*]/.test(word));
    expect(names.length).toBeGreaterThan(5);
    expect(names.filter((name) => !existsSync(join(root, name)))).toEqual([]);
  });
});

describe('the documentation', () => {
  const files = [
    'README.md',
    'CONTRIBUTING.md',
    'SECURITY.md',
    ...['docs', 'plugins', 'services', 'test/samples'].flatMap(markdownIn),
  ];

  it('links to files and headings that exist', () => {
    expect(files.length).toBeGreaterThan(100);
    expect(files.flatMap(brokenLinks)).toEqual([]);
  });

  it('has at most 50,000 words', () => {
    const read = markdownIn('docs').filter((file) => !file.startsWith('docs/screenshots/'));
    expect(read.reduce((sum, file) => sum + wordsOf(file), 0)).toBeLessThanOrEqual(50_000);
  });

  it('lists every decision, each of at most 400 words', () => {
    const decisions = markdownIn('docs/decisions').filter((file) => /\/\d{4}-/.test(file));
    const list = textOf('docs/decisions/README.md');
    expect(decisions.filter((file) => !list.includes(`(${basename(file)})`))).toEqual([]);
    expect(decisions.filter((file) => wordsOf(file) > 400)).toEqual([]);
  });
});

describe('docs/dependencies.md', () => {
  it('lists every package that the workspace names', () => {
    const { workspaces } = manifestOf('.');
    const folders = ['.', ...(workspaces ?? []).flatMap(foldersOf)];
    const listed = new Set([...textOf('docs/dependencies.md').matchAll(/`([^`]+)`/g)].map(([, name = '']) => name));
    const names = new Set(folders.flatMap((folder) => dependenciesOf(manifestOf(folder))));
    expect(names.size).toBeGreaterThan(80);
    expect([...names].filter((name) => !isOwn(name) && !listed.has(name))).toEqual([]);
  });
});

interface Manifest extends Readonly<
  Partial<Record<(typeof dependencyKinds)[number], Readonly<Record<string, string>>>>
> {
  readonly workspaces?: readonly string[];
}
const dependencyKinds = ['dependencies', 'devDependencies', 'peerDependencies', 'optionalDependencies'] as const;

const isOwn = (name: string): boolean => /^(?:@gantry\/|gantry$|create-gantry$)/.test(name);

function manifestOf(folder: string): Manifest {
  return JSON.parse(textOf(`${folder}/package.json`)) as Manifest;
}

function foldersOf(workspace: string): readonly string[] {
  if (!workspace.endsWith('/*')) return [workspace];
  const parent = workspace.slice(0, -2);
  return readdirSync(join(root, parent))
    .map((name) => `${parent}/${name}`)
    .filter((folder) => existsSync(join(root, folder, 'package.json')));
}

function dependenciesOf(manifest: Manifest): readonly string[] {
  return dependencyKinds.flatMap((kind) => Object.keys(manifest[kind] ?? {}));
}

/** Words, without the signs of Markdown. */
function wordsOf(file: string): number {
  return textOf(file)
    .split(/\s+/)
    .filter((word) => /[\p{L}\p{N}]/u.test(word)).length;
}

function markdownIn(folder: string): readonly string[] {
  return readdirSync(join(root, folder), { withFileTypes: true }).flatMap((entry) => {
    const path = `${folder}/${entry.name}`;
    if (entry.isDirectory()) return ['node_modules', 'dist'].includes(entry.name) ? [] : markdownIn(path);
    return entry.name.endsWith('.md') && entry.name !== 'CHANGELOG.md' ? [path] : [];
  });
}

function brokenLinks(file: string): readonly string[] {
  const text = withoutCode(textOf(file));
  return [...text.matchAll(/\]\(([^)\s]+)\)/g)].flatMap(([, link = '']) => {
    if (/^[a-z]+:/.test(link)) return [];
    const [path = '', heading] = link.split('#');
    const target = path === '' ? file : relative(root, join(root, dirname(file), path));
    const exists = existsSync(join(root, target)) && (heading === undefined || headingsOf(target).has(heading));
    return exists ? [] : [`${file}: ${link}`];
  });
}

function headingsOf(file: string): ReadonlySet<string> {
  if (statSync(join(root, file)).isDirectory()) return new Set();
  const headings = [...withoutCode(textOf(file)).matchAll(/^#+ (.*)$/gm)];
  return new Set(headings.map(([, heading = '']) => anchorOf(heading)));
}

/** The anchor of a heading, as hosting sites and the admin pages make it. */
function anchorOf(heading: string): string {
  const text = heading.replaceAll(/\]\([^)]*\)/g, '').toLowerCase();
  return text.replaceAll(/[^\p{L}\p{N}\s_-]/gu, '').replaceAll(' ', '-');
}

function withoutCode(text: string): string {
  return text.replaceAll(/^ *```[^]*?^ *```$/gm, '');
}

function textOf(file: string): string {
  return readFileSync(join(root, file), 'utf8');
}
