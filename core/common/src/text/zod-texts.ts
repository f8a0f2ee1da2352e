import type { z } from 'zod';

type RawIssue = z.core.$ZodRawIssue;

/**
 * The messages of zod about values of requests, as the `error` of a parse: they name the expected value. The message of a schema itself
 * comes first.
 */
export function expectation(issue: RawIssue): string {
  switch (issue.code) {
    case 'invalid_type':
      return issue.input === undefined ? `is required: ${ofType(issue.expected)}` : `must be ${ofType(issue.expected)}`;
    case 'too_small':
      return limit(issue, issue.minimum, issue.inclusive === false ? 'more than' : 'at least');
    case 'too_big':
      return limit(issue, issue.maximum, issue.inclusive === false ? 'less than' : 'at most');
    case 'invalid_format':
      return `must be ${formats[issue.format] ?? 'a text of the expected format'}`;
    case 'not_multiple_of':
      return `must be a multiple of ${issue.divisor}`;
    case 'invalid_value':
      return `must be ${oneOf(issue.values)}`;
    case 'unrecognized_keys':
      return `must not have the members ${issue.keys.join(', ')}`;
    case 'invalid_key':
      return nested('must have another name', issue.issues);
    case 'invalid_element':
      return nested('has an entry that is not valid', issue.issues);
    case 'invalid_union':
      return ofUnion(issue);
    default:
      return 'is not valid';
  }
}

const types: Readonly<Record<string, string>> = {
  ...{
    string: 'a text',
    number: 'a number',
    int: 'a whole number',
    bigint: 'a whole number',
    boolean: 'true or false',
  },
  ...{ array: 'a list', tuple: 'a list', set: 'a list', object: 'an object', record: 'an object', map: 'an object' },
  ...{ null: 'null', date: 'a date', nan: 'not a number', never: 'left out', undefined: 'left out', void: 'left out' },
};

function ofType(expected: string): string {
  return types[expected] ?? 'a value of the expected type';
}

const formats: Readonly<Record<string, string>> = {
  datetime: 'a time such as 2030-01-31T00:00:00Z',
  date: 'a date such as 2030-01-31',
  time: 'a time of day such as 23:59:00',
  duration: 'a duration such as P1DT2H',
  email: 'an email address',
  url: 'an address such as https://shop.example/',
  uuid: 'a UUID',
  guid: 'a UUID',
  base64: 'base64 text',
  base64url: 'base64url text',
  ipv4: 'an IPv4 address',
  ipv6: 'an IPv6 address',
  json_string: 'JSON text',
};

const units: Readonly<Record<string, string>> = {
  string: 'characters',
  array: 'entries',
  set: 'entries',
  file: 'bytes',
};

/** Of limits that are no numbers for people. */
const texts: Readonly<Record<string, (value: number | bigint) => string>> = { date: dateText };

type Limit = Extract<RawIssue, { readonly code: 'too_small' | 'too_big' }>;

function limit({ origin, exact }: Limit, value: number | bigint, comparison: string): string {
  const unit = units[origin];
  const amount = `${exact === true ? 'exactly' : comparison} ${(texts[origin] ?? String)(value)}`;
  return unit === undefined ? `must be ${amount}` : `must have ${amount} ${unit}`;
}

function dateText(value: number | bigint): string {
  return new Date(Number(value)).toISOString();
}

function oneOf(values: readonly unknown[]): string {
  const all = values.map(String);
  return all.length === 1 ? all.join('') : `one of: ${all.join(', ')}`;
}

function nested(text: string, issues: readonly { readonly message: string }[]): string {
  const reasons = issues.map(({ message }) => message).filter((message) => message !== '');
  return reasons.length === 0 ? text : `${text}: it ${reasons.join(', ')}`;
}

function ofUnion(issue: Extract<RawIssue, { readonly code: 'invalid_union' }>): string {
  const { discriminator, options } = issue as {
    readonly discriminator?: string;
    readonly options?: readonly unknown[];
  };
  if (discriminator !== undefined && options !== undefined) return `must be ${oneOf(options)}`;
  return 'must be one of the forms that the documentation has';
}
