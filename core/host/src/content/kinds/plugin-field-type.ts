import { describeError } from '@gantry/core-common';
import type { DefinedFieldKind, KindOperator, ParsedValue } from '@gantry/plugin-api';
import { refused, type FieldKind, type Refused } from './field-kind';
import type { FieldType } from './field-type';
import { plainFieldType } from './plain-column';

/** The field type of a kind that a plugin brings. Its code may throw or give anything; then a value is refused. */
export function pluginFieldType(plugin: string, defined: DefinedFieldKind): FieldType {
  const kind = guarded(defined.of(plugin));
  const own = bareType(defined.column);
  return plainFieldType(
    {
      name: kind.type,
      options: [...defined.options, 'settings'],
      fitsDefault: () => true,
      problems: ({ settings = {} }) => settingsProblems(defined, settings),
    },
    {
      usual: () => defined.column,
      holds: (columnType) => bareType(columnType) === own,
      kindOf: (_columnType, { options: { maxLength } }) => ({
        kind,
        ...(maxLength === undefined ? {} : { maxLength }),
      }),
    },
  );
}

function bareType(columnType: string): string {
  return columnType
    .replace(/\(.*\)$/, '')
    .trim()
    .toLowerCase();
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
      return isParsed<T>(result) ? result : failed(kind, 'it gave no result');
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
        { bind: (text, field, owner) => read(() => operator.bind(text, field, owner)) },
      ]),
    ),
    isSame(sent, stored) {
      try {
        return kind.isSame(sent, stored);
      } catch {
        return false;
      }
    },
    fromCell: orGiven(kind.fromCell.bind(kind)),
    fromFileJson: orGiven(kind.fromFileJson.bind(kind)),
    fromModel: orGiven(kind.fromModel.bind(kind)),
    fromHistory: orGiven(kind.fromHistory.bind(kind)),
  });
}

/** What cannot be brought into another form is left to the kind to refuse. */
function orGiven<T>(convert: (value: T) => unknown): (value: T) => unknown {
  return (value) => {
    try {
      return convert(value);
    } catch {
      return value;
    }
  };
}

function isParsed<T>(result: unknown): result is ParsedValue<T> {
  if (typeof result !== 'object' || result === null || !('ok' in result)) return false;
  return result.ok === true ? 'value' in result : 'message' in result && typeof result.message === 'string';
}

function failed({ name }: FieldKind, problem: string): Refused {
  return refused(
    'WRONG_TYPE',
    `cannot be read: the field kind ${name} failed (${problem}). Ask who maintains the plugin`,
  );
}
