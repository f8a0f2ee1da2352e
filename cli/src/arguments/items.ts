import { UsageError } from '../common/usage-error';
import { command, group } from './command';
import { flag, parseCount, parsePairs, phraseOf, word, words } from './options';
import { routeUsage } from './route-usage';

const format = {
  choices: routeUsage.export.values.format.choices,
  describe:
    'format of the file: a JSON object on each line, one JSON array, or CSV with a header; by default from the file name',
} as const;

const delimiter = { ...word('delimiter of a CSV file; "tab" for a tab character'), default: ',' } as const;

const importCommand = command({
  command: 'import <type> <file>',
  describe: 'Import a file completely, or write nothing and report every wrong line',
  builder: (parser) =>
    parser
      .positional('type', { type: 'string', demandOption: true, describe: 'type code, such as product' })
      .positional('file', { type: 'string', demandOption: true, describe: 'a file, or - for standard input' })
      .option('format', format)
      .option('map', words('read a field from a column (or key) of another name: "Title=title"'))
      .option('set', words('value that all items get: "catalog=spring"'))
      .option('ignore-unknown', flag('ignore columns that are not fields'))
      .option(
        'match',
        word('update items that have the same code (or other unique fields: a,b) instead of creating them'),
      )
      .option('dry-run', flag('check everything, write nothing'))
      .option('report', word('file to which all problems are written, a JSON object on each line'))
      .option('ids', flag('references are ids, not keys'))
      .option('keep-ids', flag('give new items the ids of the file; references are ids'))
      .option('delimiter', delimiter)
      .option('keep-empty', flag('in CSV, read two quotes as empty text and an empty cell as no value'))
      .option('safe-csv', flag('remove the apostrophes that an export with --safe-csv put before formulas'))
      .example('gantry items import product products.csv --set catalog=spring', '')
      .example('gantry items import article films.json --map Title=title --ignore-unknown --dry-run', ''),
  isRemote: true,
  async run(context, args) {
    const { importFile } = await import('../commands/items/items-import.js');
    return importFile(context, {
      ...args,
      file: args.file,
      format: args.format,
      report: args.report,
      map: parsePairs('map', args.map, true),
      set: parsePairs('set', args.set, false),
      match: args.match?.split(',').map((name) => name.trim()) ?? [],
      delimiter: delimiterOf(args.delimiter),
    });
  },
});

const exportCommand = command({
  command: 'export <type> [file]',
  describe: 'Export items to a file that can be imported unchanged, here or on another platform',
  builder: (parser) =>
    parser
      .positional('type', { type: 'string', demandOption: true, describe: 'type code, such as product' })
      .positional('file', { type: 'string', default: '-', describe: 'a file, or - for standard output' })
      .option('format', format)
      .option(
        'where',
        words(
          'export only items that meet the condition: "code=P-1", "price=MORE_THAN:10", "catalog.code=CONTAINS:oak"; or a group, as JSON: {"any":["code=P-1","code=P-2"]}',
        ),
      )
      .option(
        'ids',
        flag(
          'write items and references by id; such a file can be imported into this database, or into an empty one with --keep-ids',
        ),
      )
      .option('delimiter', delimiter)
      .option('keep-empty', flag('in CSV, write empty text as two quotes, to distinguish it from no value'))
      .option('safe-csv', flag('put an apostrophe before text that a spreadsheet would run as a formula'))
      .example('gantry items export product products.csv --where catalog=spring', ''),
  isRemote: true,
  async run(context, args) {
    const { exportToFile } = await import('../commands/items/items-export.js');
    return exportToFile(context, {
      ...args,
      file: args.file,
      format: args.format,
      where: args.where.map(parseWhere),
      delimiter: delimiterOf(args.delimiter),
    });
  },
});

const searching = routeUsage.platformSearch;

const searchCommand = command({
  command: 'search <text>',
  describe: 'Find items of all types of the running platform by id, code or label; the first five of each type',
  builder: (parser) =>
    parser
      .positional('text', { type: 'string', demandOption: true, describe: phraseOf(searching.values.q) })
      .example('gantry items search "red shoe"', ''),
  isRemote: true,
  async run(context, { text }) {
    const { searchItems } = await import('../commands/items/items-search.js');
    return searchItems(context, text);
  },
});

const typeOfItem = { type: 'string', demandOption: true, describe: 'type code, such as product' } as const;
const idOfItem = { type: 'string', demandOption: true, describe: 'id of the item' } as const;
const { limit: rows } = routeUsage.itemHistory.values;
const limit = { ...word(`rows at most, ${rows.min} to ${rows.max}`), default: String(rows.default) } as const;

const historyCommand = command({
  command: 'history <type> <id>',
  describe: 'List the versions of an item, also of a deleted one: who changed which fields',
  builder: (parser) => parser.positional('type', typeOfItem).positional('id', idOfItem).option('limit', limit),
  isRemote: true,
  async run(context, args) {
    const { showHistory } = await import('../commands/items/items-history.js');
    return showHistory(context, { ...args, limit: parseCount('limit', args.limit, rows.max) });
  },
});

const restoreCommand = command({
  command: 'restore <type> <id>',
  describe: 'Bring an item back to an earlier version, or a deleted item back with the same id',
  builder: (parser) =>
    parser
      // Here, it is that of the item.
      .version(false)
      .positional('type', typeOfItem)
      .positional('id', idOfItem)
      .option('version', word('version to restore; of a deleted item, its last one unless given'))
      .option('check', flag('show the changes, and the fields that cannot be restored, without a restore'))
      .option('without', words('leave a field as it is; may be given several times'))
      .option('values', word(`values in place of those of the version, as JSON: '{"owner":"Ann"}'`))
      .example('gantry items restore product 5 --version 3 --check', ''),
  isRemote: true,
  async run(context, { type, id, version, check, without, values }) {
    const { restoreItem } = await import('../commands/items/items-history.js');
    const wanted = version === undefined ? undefined : parseCount('version', version, 2_147_483_647);
    return restoreItem(context, { type, id, version: wanted, check, without, values: parseValues(values) });
  },
});

/** @throws UsageError */
function parseValues(text: string | undefined): Readonly<Record<string, unknown>> {
  if (text === undefined) return {};
  try {
    const values: unknown = JSON.parse(text);
    if (typeof values === 'object' && values !== null && !Array.isArray(values)) return { ...values };
  } catch {
    // The same message.
  }
  throw new UsageError(`--values must be a JSON object of values by field, such as '{"owner":"Ann"}'.`);
}

const deletedCommand = command({
  command: 'deleted <type>',
  describe: 'List the deleted items of a type, the latest first',
  builder: (parser) => parser.positional('type', typeOfItem).option('limit', limit),
  isRemote: true,
  async run(context, args) {
    const { listDeleted } = await import('../commands/items/items-history.js');
    return listDeleted(context, args.type, parseCount('limit', args.limit, rows.max));
  },
});

const deleteCommand = command({
  command: 'delete <type> <id>',
  describe: 'Delete an item; asks before items that refer to it are deleted or changed with it',
  builder: (parser) =>
    parser
      .positional('type', typeOfItem)
      .positional('id', idOfItem)
      .option(
        'confirm',
        word('confirm the effects on other items, as the refusal names them; "all" confirms any effect'),
      )
      .example('gantry items delete catalog 5 --confirm product.delete=12', ''),
  isRemote: true,
  async run(context, { type, id, confirm }) {
    const { deleteItem } = await import('../commands/items/items-delete.js');
    return deleteItem(context, { type, id, confirm });
  },
});

/** `gantry items …` */
export const itemsCommand = group('items', 'Import, export, search, delete and restore items', [
  importCommand,
  exportCommand,
  searchCommand,
  historyCommand,
  deleteCommand,
  restoreCommand,
  deletedCommand,
]);

const operators = [
  ...(['EQUALS', 'CONTAINS', 'MORE_THAN', 'LESS_THAN'] as const),
  ...(['NOT_EQUALS', 'IN', 'EMPTY', 'STARTS_WITH', 'BETWEEN', 'BEFORE', 'AFTER'] as const),
];

type Where =
  | ReturnType<typeof parseCondition>
  | { readonly any: readonly Where[] }
  | { readonly all: readonly Where[] };

/** A condition, or a group of them: `{"any":["code=A","price=MORE_THAN:10"]}`, whose members may be groups again. */
function parseWhere(text: string): Where {
  if (!text.trimStart().startsWith('{')) return parseCondition(text);
  try {
    return groupOf(JSON.parse(text));
  } catch (error) {
    if (error instanceof UsageError) throw error;
    throw notGroup(text);
  }
}

function groupOf(value: unknown): Where {
  const entries = typeof value === 'object' && value !== null ? Object.entries(value) : [];
  const [[name, members] = []] = entries;
  if (entries.length !== 1 || (name !== 'any' && name !== 'all') || !Array.isArray(members)) {
    throw notGroup(JSON.stringify(value));
  }
  const read = members.map((member: unknown) =>
    typeof member === 'string' ? parseCondition(member) : groupOf(member),
  );
  return name === 'any' ? { any: read } : { all: read };
}

function notGroup(text: string): UsageError {
  return new UsageError(
    `--where "${text}" is no group of conditions, such as {"any":["code=A","price=MORE_THAN:10"]}.`,
  );
}

/** `field=value` or `field=OPERATOR:value`. */
function parseCondition(text: string) {
  const [, field, rest] = /^([^=]+)=([^]*)$/.exec(text) ?? [];
  if (field === undefined || rest === undefined) {
    throw new UsageError(`--where "${text}" is not of the form <field>=<value> or <field>=<operator>:<value>.`);
  }
  const operator = operators.find((known) => rest.startsWith(`${known}:`));
  return operator === undefined
    ? ({ field, operator: 'EQUALS', value: rest } as const)
    : { field, operator, value: rest.slice(operator.length + 1) };
}

function delimiterOf(text: string | undefined): string {
  const delimiterText = text === 'tab' ? '\t' : (text ?? ',');
  if (delimiterText.length === 1 && !/["\r\n]/.test(delimiterText)) return delimiterText;
  throw new UsageError('--delimiter must be one character, or "tab".');
}
