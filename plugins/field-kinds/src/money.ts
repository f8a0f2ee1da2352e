import {
  accepted,
  commonOperators,
  defineFieldKind,
  exactNumberText,
  refused,
  type ParsedValue,
} from '@gantry/plugin-api';
import { exactNumber, isSameJson } from './json-text';

/** An amount with all its digits, and the code of its currency. */
export interface Money {
  readonly amount: number | string;
  readonly currency: string;
}

const wrong = refused('WRONG_TYPE', 'must be an amount with its currency, such as {"amount":24.90,"currency":"EUR"}');

/** The currencies of ISO 4217 that the platform's Node.js knows. */
const currencies: ReadonlySet<string> = new Set(Intl.supportedValuesOf('currency'));

/**
 * An amount of money, exact, with the code of its currency (ISO 4217). Stored as an array of currency and amount, by which PostgreSQL
 * sorts: by currency, then by amount.
 */
export const moneyKind = defineFieldKind({
  name: 'Money',
  column: 'JSONB',
  clientType: '{ readonly amount: number; readonly currency: string }',
  rowType: 'object',
  unordered: false,
  index: 'order',
  operators: commonOperators,
  parse: readMoney,
  isSame: isSameJson,
  fromHistory: fromStored,
  // In criteria and files: 24.90 EUR.
  convert: (text) => readText(text),
  // A column of an earlier kind may have other JSON.
  json: (column) =>
    `CASE WHEN jsonb_typeof(${column} -> 1) = 'number' AND ${column} ->> 0 ~ '^[A-Z]{3}$' THEN '{"amount":' || (${column} ->> 1) || ',"currency":"' || (${column} ->> 0) || '"}' END`,
  fromCell: (text) => fromText(text) ?? text,
  toCell: (text) => {
    const parts = partsOf(text);
    return parts === undefined ? text : `${parts.amount} ${parts.currency}`;
  },
  toFileJson: (text) => {
    const parts = partsOf(text);
    return parts === undefined ? text : `{"amount":${parts.amount},"currency":"${parts.currency}"}`;
  },
  jsonSchema: () => ({
    type: 'object',
    required: ['amount', 'currency'],
    additionalProperties: false,
    properties: { amount: { type: 'number' }, currency: { type: 'string', pattern: '^[A-Z]{3}$' } },
  }),
  describe: () => ['An exact amount with the code of its currency (ISO 4217).'],
  example: ({ required }) => (required ? { amount: 24.9, currency: 'EUR' } : undefined),
});

function readMoney(value: unknown): ParsedValue<string> {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return wrong;
  const { amount, currency, ...others } = value as Readonly<Record<string, unknown>>;
  const digits = exactNumberText(amount);
  if (digits === undefined || typeof currency !== 'string' || Object.keys(others).length > 0) return wrong;
  return moneyOf(digits, currency);
}

function moneyOf(amount: string, currency: string): ParsedValue<string> {
  // As JSON has it, which PostgreSQL reads: a zero at the beginning stands alone.
  if (!/^-?(?:0|[1-9]\d{0,14})(?:\.\d{1,4})?$/.test(amount)) {
    return refused(
      'OUT_OF_RANGE',
      'must have an amount of at most 15 digits before and 4 digits after the point, without zeros before them',
    );
  }
  if (!currencies.has(currency)) {
    return refused(
      'NOT_AN_OPTION',
      `must have the code of a currency (ISO 4217), such as EUR; "${currency.slice(0, 20)}" is none`,
    );
  }
  return accepted(`["${currency}",${amount}]`);
}

function readText(text: string): ParsedValue<string> {
  const [amount = '', currency = '', ...others] = text.trim().split(/\s+/);
  return others.length > 0 ? wrong : moneyOf(amount, currency);
}

/** With the amount as an object that keeps its digits, as payloads have it. */
function fromText(text: string): unknown {
  const [, amount, currency] = /^\s*(-?[\d.]+)\s+([A-Z]{3})\s*$/.exec(text) ?? [];
  return amount === undefined ? undefined : { amount: exactNumber(amount), currency };
}

/** Undefined for other JSON, as a column of an earlier kind may have. */
function partsOf(text: string): { readonly amount: string; readonly currency: string } | undefined {
  const [, currency, amount] = /^\["([A-Z]{3})",\s*(-?[\d.]+)\]$/.exec(text) ?? [];
  return amount === undefined || currency === undefined ? undefined : { amount, currency };
}

/** Of the history, whose numbers keep their digits. */
function fromStored(value: unknown): unknown {
  return Array.isArray(value) ? { amount: value[1] as unknown, currency: value[0] as unknown } : value;
}
