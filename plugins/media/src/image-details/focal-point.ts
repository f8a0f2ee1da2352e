import {
  accepted,
  commonOperators,
  defineFieldKind,
  exactNumberText,
  refused,
  type ParsedValue,
} from '@gantry/plugin-api';

/** The `settings` of a field of focal points. @public */
export interface FocalPointSettings {
  /** The field of the same type that has the address of the image; forms show that image. */
  readonly image?: string;
}

/** The point of an image that has to stay in sight: parts of its width from the left and of its height from the top. @public */
export interface FocalPoint {
  readonly x: number;
  readonly y: number;
}

const wrong = refused('WRONG_TYPE', 'must be an object with x and y, such as { "x": 0.5, "y": 0.25 }');

/** A point of an image, as parts of its width and height, so that it is the same in every size. */
export const focalPointKind = defineFieldKind({
  name: 'FocalPoint',
  column: 'JSONB',
  rowType: 'object',
  clientType: '{ readonly x: number; readonly y: number }',
  isListed: false,
  operators: commonOperators,
  checkSettings,
  parse: readPoint,
  isSame: (sent, stored) => isSamePoint(textOf(sent), textOf(stored)),
  convert: (text) => readPoint(pointOf(text)),
  json: (column) => `${column}::text`,
  fromCell: (text) => pointOf(text) ?? text,
  toFileJson: (text) => text,
  formMembers: ({ settings = {} }) => ({
    valueType: 'object',
    focalPoint: typeof settings['image'] === 'string' ? { image: settings['image'] } : {},
  }),
  jsonSchema: () => ({
    type: 'object',
    required: ['x', 'y'],
    additionalProperties: false,
    properties: { x: part, y: part },
  }),
  describe: () => ['Parts of the width from the left and of the height from the top, from 0 to 1.'],
  example: ({ required }) => (required ? { x: 0.5, y: 0.5 } : undefined),
});

const part = { type: 'number', minimum: 0, maximum: 1 } as const;

function checkSettings({ image, ...others }: Readonly<Record<string, unknown>>): readonly string[] {
  return [
    ...(image === undefined || typeof image === 'string'
      ? []
      : ["has settings whose image is not the name of a field, such as { image: 'address' }"]),
    ...Object.keys(others).map((name) => `has the unknown setting ${name}; known is image`),
  ];
}

function readPoint(value: unknown): ParsedValue<string> {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return wrong;
  const { x, y, ...others } = value as Readonly<Record<string, unknown>>;
  if (Object.keys(others).length > 0) return wrong;
  const [left, top] = [readPart(x), readPart(y)];
  return left === undefined || top === undefined
    ? refused('OUT_OF_RANGE', 'must have x and y, both numbers from 0 to 1 with at most 20 decimals')
    : accepted(`{"x":${left},"y":${top}}`);
}

/** The digit before the point, those after it, and the places by which the point is further left. */
const partPattern = /^(\d)(?:\.(\d+))?(?:e-(\d{1,2}))?$/i;

/** As it was sent, with no more decimals in full than it may have: PostgreSQL shows it so, and it may be sent again. */
function readPart(value: unknown): string | undefined {
  const text = exactNumberText(value) ?? '';
  const plain = decimalsOf(text);
  if (plain === undefined || plain.decimals > maxDecimals) return undefined;
  return plain.text.startsWith('0') || plain.text === '1' ? text : undefined;
}

const maxDecimals = 20;

/** A number below ten in full, without zeros at its end. */
function decimalsOf(number: string): { readonly text: string; readonly decimals: number } | undefined {
  const [found, digit = '', fraction = '', places = '0'] = partPattern.exec(number) ?? [];
  if (found === undefined) return undefined;
  const left = Number(places);
  const all = `${'0'.repeat(left)}${digit}${fraction}`;
  let end = all.length;
  while (end > 1 && all[end - 1] === '0') end -= 1;
  return {
    text: end === 1 ? all.charAt(0) : `${all.charAt(0)}.${all.slice(1, end)}`,
    decimals: fraction.length + left,
  };
}

/** JSON of a point. Its numbers are not read by JavaScript, which would round them. */
const pointPattern = /^\s*\{\s*"([xy])"\s*:\s*([-+.\deE]+)\s*,\s*"([xy])"\s*:\s*([-+.\deE]+)\s*\}\s*$/;

/** With its numbers as payloads have those that JavaScript would round; undefined for what is no JSON of a point. */
function pointOf(text: string): { readonly x: unknown; readonly y: unknown } | undefined {
  const [, first, firstPart = '', second, secondPart = ''] = pointPattern.exec(text) ?? [];
  if (first === undefined || first === second) return undefined;
  const [x, y] = first === 'x' ? [firstPart, secondPart] : [secondPart, firstPart];
  return { x: exactNumber(x), y: exactNumber(y) };
}

function exactNumber(digits: string): unknown {
  return { isLosslessNumber: true, toString: () => digits };
}

/** Sequelize reads the value itself. */
function textOf(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value);
}

function isSamePoint(sent: string, stored: string): boolean {
  const [one, other] = [canonical(sent), canonical(stored)];
  return one !== undefined && one === other;
}

function canonical(text: string): string | undefined {
  const point = pointOf(text);
  const [x, y] = [point?.x, point?.y].map((value) => decimalsOf(exactNumberText(value) ?? '')?.text);
  return x === undefined || y === undefined ? undefined : `${x} ${y}`;
}
