import { describeError } from '@gantry/core-common';
import type {
  BoundOperand,
  DefinedFieldKind,
  KindDerivation,
  KindLinks,
  KindOperator,
  ParsedValue,
  StoredValue,
} from '@gantry/plugin-api';
import { refused, type FieldKind, type Refused } from './field-kind';
import type { FieldType } from './field-type';
import { compileLinks, linkProblems } from './links';
import { plainFieldType } from './plain-column';

/** The field type of a kind that a plugin brings. Its code may throw or give anything; then a value is refused. */
export function pluginFieldType(plugin: string, defined: DefinedFieldKind): FieldType {
  const kind = guarded(defined.of(plugin));
  const own = bareType(defined.column);
  const type = plainFieldType(
    {
      name: kind.type,
      options: [...defined.options, 'settings'],
      fitsDefault: () => true,
      problems: (options) => [...settingsProblems(defined, options.settings ?? {}), ...linkProblems(options)],
    },
    {
      usual: () => defined.column,
      holds: (columnType) => bareType(columnType) === own,
      kindOf: (columnType, { options }) => {
        const maxLength = options.maxLength ?? (kind.isText ? lengthOf(columnType) : undefined);
        return { kind, ...(maxLength === undefined ? {} : { maxLength }) };
      },
    },
  );
  return {
    ...type,
    compile: (declaration, report) => ({
      ...type.compile(declaration, report),
      ...compileLinks(declaration, report),
    }),
  };
}

function bareType(columnType: string): string {
  return columnType
    .replace(/\(.*\)$/, '')
    .trim()
    .toLowerCase();
}

/** Characters that a column of text has at most; short texts have an index for their order. */
function lengthOf(columnType: string): number | undefined {
  const length = /^(?:varchar|character varying|char|character)\((\d+)\)$/i.exec(columnType)?.[1];
  return length === undefined ? undefined : Number(length);
}

function settingsProblems(defined: DefinedFieldKind, settings: Readonly<Record<string, unknown>>): readonly string[] {
  try {
    const problems: unknown = defined.checkSettings(settings);
    return Array.isArray(problems) ? problems.map(String) : ['has settings that its field kind cannot check'];
  } catch (error) {
    return [`has settings that its field kind cannot check: ${describeError(error)}`];
  }
}

function guarded(kind: FieldKind): FieldKind {
  const read = <T>(work: () => ParsedValue<T>): ParsedValue<T> => {
    try {
      const result: unknown = work();
      return isParsed<T>(result) ? result : failed(kind, 'it returned no result');
    } catch (error) {
      return failed(kind, describeError(error));
    }
  };
  return Object.freeze<FieldKind>({
    ...kind,
    parse: (value, field) => read(() => kind.parse(value, field)),
    convert: (text, field) => read(() => kind.convert(text, field)),
    operators: Object.fromEntries(
      Object.entries(kind.operators).map(([name, operator]): [string, KindOperator] => [
        name,
        { bind: (text, field, owner) => read(() => tried(operator.bind(text, field, owner))) },
      ]),
    ),
    derivation: kind.derivation && guardedDerivation(kind, kind.derivation),
    links: kind.links && guardedLinks(kind.links),
    isSame: (sent, stored) => orElse(false, () => kind.isSame(sent, stored)),
    fromCell: orGiven(kind.fromCell.bind(kind)),
    fromFileJson: orGiven(kind.fromFileJson.bind(kind)),
    fromModel: orGiven(kind.fromModel.bind(kind)),
    fromHistory: orGiven(kind.fromHistory.bind(kind)),
    toModel: orGiven(kind.toModel.bind(kind)),
    toCell: (text) => orElse(text, () => kind.toCell(text)),
    toFileJson: (text) => orElse(JSON.stringify(text), () => kind.toFileJson(text)),
    jsonSchema: (field) => orElse({}, () => kind.jsonSchema(field)),
    rowSchema: (field) => orElse({}, () => kind.rowSchema(field)),
    formMembers: (field) => orElse({}, () => kind.formMembers(field)),
    searchMembers: (field) => orElse({}, () => kind.searchMembers(field)),
    describe: (field) => orElse([], () => kind.describe(field)),
    example: (field) => orElse(undefined, () => kind.example(field)),
  });
}

function guardedDerivation(kind: FieldKind, derivation: KindDerivation): KindDerivation {
  const { alternative } = derivation;
  return {
    from(field) {
      const names: unknown = orElse<unknown>([], () => derivation.from(field));
      return Array.isArray(names) ? names.filter((name) => typeof name === 'string') : [];
    },
    derive(values, field) {
      try {
        const result: unknown = derivation.derive(values, field);
        return result === undefined || isParsed<StoredValue>(result) ? result : failed(kind, 'it returned no result');
      } catch (error) {
        return failed(kind, describeError(error));
      }
    },
    ...(alternative === undefined
      ? {}
      : {
          alternative: (value, number, field) =>
            orElse(value, () => alternative.call(derivation, value, number, field)),
        }),
  };
}

/** Links of a value that the kind cannot read stay in PostgreSQL, where they protect the items. */
function guardedLinks(links: KindLinks): KindLinks {
  return {
    sql: (column) => links.sql(column),
    find: (value, field) => orElse([], () => [...links.find(value, field)]),
    map: (value, replace) => orElse(value, () => links.map(value, replace)),
  };
}

/** The condition of an operator is made when nothing can be refused any more. */
function tried(result: ParsedValue<BoundOperand>): ParsedValue<BoundOperand> {
  if (isParsed<BoundOperand>(result) && result.ok) result.value.condition('t.value', '$1');
  return result;
}

function orElse<T>(other: T, work: () => T): T {
  try {
    return work();
  } catch {
    return other;
  }
}

/** A value that cannot be converted is left as it is, for the kind to refuse. */
function orGiven<T>(convert: (value: T) => unknown): (value: T) => unknown {
  return (value) => orElse<unknown>(value, () => convert(value));
}

function isParsed<T>(result: unknown): result is ParsedValue<T> {
  if (typeof result !== 'object' || result === null || !('ok' in result)) return false;
  return result.ok === true ? 'value' in result : isRefused(result);
}

function isRefused(result: object): boolean {
  if (!('message' in result) || typeof result.message !== 'string') return false;
  if (!('problems' in result) || result.problems === undefined) return true;
  const problems: unknown = result.problems;
  return Array.isArray(problems) && problems.length > 0 && problems.every(isProblem);
}

function isProblem(problem: unknown): boolean {
  if (typeof problem !== 'object' || problem === null) return false;
  const { path, code, message } = problem as Readonly<Record<string, unknown>>;
  return [path, code, message].every((text) => typeof text === 'string');
}

function failed({ name }: FieldKind, problem: string): Refused {
  return refused(
    'WRONG_TYPE',
    `cannot be read: the field kind ${name} failed (${problem}). Ask the maintainer of the plugin`,
  );
}
