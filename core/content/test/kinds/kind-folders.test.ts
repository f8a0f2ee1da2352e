import { readdirSync } from 'node:fs';
import { dirname, join, relative, sep } from 'node:path';
import { codeLines, sourceFiles } from '../../../../test/support/source-files';
import { shippedFieldTypes } from '../../src/kinds/registry';

const core = join(__dirname, '../../..');
/** The packages that run the platform. */
const packages = ['database', 'content', 'loader', 'http', 'modules', 'host'];
/** Packages of declarations. The kit for tests of plugins sends values of each field type. */
const declarations = ['../contracts', 'plugin-api'];
/** The only other list, which types the declarations of plugins, and types of SQL. */
const otherNames = /^export const (?:fieldTypes|furtherFieldTypes) = |\{ families: /;
const kindsFolder = join(core, 'content/src/kinds');
const folders = readdirSync(kindsFolder, { withFileTypes: true }).flatMap((entry) =>
  entry.isDirectory() ? [entry.name] : [],
);

describe('the folders of the field kinds', () => {
  const exported = folders.flatMap((folder) => valuesOf(join(kindsFolder, folder)));

  it('are the registry of field types', () => {
    expect(folders.map((folder) => folder.toUpperCase()).toSorted()).toEqual(shippedFieldTypes.names.toSorted());
    expect(shippedFieldTypes.all.filter((type) => !exported.includes(type))).toEqual([]);
  });

  it('are the only code of the host that names a field type or a kind', () => {
    const mentions = mentionsOf(shippedFieldTypes.names, exported.flatMap(kindName));
    const found = linesOf(packages).filter(({ file, line }) => mentions(line) || (isAmongKinds(file) && lists(line)));

    expect(found).toEqual([]);
  });

  it('are named by declarations in one list only', () => {
    const mentions = mentionsOf(shippedFieldTypes.names, []);
    expect(linesOf(declarations).filter(({ line }) => mentions(line) && !otherNames.test(line))).toEqual([]);
  });

  it('would be seen to be listed beside them', () => {
    expect(lists("import { timeType } from './time';")).toBe(true);
  });

  it.each([
    "if (field.type === 'NUMBER') return text;",
    "case 'IMAGE':",
    "  REFERENCE: 'a reference',",
    "const texts = ['STRING', 'TEXT'];",
    "if ('decimal' !== field.kind.name) return;",
    "return field.kind.name === 'targetless-list' ? [] : null;",
    "    case 'long':",
    "const whole = new Set(['integer', 'long']);",
  ])('would be seen to be left by: %s', (line) => {
    expect(mentionsOf(shippedFieldTypes.names, exported.flatMap(kindName))(line)).toBe(true);
  });

  it.each([
    "if (typeof value === 'string') return value;",
    "return typeof row[1] === 'boolean';",
    "const schema = { type: 'integer', minimum: 1 };",
    "return { type: ['string', 'null'] };",
    '/** A NUMBER is written as it is. */',
    "return ['string', 'bigint'].includes(typeof value);",
  ])('are not left by: %s', (line) => {
    expect(mentionsOf(shippedFieldTypes.names, exported.flatMap(kindName))(line)).toBe(false);
  });
});

function isSource(path: string): boolean {
  return /^(?:modules\/|\.\.\/)?[^/]+\/src\/(?!testing\/)/.test(path.split(sep).join('/'));
}

function linesOf(names: readonly string[]): readonly { readonly file: string; readonly line: string }[] {
  return names
    .flatMap((name) => sourceFiles(join(core, name)))
    .filter((file) => isSource(relative(core, file)) && !isOfKind(file))
    .flatMap((file) => codeLines(file).map((line) => ({ file, line })));
}

function isAmongKinds(file: string): boolean {
  return dirname(file) === kindsFolder;
}

function lists(line: string): boolean {
  return folders.some((folder) => line.includes(`'./${folder}'`));
}

function isOfKind(file: string): boolean {
  return folders.some((folder) => file.startsWith(join(kindsFolder, folder) + sep));
}

/** Exports of the modules of a folder. */
function valuesOf(folder: string): readonly unknown[] {
  // eslint-disable-next-line typescript/no-require-imports -- each kind is found by its folder
  return sourceFiles(folder).flatMap((file) => Object.values(require(file) as object));
}

function kindName(value: unknown): readonly string[] {
  if (typeof value !== 'object' || value === null || !('jsonSchema' in value) || !('name' in value)) return [];
  return [String(value.name)];
}

/**
 * Whether a line of code has the name of a field type, or compares with the name of a kind. The latter are also words of
 * JSON Schema and of `typeof`.
 */
function mentionsOf(types: readonly string[], kinds: readonly string[]): (line: string) => boolean {
  const [type, kind] = [types, kinds].map((names) => (names.length === 0 ? '(?!)' : `(?:${names.join('|')})`));
  const quoted = (name: string | undefined): string => `["'\`]${name}["'\`]`;
  const expressions = [
    new RegExp(quoted(type)),
    new RegExp(`^\\s*${type}\\s*[:(]`),
    new RegExp(`(?<!typeof [^ ]+ |[!=])[!=]==? ${quoted(kind)}`),
    new RegExp(`${quoted(kind)} [!=]==? (?!typeof)`),
    new RegExp(`case ${quoted(kind)}`),
    new RegExp(`\\[${quoted(kind)}(?:, ${quoted(kind)})*\\]`),
  ];
  return (line) => expressions.some((expression) => expression.test(line));
}
