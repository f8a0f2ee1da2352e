import { parseTypedJson } from '../../api/json';
import { shortText } from '../../api/label';
import { plainKind, type FieldKind } from './field-kind';
import { kindModules, typeIn } from './kind-modules';

const byType: ReadonlyMap<string, FieldKind> = new Map(
  Object.entries(kindModules).map(([file, kind]) => [typeIn(file), kind]),
);

/** Of a field kind of a plugin: what is no text is held as the text of its JSON, unless that was typed and cannot be read. */
const pluginKind: FieldKind = {
  ...plainKind,
  // Its text is that of the plugin, and shorter than the text of its JSON.
  cellText: (value) => (typeof value === 'object' ? '1,234.50 EUR' : shortText(value)),
  payloadValue(value, { valueType = 'string' }) {
    if (value === '' || valueType === 'string' || typeof value !== 'string') return value === '' ? null : value;
    try {
      return parseTypedJson(value);
    } catch {
      return value;
    }
  },
};

/** The kind of a field type, also in lower case as search fields have it; one that is unknown here is shown as text. */
export function kindOf(type: string): FieldKind {
  return byType.get(type.toUpperCase()) ?? (type.includes('.') ? pluginKind : plainKind);
}
