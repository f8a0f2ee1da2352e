import { defineUi, FieldFrame, Row, TextField } from '@gantry/ui';
import { createElement } from 'react';

export default defineUi(() => ({
  fields: { 'geo.Point': PointField },
  cells: { 'geo.Point': PointCell },
  filters: { 'geo.Point': PointFilter },
}));

/** Pages hold a value that is an object as the text of its JSON. */
function PointField({ id, field, value, error, onChange }) {
  const [lat = '', lng = ''] = partsOf(value);
  const change = (first, second) => onChange(first === '' && second === '' ? '' : JSON.stringify(pointOf(first, second)));
  const number = (label, part, set, own) =>
    createElement(TextField, { ...own, label, kind: 'number', value: part, onChange: (text) => set(text.trim()) });
  const { displayName: label, help: description, required } = field;
  return createElement(FieldFrame, { id, label, description, error, required, group: true }, () =>
    createElement(
      Row,
      {},
      number('Latitude', lat, (text) => change(text, lng), { id }),
      number('Longitude', lng, (text) => change(lat, text)),
    ),
  );
}

/** In a list: quiet, with digits below one another; the values of the look are variables. */
function PointCell({ value }) {
  const style = { color: 'var(--color-label)', fontVariantNumeric: 'tabular-nums' };
  return createElement('span', { style }, textOf(value));
}

/** The value that the operator compares with: a box, or a point. */
function PointFilter({ label, operator, value, onChange }) {
  const placeholder = operator === 'WITHIN' ? 'south, west, north, east' : 'latitude, longitude';
  return createElement(TextField, { label, value, onChange, placeholder });
}

function partsOf(value) {
  try {
    const { lat, lng } = JSON.parse(value);
    return [String(lat), String(lng)];
  } catch {
    return [];
  }
}

/** What is no number stays text, which the platform refuses with a reason. */
function pointOf(lat, lng) {
  const number = (text) => (/^-?\d+(\.\d+)?$/.test(text) ? Number(text) : text);
  return { lat: number(lat), lng: number(lng) };
}

function textOf(value) {
  return partsOf(value).join(', ');
}
