import { GantryError, type ValueOf } from '@gantry/plugin-api';
import { z } from 'zod';
import { preferenceLimits } from './preference-limits';

/** Text of at most so many characters, all of which PostgreSQL stores. */
function text(max: number) {
  return z
    .string({ error: 'must be a text' })
    .max(max, { error: `must have at most ${max} characters` })
    .refine((value) => !/\p{Cc}|\p{Cs}/u.test(value), {
      error: 'must not have control characters',
      params: { code: 'CHARACTER' },
    });
}

function word(pattern: RegExp) {
  return text(100).regex(pattern, { error: `must match ${pattern.source}` });
}

function listOf<Entry extends z.ZodType>(entry: Entry, max: number) {
  const error = `must be a list of at most ${max} entries`;
  return z.array(entry, { error }).max(max, { error });
}

/** A rule about several parts, which is looked at whatever is wrong with one of them. */
const always = { when: () => true };

function wordsOf(pattern: RegExp, max: number) {
  const isSeparate = (words: unknown) => !Array.isArray(words) || new Set(words).size === words.length;
  return listOf(word(pattern), max).refine(isSeparate, {
    error: 'names an entry twice',
    params: { code: 'DUPLICATE' },
    ...always,
  });
}

/** The query parameters that a view may contain; the cursor of a page would soon be invalid. */
const viewParameters: readonly string[] = ['f', 'sort', 'limit', 'columns'];

const savedView = z
  .strictObject({
    id: word(/^[A-Za-z0-9_-]{1,40}$/),
    name: text(preferenceLimits.viewName)
      .regex(/\S/, { error: 'must not be empty' })
      .transform((value) => value.trim())
      .meta({ minLength: 1 }),
    parameters: text(preferenceLimits.parameters)
      .refine((value) => [...new URLSearchParams(value).keys()].every((key) => viewParameters.includes(key)), {
        error: `may have ${viewParameters.join(', ')} only`,
        params: { code: 'UNKNOWN_FIELD' },
      })
      .meta({
        description: "The query of the list's address without its `?`: `f`, `sort`, `limit` and `columns`.",
        examples: ['f=price.LESS_THAN.3&sort=-price'],
      }),
  })
  .meta({ id: 'SavedView', description: 'A named set of address parameters of a list.' });

type UncheckedView = Partial<Readonly<Record<'id' | 'name', unknown>>>;

function uncheckedViews(views: unknown): readonly UncheckedView[] {
  const entries: readonly unknown[] = Array.isArray(views) ? views : [];
  return entries.map((view) => (typeof view === 'object' && view !== null ? view : {}));
}

/** Ids and names of views are each their own. */
function assertSeparate(given: unknown, context: z.RefinementCtx): void {
  const codes = { id: 'DUPLICATE', name: 'NOT_UNIQUE' } as const;
  const views = uncheckedViews(given);
  for (const member of ['id', 'name'] as const) {
    const values = views.map((view) => (typeof view[member] === 'string' ? view[member].trim().toLowerCase() : view));
    for (const [index, value] of values.entries()) {
      if (values.indexOf(value) === index) continue;
      const message = `is the ${member} of another view`;
      context.addIssue({ code: 'custom', path: [index, member], message, params: { code: codes[member] } });
    }
  }
}

/** @param list also a value that is no object */
function hasDefaultView(list: unknown): boolean {
  const { views, defaultView } = Object(list) as Readonly<Record<'views' | 'defaultView', unknown>>;
  return defaultView === undefined || uncheckedViews(views).some(({ id }) => id === defaultView);
}

const fieldName = /^[A-Za-z][A-Za-z0-9_$-]{0,103}$/;
const { min, max } = preferenceLimits.columnWidth;
const width = { error: `must be a whole number of pixels from ${min} to ${max}`, params: { code: 'OUT_OF_RANGE' } };

const listPreference = z
  .strictObject(
    {
      columns: wordsOf(fieldName, preferenceLimits.columns).exactOptional(),
      widths: z
        .record(word(fieldName), z.number(width).int(width).min(min, width).max(max, width))
        .refine((widths) => Object.keys(widths).length <= preferenceLimits.columns, {
          error: `must have at most ${preferenceLimits.columns} entries`,
          params: { code: 'TOO_MANY' },
        })
        .exactOptional()
        .describe('Column widths in CSS pixels, by column name.'),
      density: z
        .literal('compact', { error: 'must be compact, or be left out' })
        .exactOptional()
        .describe('`compact` for lower rows; absent for the usual height.'),
      views: listOf(savedView, preferenceLimits.views).superRefine(assertSeparate, always),
      defaultView: z.string().exactOptional().describe('Id of the view with which the list opens.'),
    },
    { error: 'must be an object with views' },
  )
  .refine(hasDefaultView, {
    error: 'must be the id of a view',
    path: ['defaultView'],
    params: { code: 'REFERENCE_NOT_FOUND' },
    ...always,
  })
  .meta({ id: 'ListPreference', description: 'Preferences of the caller for the list of one type.' });

const favourites = z
  .strictObject(
    { types: wordsOf(/^[a-z][a-z0-9_]{0,99}$/, preferenceLimits.favourites) },
    { error: 'must be an object with types' },
  )
  .meta({ id: 'FavouritesPreference', description: 'The types at the top of the navigation, in order.' });

const preferenceValue = z.union([favourites, listPreference], { error: 'must be an object with types or views' });

export const storedPreference = z
  .object({
    name: z.string().describe('`favourites`, or `list.` and the code of an item type.'),
    version: z.int().describe('Version that the next change must name. Never reused.'),
    value: preferenceValue,
  })
  .meta({ id: 'StoredPreference', description: 'A preference of the caller in the pages.' });

export type StoredPreference = ValueOf<typeof storedPreference>;

/** A preference as a page sends it: `version` is the one that was read, null when there was none. */
export const preferenceChange = z.strictObject({
  version: z
    .int({ error: 'must be the version that was read, or null for none' })
    .positive()
    .nullable()
    .describe('The version that was read; null for a new preference.'),
  value: preferenceValue,
});

export type PreferenceChange = ValueOf<typeof preferenceChange>;

const namePattern = /^(favourites|list\.[a-z][a-z0-9_]{0,99})$/;

/** The name of a preference in a path. */
export const named = z.object({
  name: z
    .string()
    .transform((value) => {
      if (namePattern.test(value)) return value;
      throw new GantryError(
        'NOT_FOUND',
        'The name of a preference must be "favourites", or "list." and the code of an item type.',
      );
    })
    .meta({ pattern: namePattern.source, description: '`favourites`, or `list.` and the code of an item type.' }),
});

export const versionParameter = z.object({
  version: z
    .unknown()
    .transform((value, context) => {
      if (typeof value === 'string' && /^[1-9]\d{0,14}$/.test(value)) return Number(value);
      const message = 'version must be the version of the preference that was read';
      const code = value === undefined ? 'REQUIRED' : 'WRONG_TYPE';
      context.addIssue({ code: 'custom', message, params: { code } });
      return z.NEVER;
    })
    .meta({ type: 'integer', minimum: 1 }),
});
