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
  fromHistory: (text) => storedPoint(String(text)),

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

  // In files and criteria: latitude and longitude with a comma between them. A cell that is none is left to parse, which refuses it.
  fromCell: (text) => cellPoint(text) ?? text,
  toCell: (text) => cellOf(text),
  toFileJson: (text) => JSON.stringify(storedPoint(text)),
  convert: (text) => readPoint(text),
  // PostgreSQL has no = for points. CONTAINS, MORE_THAN and LESS_THAN behave as EQUALS.
  operators: {
    ...comparing,
    EQUALS: at(false),
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
  return text !== undefined && /^-?(0|[1-9]\d{0,2})(\.\d{1,12})?(e-\d{1,2})?$/i.test(text);
}

function numbersOf(text) {
  return text.split(',').map((part) => part.trim());
}

function readPoint(text) {
  const [lat, lng, ...others] = numbersOf(text);
  return others.length > 0 ? notPoint : pointOf(lat, lng);
}

/** Only what is a number becomes one: of an empty part, JavaScript would make 0. */
function cellPoint(text) {
  const [lat, lng, ...others] = numbersOf(text);
  return others.length > 0 || !isDegrees(lat) || !isDegrees(lng) ? undefined : { lat: Number(lat), lng: Number(lng) };
}

/** Of the text that PostgreSQL has. */
function storedPoint(text) {
  const [, lng, lat] = /^\(([^,]+),([^)]+)\)$/.exec(text);
  return { lat: Number(lat), lng: Number(lng) };
}

function cellOf(text) {
  const { lat, lng } = storedPoint(text);
  return `${lat},${lng}`;
}

function sameText(value) {
  return typeof value === 'object' ? `${value.y},${value.x}` : cellOf(value);
}

function at(isNegated) {
  return {
    bind(text) {
      const point = readPoint(text);
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
  if (wrong !== undefined || others.length > 0 || Number(south) > Number(north)) {
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
