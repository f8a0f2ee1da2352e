import { readdirSync } from 'node:fs';
import { dirname, join, relative, sep } from 'node:path';
import { codeLines, sourceFiles } from '../../../../test/support/source-files';
import { kindModules, typeIn } from '../src/content/kinds/kind-modules';
import { kindOf } from '../src/content/kinds/registry';
import { laterViewModules } from '../src/content/kinds/later-view-modules';
import { viewModules } from '../src/content/kinds/view-modules';
import { viewOf } from '../src/content/kinds/views';

const pages = join(__dirname, '../src');
const kindsFolder = join(pages, 'content/kinds');
const types = Object.keys(kindModules).map(typeIn);

describe('the folders of the field kinds', () => {
  it('are those of the host, each with what is done with its values and how they are shown', () => {
    expect(foldersOf(kindsFolder)).toEqual(foldersOf(join(__dirname, '../../../../core/content/src/kinds')));
    expect(types.map((type) => type.toLowerCase()).toSorted()).toEqual(foldersOf(kindsFolder));
    for (const [file, kind] of Object.entries(kindModules)) expect(kindOf(folderIn(file))).toBe(kind);
    const views = [...Object.keys(viewModules), ...Object.keys(laterViewModules)].map(folderIn).toSorted();
    expect(views).toEqual(foldersOf(kindsFolder));
    expect(new Set(views.map(viewOf)).size).toBe(views.length);
  });

  it('are the only code of the pages that names a field type', () => {
    const found = sourceFiles(pages, /\.tsx?$/)
      .filter((file) => !foldersOf(kindsFolder).some((folder) => file.startsWith(join(kindsFolder, folder) + sep)))
      .flatMap((file) =>
        codeLines(file).flatMap((line) => (isOf(file)(line) ? [`${relative(pages, file)}: ${line}`] : [])),
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
    'type === imageKind.type',
    "  lazyView('TIME', async () => (await further()).timeView),",
  ])('would be seen to be left by: %s', (line) => {
    expect(namesType(line)).toBe(true);
  });

  it.each(["import { timeKind } from './time';", "export { timeView } from './time/view';"])(
    'would be seen to be listed by: %s',
    (line) => {
      expect(importsKind(line)).toBe(true);
    },
  );

  it.each([
    "if (typeof value === 'string') return value;",
    "return typeof field.type === 'string';",
    "inputMode={kind === 'number' ? 'decimal' : undefined}",
    '/** A NUMBER is written as it is. */',
    "import { numberType } from '../../kinds/number';",
  ])('are not left by: %s', (line) => {
    expect(namesType(line)).toBe(false);
  });
});

function isOf(file: string): (line: string) => boolean {
  return dirname(file) === kindsFolder ? (line) => namesType(line) || importsKind(line) : namesType;
}

/** Whether a line names a field type, or compares a type with its lower case, which search fields have. */
function namesType(line: string): boolean {
  const name = types.join('|');
  // A mark of documents is named link, too.
  const compared = types.flatMap((type) => (type === 'LINK' ? [] : type.toLowerCase())).join('|');
  const expressions = [
    new RegExp(`["'\`](?:${name})["'\`]`),
    new RegExp(`^\\s*(?:${name})\\s*[:(]`),
    new RegExp(`[!=]== (?:${compared})Kind[.]type`),
    new RegExp(`(?<!typeof [\\w.?]*)type [!=]==? ["'\`](?:${compared})["'\`]`),
  ];
  return expressions.some((expression) => expression.test(line));
}

/** Beside the folders, two have a use: fields with options, and unknown types, which are shown as text. */
function importsKind(line: string): boolean {
  const folder = types.map((type) => type.toLowerCase()).join('|');
  return new RegExp(`["']\\./(?!(?:enum|string)/view')(?:${folder})(?:/|["'])`).test(line);
}

/** Of `./time/view.tsx`: `time`. */
function folderIn(file: string): string {
  return file.split('/')[1] ?? '';
}

function foldersOf(folder: string): readonly string[] {
  return readdirSync(folder, { withFileTypes: true })
    .flatMap((entry) => (entry.isDirectory() ? [entry.name] : []))
    .toSorted();
}
