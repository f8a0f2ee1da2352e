import type { ErrorDetail } from '@gantry/contracts';
import { GantryError, invalidParameter } from '@gantry/plugin-api';
import { preferenceLimits, type FavouritesPreference, type ListPreference, type SavedView } from './preference';

type Problems = ErrorDetail[];
type Fields = Readonly<Record<string, unknown>>;

const typeCode = /^[a-z][a-z0-9_]{0,99}$/;
const fieldName = /^[A-Za-z][A-Za-z0-9_]{0,99}$/;
const viewId = /^[A-Za-z0-9_-]{1,40}$/;
const listName = /^list\.[a-z][a-z0-9_]{0,99}$/;
/** The query parameters that a view may contain; the cursor of a page would soon be invalid. */
const viewParameters: readonly string[] = ['f', 'sort', 'limit', 'columns'];

/** A preference as a page sends it. */
export interface PreferenceChange {
  /** The version that was read; null when there was none. */
  readonly version: number | null;
  readonly value: ListPreference | FavouritesPreference;
}

/** @throws GantryError NOT_FOUND for a name that no preference can have */
export function parsePreferenceName(name: string | undefined): string {
  if (name === 'favourites' || (name !== undefined && listName.test(name))) return name;
  throw new GantryError(
    'NOT_FOUND',
    'The name of a preference must be "favourites", or "list." and the code of an item type.',
  );
}

/** @throws GantryError BAD_REQUEST, VALIDATION_FAILED with every problem */
export function parsePreferenceChange(name: string, body: unknown): PreferenceChange {
  if (!isFields(body)) {
    throw new GantryError(
      'BAD_REQUEST',
      'The body must be a JSON object: { "version": the one that was read or null, "value": … }.',
    );
  }
  const problems: Problems = [];
  refuseUnknown(body, ['version', 'value'], '', problems);
  const version = parseVersion(body['version'], problems);
  const value = name === 'favourites' ? parseFavourites(body['value'], problems) : parseList(body['value'], problems);
  if (problems.length > 0) {
    throw new GantryError('VALIDATION_FAILED', problems.map(({ message }) => message).join('; '), {
      details: problems,
    });
  }
  return { version, value };
}

/** @throws GantryError BAD_REQUEST */
export function parseVersionParameter(text: string | undefined): number {
  const version = /^[1-9]\d{0,14}$/.test(text ?? '') ? Number(text) : undefined;
  if (version !== undefined) return version;
  throw invalidParameter(
    'version',
    'The parameter version must be the version of the preference that was read',
    text === undefined ? 'REQUIRED' : 'WRONG_TYPE',
  );
}

function parseVersion(version: unknown, problems: Problems): number | null {
  if (version === null) return null;
  if (typeof version === 'number' && Number.isSafeInteger(version) && version > 0) return version;
  problems.push(problem('version', 'WRONG_TYPE', 'version must be the version that was read, or null for none'));
  return null;
}

function parseFavourites(value: unknown, problems: Problems): FavouritesPreference {
  const fields = parseFields(value, ['types'], problems);
  return { types: parseNames(fields['types'], 'value.types', typeCode, preferenceLimits.favourites, problems) };
}

function parseList(value: unknown, problems: Problems): ListPreference {
  const fields = parseFields(value, ['columns', 'widths', 'density', 'views', 'defaultView'], problems);
  const table = {
    ...(fields['columns'] === undefined
      ? {}
      : { columns: parseNames(fields['columns'], 'value.columns', fieldName, preferenceLimits.columns, problems) }),
    ...(fields['widths'] === undefined ? {} : { widths: parseWidths(fields['widths'], problems) }),
    ...parseDensity(fields['density'], problems),
  };
  const views = parseViews(fields['views'], problems);
  const defaultView = fields['defaultView'];
  if (defaultView === undefined) return { ...table, views };
  const found = views.find(({ id }) => id === defaultView);
  if (found !== undefined) return { ...table, views, defaultView: found.id };
  problems.push(problem('value.defaultView', 'REFERENCE_NOT_FOUND', 'value.defaultView must be the id of a view'));
  return { ...table, views };
}

function parseWidths(value: unknown, problems: Problems): Readonly<Record<string, number>> {
  const { columns, columnWidth } = preferenceLimits;
  const { min, max } = columnWidth;
  const widths = isFields(value) ? Object.entries(value) : [];
  if (!isFields(value)) problems.push(problem('value.widths', 'WRONG_TYPE', 'value.widths must be an object'));
  if (widths.length > columns) {
    problems.push(problem('value.widths', 'TOO_MANY', `value.widths has more than ${columns} entries`));
    return {};
  }
  return Object.fromEntries(
    widths.flatMap(([name, width]) => {
      const path = `value.widths.${name.slice(0, 100)}`;
      if (fieldName.test(name) && Number.isInteger(width) && Number(width) >= min && Number(width) <= max) {
        return [[name, Number(width)] as const];
      }
      problems.push(problem(path, 'OUT_OF_RANGE', `${path} must be a whole number of pixels from ${min} to ${max}`));
      return [];
    }),
  );
}

function parseDensity(value: unknown, problems: Problems): Pick<ListPreference, 'density'> {
  if (value === undefined) return {};
  if (value === 'compact') return { density: value };
  problems.push(problem('value.density', 'NOT_AN_OPTION', 'value.density must be compact, or be left out'));
  return {};
}

function parseViews(value: unknown, problems: Problems): readonly SavedView[] {
  const views = parseArray(value, 'value.views', preferenceLimits.views, problems).map((entry, index) =>
    parseView(entry, `value.views[${index}]`, problems),
  );
  const names = views.map(({ name }) => name.toLocaleLowerCase('en'));
  for (const [index, { id }] of views.entries()) {
    const path = `value.views[${index}]`;
    if (views.findIndex((view) => view.id === id) < index) {
      problems.push(problem(`${path}.id`, 'DUPLICATE', `${path}.id is the id of another view`));
    }
    if (names.indexOf(names[index] ?? '') < index) {
      problems.push(problem(`${path}.name`, 'NOT_UNIQUE', `${path}.name is the name of another view`));
    }
  }
  return views;
}

function parseView(value: unknown, path: string, problems: Problems): SavedView {
  const fields = isFields(value) ? value : {};
  if (!isFields(value)) problems.push(problem(path, 'WRONG_TYPE', `${path} must be an object`));
  else refuseUnknown(value, ['id', 'name', 'parameters'], `${path}.`, problems);
  return {
    id: parseText(fields['id'], `${path}.id`, viewId, 40, problems),
    name: parseText(fields['name'], `${path}.name`, /\S/, preferenceLimits.viewName, problems).trim(),
    parameters: parseParameters(fields['parameters'], `${path}.parameters`, problems),
  };
}

function parseParameters(value: unknown, path: string, problems: Problems): string {
  const text = parseText(value, path, /^/, preferenceLimits.parameters, problems);
  const unknown = [...new URLSearchParams(text).keys()].filter((key) => !viewParameters.includes(key));
  if (unknown.length > 0) {
    const found = [...new Set(unknown)].join(', ').slice(0, 200);
    problems.push(
      problem(path, 'UNKNOWN_FIELD', `${path} may have ${viewParameters.join(', ')} only; it has ${found}`),
    );
  }
  return text;
}

function parseNames(value: unknown, path: string, pattern: RegExp, max: number, problems: Problems) {
  const names = parseArray(value, path, max, problems).map((entry, index) =>
    parseText(entry, `${path}[${index}]`, pattern, 100, problems),
  );
  if (new Set(names).size < names.length) {
    problems.push(problem(path, 'DUPLICATE', `${path} names an entry twice`));
  }
  return names;
}

function parseArray(value: unknown, path: string, max: number, problems: Problems): readonly unknown[] {
  if (!Array.isArray(value)) {
    problems.push(problem(path, 'WRONG_TYPE', `${path} must be an array`));
    return [];
  }
  if (value.length <= max) return value;
  problems.push(problem(path, 'TOO_MANY', `${path} has ${value.length} entries; ${max} entries are the maximum`));
  return [];
}

function parseText(value: unknown, path: string, pattern: RegExp, max: number, problems: Problems): string {
  const code = typeof value === 'string' ? textProblem(value, pattern, max) : 'WRONG_TYPE';
  if (code === undefined) return String(value);
  const expected = { TOO_LONG: `at most ${max} characters`, CHARACTER: 'text without control characters' };
  const message = code === 'TOO_LONG' || code === 'CHARACTER' ? expected[code] : `text that matches ${pattern.source}`;
  problems.push(problem(path, code, `${path} must be ${message}`));
  return '';
}

/** PostgreSQL stores neither U+0000 nor half of a surrogate pair. */
function textProblem(text: string, pattern: RegExp, max: number): 'TOO_LONG' | 'CHARACTER' | 'PATTERN' | undefined {
  if (text.length > max) return 'TOO_LONG';
  if (/\p{Cc}|\p{Cs}/u.test(text)) return 'CHARACTER';
  return pattern.test(text) ? undefined : 'PATTERN';
}

function parseFields(value: unknown, known: readonly string[], problems: Problems): Fields {
  if (!isFields(value)) {
    problems.push(problem('value', 'WRONG_TYPE', `value must be an object with ${known.join(', ')}`));
    return {};
  }
  refuseUnknown(value, known, 'value.', problems);
  return value;
}

function refuseUnknown(value: Fields, known: readonly string[], path: string, problems: Problems): void {
  for (const key of Object.keys(value).filter((name) => !known.includes(name))) {
    const shown = `${path}${key.slice(0, 100)}`;
    problems.push(problem(shown, 'UNKNOWN_FIELD', `${shown} is not known`));
  }
}

function isFields(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function problem(path: string, code: string, message: string): ErrorDetail {
  return { path, code, message };
}
