'use strict';
const { accepted, commonOperators, defineFieldKind, exactNumberText, refused } = require('@gantry/plugin-api');

const { IN: _none, ...comparing } = commonOperators;

/** A point on the Earth, `{ "lat": 47.3769, "lng": 8.5417 }`, stored as PostgreSQL's POINT; needs no PostGIS. */
exports.pointKind = defineFieldKind({
  name: 'Point',
  column: 'POINT',
  rowType: 'object',
  clientType: '{ readonly lat: number; readonly lng: number }',

  parse(value) {
    if (typeof value !== 'object' || value === null || Array.isArray(value)) return notPoint;
    const { lat, lng, ...others } = value;
    if (Object.keys(others).length > 0) return notPoint;
    return pointOf(exactNumberText(lat), exactNumberText(lng));
  },
  // PostgreSQL writes (8.5417,47.3769), Sequelize reads { x, y }.
  isSame: (sent, stored) => sameText(sent) === sameText(stored),
  fromHistory: (text) => objectOf(String(text)),

  json: (column) => `'{"lat":' || (${column})[1] || ',"lng":' || (${column})[0] || '}'`,
  jsonSchema: () => ({
    type: 'object',
    required: ['lat', 'lng'],
    additionalProperties: false,
    properties: {
      lat: { type: 'number', minimum: -90, maximum: 90 },
      lng: { type: 'number', minimum: -180, maximum: 180 },
    },
  }),
  describe: () => ['Latitude and longitude in degrees.'],
  example: () => ({ lat: 47.3769, lng: 8.5417 }),

  // In files and criteria: latitude and longitude with a comma between them.
  fromCell: (text) => objectOf(text) ?? text,
  toCell: (text) => cellOf(text),
  toFileJson: (text) => JSON.stringify(objectOf(text)),
  convert: (text) => pointOf(...numbersOf(text)),
  // PostgreSQL has no = for points.
  operators: {
    ...comparing,
    EQUALS: at(false),
    CONTAINS: at(false),
    MORE_THAN: at(false),
    LESS_THAN: at(false),
    NOT_EQUALS: at(true),
    WITHIN: { bind: (text) => within(text) },
  },
});

const notPoint = refused('WRONG_TYPE', 'must be a point such as {"lat":47.3769,"lng":8.5417}');

function pointOf(lat, lng) {
  if (!isDegrees(lat) || !isDegrees(lng)) return notPoint;
  if (Math.abs(Number(lat)) > 90) return refused('OUT_OF_RANGE', 'must have a latitude from -90 to 90');
  if (Math.abs(Number(lng)) > 180) return refused('OUT_OF_RANGE', 'must have a longitude from -180 to 180');
  return accepted(`(${Number(lng)},${Number(lat)})`);
}

/** Fifteen digits are what a double keeps; more would be stored as another number. */
function isDegrees(text) {
  return text !== undefined && /^-?\d{1,3}(\.\d{1,12})?$/.test(text);
}

function numbersOf(text) {
  return text.split(',').map((part) => part.trim());
}

function objectOf(text) {
  const [lng, lat] = /^\(([^,]+),([^)]+)\)$/.exec(text)?.slice(1) ?? numbersOf(text).toReversed();
  return lat === undefined || lng === undefined ? undefined : { lat: Number(lat), lng: Number(lng) };
}

function cellOf(text) {
  const { lat, lng } = objectOf(text);
  return `${lat},${lng}`;
}

function sameText(value) {
  return typeof value === 'object' ? `${value.y},${value.x}` : cellOf(value);
}

function at(isNegated) {
  return {
    bind(text) {
      const point = pointOf(...numbersOf(text));
      if (!point.ok) return point;
      const condition = (column, parameter) => `${column} ~= ${parameter}::point`;
      return accepted({ value: point.value, condition, ...(isNegated ? { isNegated: true } : {}) });
    },
  };
}

/** In a box: south, west, north, east. West of the antimeridian is greater than east where the box crosses it. */
function within(text) {
  const [south, west, north, east, ...others] = numbersOf(text);
  const corners = [pointOf(south, west), pointOf(north, east)];
  const wrong = corners.find((corner) => !corner.ok);
  if (wrong !== undefined || others.length > 0) {
    return refused('WRONG_TYPE', 'must be a box: south, west, north, east, such as 45.8,5.9,47.8,10.5');
  }
  const crosses = Number(west) > Number(east);
  const box = (from, to) => `((${to},${north}),(${from},${south}))`;
  return accepted({
    value: crosses ? `${box(west, 180)};${box(-180, east)}` : box(west, east),
    variant: crosses ? 'two boxes' : 'box',
    condition: (column, parameter) =>
      crosses
        ? `(${column} <@ split_part(${parameter}, ';', 1)::box OR ${column} <@ split_part(${parameter}, ';', 2)::box)`
        : `${column} <@ ${parameter}::box`,
  });
}
