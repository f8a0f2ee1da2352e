import type { FieldKind, KindField, KindOperator, ParsedValue } from './field-kind';
import { accepted, refused } from './parsed-value';

/** Values of a list in one criterion at most. */
const maxListed = 1_000;

/** Not the value; also met by items without a value. */
const notEquals: KindOperator = {
  bind(text, field, kind) {
    // As EQUALS has it: a blank at the end must not make it find what it leaves out.
    const converted = kind.convert(field.trim === true ? text.trim() : text, field);
    if (!converted.ok) return converted;
    const { value } = converted;
    return accepted({
      value,
      isNegated: true,
      condition: (column, parameter) => `${column} = ${kind.cast(parameter, field)}`,
    });
  },
};

/** One of the values of a JSON array. */
const isIn: KindOperator = {
  bind(text, field, kind) {
    const listed = convertList(text, field, kind);
    if (!listed.ok) return listed;
    return accepted({
      value: arrayText(listed.value),
      condition: (column, parameter) =>
        `${column} = ANY (ARRAY(SELECT ${kind.cast('x', field)} FROM unnest(${parameter}::text[]) x))`,
    });
  },
};

/** Whether there is a value: `true` for items without one. Blank text counts as no value. */
const isEmpty: KindOperator = {
  bind(text, field, kind) {
    const word = text.trim().toLowerCase();
    if (word !== 'true' && word !== 'false') return refused('WRONG_TYPE', 'must be true or false');
    const isWanted = word === 'true';
    if (field.column === '') {
      return accepted({ condition: () => 'true', variant: word, ...(isWanted ? { isNegated: true } : {}) });
    }
    const none = (column: string): string =>
      kind.isText ? `(${column} IS NULL OR ${column} = '')` : `${column} IS NULL`;
    const some = (column: string): string => (kind.isText ? `${column} <> ''` : `${column} IS NOT NULL`);
    return accepted({ condition: isWanted ? none : some, variant: word });
  },
};

/**
 * The operator EMPTY of a kind with values that count as none, such as a list without entries.
 * @param none SQL condition on the column that holds for an item without a value, never unknown
 * @public
 */
export function emptyWhere(none: (column: string) => string): KindOperator {
  return {
    bind(text, field, kind) {
      const read = isEmpty.bind(text, field, kind);
      if (!read.ok) return read;
      const isWanted = read.value.variant === 'true';
      return accepted({
        ...read.value,
        condition: (column: string) => (isWanted ? none(column) : `NOT ${none(column)}`),
      });
    },
  };
}

/** A text of which no character has a meaning in a pattern of LIKE. @public */
export function escapePattern(text: string): string {
  return text.replaceAll(/[\\%_]/g, String.raw`\$&`);
}

/** From the first to the second value of a JSON array, both included. */
const between: KindOperator = {
  bind(text, field, kind) {
    const listed = convertList(text, field, kind);
    if (!listed.ok) return listed;
    if (listed.value.length !== 2) {
      return refused('WRONG_TYPE', 'must be a JSON array of two values, such as ["1","9"]');
    }
    return accepted({
      value: arrayText(listed.value),
      condition: (column, parameter) => {
        const bound = (index: number): string => kind.cast(`((${parameter}::text[])[${index}])`, field);
        return `${column} BETWEEN ${bound(1)} AND ${bound(2)}`;
      },
    });
  },
};

/** Begins with the text, whatever its case. */
const startsWith: KindOperator = {
  bind(text, field, kind) {
    const converted = kind.convert(text, field);
    if (!converted.ok) return converted;
    return accepted({
      value: `${escapePattern(String(converted.value))}%`,
      condition: (column, parameter) => `${column} ILIKE ${parameter}`,
    });
  },
};

/** The operators that every kind can have. @public */
export const commonOperators: Readonly<Record<string, KindOperator>> = {
  NOT_EQUALS: notEquals,
  IN: isIn,
  EMPTY: isEmpty,
};

/** Those of kinds whose values have an order. @public */
export const orderedOperators: Readonly<Record<string, KindOperator>> = { ...commonOperators, BETWEEN: between };

/** Those of kinds of text. @public */
export const textOperators: Readonly<Record<string, KindOperator>> = {
  ...orderedOperators,
  STARTS_WITH: startsWith,
};

/**
 * The texts of a JSON array of texts, numbers and booleans.
 * @returns a problem for anything else, and for numbers that JavaScript would round
 * @public
 */
export function readTextList(text: string): ParsedValue<readonly string[]> {
  const values = parseArray(text);
  if (values === undefined) return refused('WRONG_TYPE', 'must be a JSON array of values, such as ["A","B"]');
  if (values.length === 0) return refused('TOO_FEW', 'must list one value or more, such as ["A","B"]');
  if (values.length > maxListed) return refused('TOO_MANY', `must list at most ${maxListed} values`);
  const texts: string[] = [];
  for (const value of values) {
    const isText = typeof value === 'string' || typeof value === 'boolean' || typeof value === 'number';
    const one = isText ? String(value) : undefined;
    if (one === undefined || (typeof value === 'number' && one.replaceAll(/\D/g, '').length > 15)) {
      return refused(
        'WRONG_TYPE',
        'must be a JSON array of texts; write long numbers as text, such as ["12345678901234567"]',
      );
    }
    texts.push(one);
  }
  return accepted(texts);
}

function parseArray(text: string): readonly unknown[] | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return Array.isArray(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

function convertList(text: string, field: KindField, kind: FieldKind): ParsedValue<readonly string[]> {
  const listed = readTextList(text);
  if (!listed.ok) return listed;
  const converted: string[] = [];
  for (const one of listed.value) {
    const value = kind.convert(field.trim === true ? one.trim() : one, field);
    if (!value.ok) return refused(value.code, `has ${JSON.stringify(one.slice(0, 100))}, which ${value.message}`);
    converted.push(String(value.value));
  }
  return accepted(converted);
}

/** The text of a PostgreSQL array of texts. @public */
export function arrayText(values: readonly string[]): string {
  return `{${values.map((value) => `"${value.replaceAll(/["\\]/g, String.raw`\$&`)}"`).join(',')}}`;
}
