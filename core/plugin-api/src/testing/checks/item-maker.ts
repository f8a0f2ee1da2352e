import { randomBytes, randomInt } from 'node:crypto';
import { evaluateConditions, type FormField, type ItemMetadata, type Row } from '@gantry/contracts';
import { itemsPath, type Payload, type RowClient } from '../platform-client';

/** Makes items from metadata alone, as a client that knows no type in advance would. */
export interface ItemMaker {
  metadata(type: string): Promise<ItemMetadata>;
  /** Values for the required fields, or for all of them; what they refer to is created first. */
  payload(type: string, extent: 'required' | 'all'): Promise<Payload>;
  /** A value that the field accepts, different each time where the field leaves room for it. */
  value(type: string, field: FormField): Promise<unknown>;
  /** Of a singleton, its one item is changed. @throws Error when the platform refuses the payload */
  create(type: string, extent?: 'required' | 'all'): Promise<Row>;
}

/** A chain of required references longer than this is taken for a cycle. */
const maximumDepth = 8;

export function createItemMaker(client: RowClient, values: Readonly<Record<string, () => unknown>>): ItemMaker {
  const known = new Map<string, Promise<ItemMetadata>>();
  const metadata = (type: string): Promise<ItemMetadata> => {
    const found = known.get(type) ?? client.metadata(type);
    known.set(type, found);
    return found;
  };
  const valueOf = async (type: string, field: FormField, depth: number): Promise<unknown> => {
    const own = values[`${type}.${field.name}`];
    if (own !== undefined) return own();
    // Only its author knows what a field kind of a plugin takes.
    if (field.type.includes('.') && !field.required) return undefined;
    if (field.type !== 'REFERENCE' && field.type !== 'LINK') return plainValue(type, field);
    const targets = field.type === 'LINK' ? (field.linkTargets ?? []) : [targetType(field)];
    const [first = '', last = first] = [targets[0], targets.at(-1)];
    if (first === '') return undefined;
    const made = await Promise.all([first, last].map((code) => itemOf(code, field, depth)));
    return field.referenceCardinality === 'MULTIPLE' || field.multiple === true ? [...new Set(made)] : made[0];
  };
  const itemOf = async (code: string, { type }: FormField, depth: number): Promise<unknown> => {
    const id = await target(code, depth);
    return type === 'LINK' && id !== undefined ? `${code}/${id}` : id;
  };
  const payload = async (type: string, extent: 'required' | 'all', depth: number): Promise<Payload> => {
    const { fields } = await metadata(type);
    const isGiven = (field: FormField): boolean => field.default === undefined && field.derivedFrom === undefined;
    const writable = fields.filter((field) => field.computed !== true);
    let wanted = writable.filter((field) => extent === 'all' || (field.required && isGiven(field)));
    const sent: Record<string, unknown> = {};
    const tried = new Set<FormField>();
    // Each value may make further ones required.
    while (wanted.length > 0) {
      for (const field of wanted) tried.add(field);
      const made = await Promise.all(
        wanted.map(async (field) => [field.name, await valueOf(type, field, depth)] as const),
      );
      Object.assign(sent, Object.fromEntries(made.filter(([, value]) => value !== undefined)));
      wanted =
        extent === 'all' ? [] : missingFields(writable, sent).filter((field) => isGiven(field) && !tried.has(field));
    }
    return sent;
  };
  const create = async (type: string, extent: 'required' | 'all', depth: number): Promise<Row> => {
    if (depth > maximumDepth) throw new Error(`No ${type} can be created: its required references form a cycle.`);
    const sent = await payload(type, extent, depth);
    const only = (await metadata(type)).singleton === true ? await firstOf(client, type) : undefined;
    const answer = only === undefined ? await client.create(type, sent) : await client.update(type, only, sent);
    if (answer.status >= 300) throw new Error(`Expected 201 or 200 for ${JSON.stringify(sent)}: ${answer.summary}`);
    return answer.data;
  };
  const target = async (type: string, depth: number): Promise<number | undefined> => {
    if (!(await metadata(type)).readOnly) return (await create(type, 'required', depth + 1)).id;
    return firstOf(client, type);
  };
  return {
    metadata,
    payload: (type, extent) => payload(type, extent, 0),
    value: (type, field) => valueOf(type, field, 0),
    create: (type, extent = 'required') => create(type, extent, 0),
  };
}

/** The id of an item, of a type that has one. */
async function firstOf(client: RowClient, type: string): Promise<number | undefined> {
  const { data } = await client.request<readonly Row[]>('POST', `${itemsPath}/${type}/list?limit=1`, { body: [] });
  return data[0]?.id;
}

/** The fields that conditions require of an item with these values and nothing else. */
function missingFields(fields: readonly FormField[], sent: Payload): readonly FormField[] {
  const presets = Object.fromEntries(fields.map(({ name, default: preset }) => [name, preset]));
  const results = evaluateConditions(fields, (name) => sent[name] ?? presets[name]);
  return fields.filter(({ name }) => results.isRequired(name) && sent[name] === undefined);
}

/** The type code that a reference names: its last segment in lower case (specification, section 2). */
export function targetType(field: Pick<FormField, 'reference'>): string {
  return (field.reference ?? '').split('.').at(-1)?.toLowerCase() ?? '';
}

function plainValue(type: string, field: FormField): unknown {
  if (field.options !== undefined) {
    const option = field.options[randomInt(field.options.length)];
    return field.multiple === true ? [option] : option;
  }
  switch (field.type) {
    case 'DATE':
      return timeWithin(field)?.slice(0, '2026-03-01'.length) ?? day();
    case 'DATETIME':
      return timeWithin(field) ?? `${day()}T0${randomInt(10)}:${randomInt(10, 60)}:00Z`;
    case 'TIME':
      return `1${randomInt(10)}:${randomInt(10, 60)}`;
    case 'NUMBER':
      return numberWithin(field);
    case 'BOOLEAN':
      return true;
    case 'IMAGE':
      return `/images/${token()}.png`;
    case 'TEXT':
      return `First line ${token()}\nsecond line`.slice(0, field.maxLength);
    default:
      return field.pattern === undefined ? token().slice(0, field.maxLength) : matching(type, field, field.pattern);
  }
}

function numberWithin(field: FormField): number {
  const min = Math.ceil(Number(field.min ?? 1));
  const max = Math.floor(Number(field.max ?? min + 1_000_000));
  return min >= max ? min : randomInt(min, Math.min(max, min + 1_000_000) + 1);
}

/** An instant within the limits of a date; undefined where it has none. */
function timeWithin({ min, max }: FormField): string | undefined {
  if (min === undefined && max === undefined) return undefined;
  const first = min === undefined ? Date.parse(String(max)) - yearMs : Date.parse(String(min));
  const last = Math.min(max === undefined ? Infinity : Date.parse(String(max)), first + yearMs);
  return new Date(first + randomInt(last - first + 1)).toISOString();
}

const yearMs = 365 * 24 * 3_600_000;

/** Beginnings of what people use patterns for; the author gives the rest. */
function matching(type: string, field: FormField, pattern: string): string {
  const digits = String(randomInt(1_000_000, 10_000_000));
  const candidates = [
    token(),
    token().toUpperCase(),
    digits,
    day(),
    `${token()}@example.org`,
    `https://example.org/${token()}`,
  ];
  const expression = new RegExp(`^(?:${pattern})$`, 'u');
  const found = [...candidates, field.placeholder].find(
    (text) => text.length <= (field.maxLength ?? text.length) && expression.test(text),
  );
  if (found !== undefined) return found;
  throw new Error(
    `No matching value for ${type}.${field.name} is known for the pattern ${pattern}: give one in options.values['${type}.${field.name}'].`,
  );
}

function day(): string {
  return `20${randomInt(10, 100)}-0${randomInt(1, 10)}-1${randomInt(10)}`;
}

/** Letters first, so that short fields still get a letter. */
function token(): string {
  return `t${randomBytes(6).toString('hex')}`;
}
