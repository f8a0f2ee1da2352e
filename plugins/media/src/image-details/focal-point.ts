import {
  accepted,
  commonOperators,
  defineFieldKind,
  exactNumberText,
  refused,
  type ParsedValue,
} from '@gantry/plugin-api';

/** What a field of focal points declares in `settings`. @public */
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
  isSame: (sent, stored) => isSamePoint(String(sent), String(stored)),
  convert: (text) => readPoint(parsed(text)),
  json: (column) => `${column}::text`,
  fromCell: (text) => parsed(text) ?? text,
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

/** Exact: what JavaScript would round to 1 is no part. */
function readPart(value: unknown): string | undefined {
  const text = exactNumberText(value);
  if (text === undefined || !/^\d(?:\.\d{1,20})?(?:e-\d{1,2})?$/i.test(text)) return undefined;
  return Number(text) < 1 || /^1(?:\.0+)?$/.test(text) ? text : undefined;
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}

function isSamePoint(left: string, right: string): boolean {
  const [one, other] = [parsed(left), parsed(right)] as readonly (FocalPoint | undefined)[];
  return one !== undefined && other !== undefined && one.x === other.x && one.y === other.y;
}
