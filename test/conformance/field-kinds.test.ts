import { randomInt } from 'node:crypto';
import { join } from 'node:path';
import { testFieldKind, type FieldKindTestOptions } from '@gantry/plugin-api/testing';

const project = join(__dirname, '../..');
const degrees = (limit: number): number => randomInt(-limit * 1_000_000, limit * 1_000_000 + 1) / 1_000_000;
const point = (value: unknown) => value as { readonly lat: number; readonly lng: number };

/** Every third value is one of these in turn; the others are random. */
function withEdges(edges: readonly unknown[], random: () => unknown): () => unknown {
  let number = 0;
  return () => {
    number += 1;
    return number % 3 === 1 ? edges[Math.floor(number / 3) % edges.length] : random();
  };
}

/** Any instant of the years 1 to 9999, to the millisecond. */
function instant(): Date {
  const [first, last] = [Date.parse('0001-01-01T00:00:00Z'), Date.parse('9999-12-31T23:59:59.999Z')];
  return new Date(Math.floor(first + Math.random() * (last - first)));
}

/** As rows have it: without zeros at the end of the fraction. */
const shown = (text: string): string => text.replace(/\.?0*Z$/, '');
const options = ['A', 'B|C', '[D]', 'É'];

const kinds: readonly Omit<FieldKindTestOptions, 'project'>[] = [
  {
    kind: 'geo.Point',
    value: withEdges(
      [
        { lat: 90, lng: 180 },
        { lat: -90, lng: -180 },
        { lat: 0, lng: 0 },
      ],
      () => ({ lat: degrees(90), lng: degrees(180) }),
    ),
    refused: [
      ...[{ lat: 91, lng: 0 }, { lat: 0, lng: -180.5 }, { lat: 1 }, { lat: '1', lng: 1 }],
      ...[[1, 2], '1,2', { lat: 1, lng: 1, x: 1 }],
    ],
    text: (value) => `${point(value).lat},${point(value).lng}`,
  },
  {
    kind: 'DATE',
    value: withEdges(['0001-01-01', '9999-12-31', '2024-02-29'], () => instant().toISOString().slice(0, 10)),
    refused: ['2026-02-30', '10000-01-01', 7, [], {}],
  },
  {
    kind: 'DATETIME',
    value: withEdges(
      ['0001-01-01T00:00:00+00:00', '9999-12-31T23:59:59.999+00:00'],
      () => `${shown(instant().toISOString())}+00:00`,
    ),
    refused: ['2026-03-01', '2026-03-01T24:00:00Z', '2026-03-01T10:00:00', 7, [], {}],
  },
  {
    kind: 'TIME',
    value: withEdges(['00:00:00', '23:59:59.999'], () => shown(instant().toISOString().slice(11))),
    refused: ['24:00', '9:30', '09:30Z', 7, [], {}],
  },
  { kind: 'ENUM', field: { options }, value: () => options[randomInt(options.length)], refused: ['X', 'a', 7, ['A']] },
  {
    kind: 'ENUM',
    field: { options, cardinality: 'MULTIPLE' },
    value: () => options.filter((_option, index) => index === 0 || randomInt(2) === 0).toReversed(),
    refused: ['A', ['X'], ['A', 'A'], [7], {}],
    // Criteria name one of the options.
    text: (value) => (value as readonly string[])[0] ?? '',
  },
];

describe('the field kinds of the platform and of the sample geo', () => {
  // Services, and Temporal with them, are no part of it.
  beforeAll(() => {
    process.env['GANTRY_PLUGIN_PATH'] = 'plugins';
  });

  it('keep to the contract', async () => {
    const results = await testFieldKind(
      join(project, 'test/samples/geo'),
      kinds.map((kind) => ({ ...kind, project, count: 6 })),
    );
    expect(results.filter(({ outcome }) => outcome === 'failed')).toEqual([]);
    expect(results).toHaveLength(11 * kinds.length);
  });
});
