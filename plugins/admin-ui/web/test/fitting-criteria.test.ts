import type { ItemMetadata } from '@gantry/contracts';
import { ApiError } from '../src/api/api-error';
import { currentCriteria, withoutRefused } from '../src/content/list/filter/fitting-criteria';

const metadata = {
  searchable: [
    { name: 'day', displayName: 'Day', type: 'date' },
    { name: 'code', displayName: 'Code', type: 'string' },
  ],
} as unknown as ItemMetadata;
const by = (field: string, operator: string, value: string) => ({ field, operator, value });
const between = (first: string, last: string) => by('day', 'BETWEEN', JSON.stringify([first, last]));

/** Every day of a few years, as the text that such a field had. */
const days = Array.from({ length: 3_000 }, (_day, index) =>
  new Date(Date.UTC(2023, 0, 1 + index)).toISOString().slice(0, 10),
);

describe('criteria on the text of days', () => {
  it.each(['2024-', '2026-0', '2026-1', '2026-02-', '2024-02-2', '2026-03-1', '2026-03-0', '2026-03-3', '2026-04-3'])(
    'that has %s are those on exactly these days',
    (part) => {
      const [entry] = currentCriteria(metadata, [by('day', 'CONTAINS', part)]);
      const [first, last] = JSON.parse((entry as { value: string }).value) as readonly [string, string];
      expect(days.filter((day) => day >= first && day <= last)).toEqual(days.filter((day) => day.includes(part)));
    },
  );

  it.each([
    [by('day', 'LESS_THAN', '2026'), by('day', 'BEFORE', '2026-01-01')],
    [by('day', 'MORE_THAN', '2026-02'), between('2026-02-01', '9999-12-31')],
    [by('day', 'STARTS_WITH', '2026-1'), between('2026-10-01', '2026-12-31')],
    [
      { any: [by('day', 'CONTAINS', '2026-'), by('code', 'CONTAINS', '2026-')] },
      { any: [between('2026-01-01', '2026-12-31'), by('code', 'CONTAINS', '2026-')] },
    ],
  ])('%j becomes %j', (before, after) => {
    expect(currentCriteria(metadata, [before])).toEqual([after]);
  });

  it.each([
    '2026',
    '2026-03',
    '2026-03-01',
    '03-15',
    '-03-',
    '15',
    'spring',
    '2026-13',
    '2026-2',
    '2026-02-4',
    '0000-',
    '20260',
    '',
  ])('that has %j stay as they are', (part) => {
    const criteria = [by('day', 'CONTAINS', part), by('code', 'CONTAINS', part)];
    expect(currentCriteria(metadata, criteria)).toEqual(criteria);
  });
});

describe('criteria that the platform refuses', () => {
  const criteria = [
    by('day', 'EQUALS', 'x'),
    by('code', 'EQUALS', 'a'),
    { any: [by('day', 'EQUALS', 'y'), by('code', 'EQUALS', 'b')] },
  ];
  const refusal = (status: number, ...paths: readonly string[]) =>
    new ApiError(status, 'BAD_REQUEST', 'x', {
      details: paths.map((path) => ({ path, code: 'X', message: `no ${path}` })),
    });

  it('are left out of the request, a group as a whole', () => {
    expect(withoutRefused({ criteria, limit: 50 }, refusal(400, '[0].value', '[2].any[0].value'))).toEqual({
      request: { criteria: [criteria[1]], limit: 50 },
      refused: ['no [0].value', 'no [2].any[0].value'],
    });
  });

  it.each([null, new Error('x'), refusal(503, '[0].value'), refusal(400), refusal(400, 'after')])(
    'are none after %p',
    (error) => {
      const request = { criteria, limit: 50 };
      expect(withoutRefused(request, error)).toEqual({ request, refused: [] });
    },
  );
});
