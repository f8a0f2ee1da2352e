import { readdirSync } from 'node:fs';
import { join, relative, sep } from 'node:path';
import { codeLines, sourceFiles } from '../../../../test/support/source-files';
import { shippedKinds } from '../src/content/kinds/shipped-kinds';
import { shippedViews } from '../src/content/kinds/shipped-views';

const pages = join(__dirname, '../src');
const kindsFolder = join(pages, 'content/kinds');
const types = shippedKinds.map(({ type }) => type as string);

describe('the folders of the field kinds', () => {
  it('are those of the host, each with what is done with its values and how they are shown', () => {
    expect(foldersOf(kindsFolder)).toEqual(foldersOf(join(__dirname, '../../../../core/content/src/kinds')));
    expect(types.map((type) => type.toLowerCase()).toSorted()).toEqual(foldersOf(kindsFolder));
    expect(shippedViews.map(({ type }) => type)).toEqual(types);
  });

  it('are the only code of the pages that names a field type', () => {
    const found = sourceFiles(pages, /\.tsx?$/)
      .filter((file) => !file.startsWith(kindsFolder + sep))
      .flatMap((file) =>
        codeLines(file).flatMap((line) => (namesType(line) ? [`${relative(pages, file)}: ${line}`] : [])),
      );

    expect(found).toEqual([]);
  });

  it.each([
    "if (column.type === 'NUMBER') return text;",
    "    case 'IMAGE':",
    "  REFERENCE: 'a reference',",
    "const texts = ['STRING', 'TEXT'];",
    "if (field.type === 'boolean') return choices;",
    "return field?.type !== 'reference' && isSortable;",
    "type === 'string' || options === undefined",
  ])('would be seen to be left by: %s', (line) => {
    expect(namesType(line)).toBe(true);
  });

  it.each([
    "if (typeof value === 'string') return value;",
    "return typeof field.type === 'string';",
    "inputMode={kind === 'number' ? 'decimal' : undefined}",
    '/** A NUMBER is written as it is. */',
  ])('are not left by: %s', (line) => {
    expect(namesType(line)).toBe(false);
  });
});

/** Whether a line names a field type, or compares a type with its lower case, which search fields have. */
function namesType(line: string): boolean {
  const name = types.join('|');
  // A mark of documents is named link, too.
  const compared = types.flatMap((type) => (type === 'LINK' ? [] : type.toLowerCase())).join('|');
  const expressions = [
    new RegExp(`["'\`](?:${name})["'\`]`),
    new RegExp(`^\\s*(?:${name})\\s*[:(]`),
    new RegExp(`(?<!typeof [\\w.?]*)type [!=]==? ["'\`](?:${compared})["'\`]`),
  ];
  return expressions.some((expression) => expression.test(line));
}

function foldersOf(folder: string): readonly string[] {
  return readdirSync(folder, { withFileTypes: true })
    .flatMap((entry) => (entry.isDirectory() ? [entry.name] : []))
    .toSorted();
}
