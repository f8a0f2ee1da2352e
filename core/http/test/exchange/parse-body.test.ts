import { isGantryError } from '@gantry/plugin-api';
import { z } from 'zod';
import { parseBody } from '../../src/exchange/input/parse-body';

type Case = readonly [schema: z.ZodType, value: unknown];

/** Values that schemas refuse, for each code of an issue that zod has. */
const cases: Readonly<Record<z.core.$ZodIssue['code'], readonly Case[]>> = {
  invalid_type: [
    ...[z.string(), z.number(), z.int(), z.boolean(), z.null(), z.never()].map((schema): Case => [schema, ['x']]),
    ...[z.array(z.string()), z.strictObject({}), z.record(z.string(), z.string())].map((schema): Case => [schema, 1]),
    [z.string(), undefined],
    [z.tuple([z.string()]), 1],
    [z.symbol(), 1],
  ],
  too_small: [
    [z.array(z.string()).min(1), []],
    [z.string().min(2), 'x'],
    [z.string().length(2), 'x'],
    [z.number().min(1), 0],
    [z.number().gt(1), 1],
    [z.date().min(new Date(1000)), new Date(0)],
  ],
  too_big: [
    [z.array(z.string()).max(0), ['x']],
    [z.string().max(1), 'xx'],
    [z.number().max(1), 2],
    [z.number().lt(1), 1],
    [z.date().max(new Date(0)), new Date(1000)],
  ],
  invalid_format: [
    ...[z.email(), z.url(), z.uuid(), z.ipv4(), z.ipv6(), z.base64(), z.base64url(), z.jwt(), z.emoji()],
    ...[z.iso.datetime(), z.iso.date(), z.iso.time(), z.iso.duration(), z.cidrv4(), z.e164()],
    ...[z.string().regex(/^a/), z.string().startsWith('a'), z.string().endsWith('a'), z.string().includes('a')],
  ].map((schema): Case => [schema, '!']),
  not_multiple_of: [[z.number().multipleOf(5), 3]],
  invalid_value: [
    [z.enum(['a', 'b']), 'c'],
    [z.literal('a'), undefined],
  ],
  unrecognized_keys: [[z.strictObject({}), { more: 1 }]],
  invalid_key: [[z.record(z.string().regex(/^a/), z.string()), { Host: 'x' }]],
  invalid_element: [[z.map(z.string(), z.number()), new Map([['a', 'x']])]],
  invalid_union: [
    [z.union([z.string(), z.number()]), true],
    [
      z.discriminatedUnion('kind', [
        z.strictObject({ kind: z.literal('a') }),
        z.strictObject({ kind: z.literal('b') }),
      ]),
      {},
    ],
    [z.xor([z.string(), z.string()]), 'x'],
  ],
  custom: [[z.string().refine(() => false), 'x']],
};

function refusalOf(schema: z.ZodType, value: unknown) {
  try {
    parseBody(z.object({ part: schema }), { part: value });
  } catch (error) {
    if (isGantryError(error)) return error;
    throw error;
  }
  return undefined;
}

describe('parseBody', () => {
  it.each(Object.entries(cases).flatMap(([code, all]) => all.map(([schema, value]) => [code, schema, value] as const)))(
    'says in its own words what %s expects',
    (_code, schema, value) => {
      const native = schema.safeParse(value).error?.issues.map(({ message }) => message) ?? [];
      const { code, details = [] } = refusalOf(schema, value) ?? {};

      expect(native).not.toEqual([]);
      expect(code).toBe('VALIDATION_FAILED');
      expect(details.length).toBeGreaterThan(0);
      for (const { path, message } of details) {
        expect(path).toMatch(/^part/);
        for (const text of native) expect(message).not.toContain(text);
        expect(message).not.toMatch(/Invalid|Too (?:small|big)|expected \w+, received|undefined/);
      }
    },
  );

  it.each([
    [z.array(z.string()).min(1), [], 'TOO_FEW'],
    [z.array(z.string()).max(0), ['x'], 'TOO_MANY'],
    [z.string().max(1), 'xx', 'TOO_LONG'],
    [z.string(), 1, 'WRONG_TYPE'],
    [z.iso.datetime(), 'x', 'PATTERN'],
  ])('has the code for the part: %#', (schema, value, code) => {
    expect(refusalOf(schema, value)?.details).toEqual([expect.objectContaining({ path: 'part', code })]);
  });

  it('leaves what a schema says itself', () => {
    const schema = z.string().regex(/^a/, { error: 'must begin with a' });

    expect(refusalOf(schema, 'b')?.details?.[0]?.message).toContain('must begin with a');
  });
});
