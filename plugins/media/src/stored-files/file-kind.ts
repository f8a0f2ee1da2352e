import {
  accepted,
  defineFieldKind,
  refused,
  textOperators,
  type KindField,
  type ParsedValue,
} from '@gantry/plugin-api';
import { filePrefix, parseFileAddress } from './file-address';
import { describeTypes, endingsOf, fileTypeOf, isAmong, isTypePattern } from './file-types';

/** The `settings` of a field of files. @public */
export interface FileSettings {
  /** Media types that the field takes, such as `application/pdf` and `audio/*`; all that the platform takes unless given. */
  readonly types?: readonly string[];
  /** Bytes of a file at most. */
  readonly maxBytes?: number;
}

const wrong = refused(
  'FILE_ADDRESS',
  `must be the address of a file that was uploaded to ${filePrefix.slice(0, -1)}, as the upload was answered with`,
);

/**
 * A file of the platform. Its value is an address that has the name and the size: it is compared as text with what is asked for, so
 * that who may read the field may read the file.
 */
export const fileKind = defineFieldKind({
  name: 'File',
  column: 'VARCHAR(1024)',
  exact: false,
  unordered: false,
  isText: true,
  isFileAddress: true,
  isEmptyTextNone: true,
  operators: textOperators,
  checkSettings,
  parse: read,
  convert: (text) => accepted(text),
  cast: (value) => value,
  arrayType: 'text[]',
  jsonSchema: () => ({
    type: 'string',
    maxLength: 1024,
    pattern: `^${filePrefix}[0-9a-f]{64}/[1-9][0-9]{0,14}/[^/]+$`,
  }),
  describe: (field) => [`The address of an uploaded file: hash, bytes, name.${limitsOf(field)}`],
  formMembers: (field) => {
    const { types, maxBytes } = settingsOf(field);
    return {
      file: {
        upload: filePrefix.slice(0, -1),
        ...(types === undefined || types.includes('*/*') ? {} : { accept: endingsOf(types) }),
        ...(maxBytes === undefined ? {} : { maxBytes }),
      },
    };
  },
  example: ({ required }) => (required ? `${filePrefix}${'0'.repeat(64)}/1/report.pdf` : undefined),
});

function settingsOf({ settings = {} }: Pick<KindField, 'settings'>): FileSettings {
  return settings;
}

function checkSettings({ types, maxBytes, ...others }: Readonly<Record<string, unknown>>): readonly string[] {
  const isList = Array.isArray(types) && types.length > 0 && types.every(isTypePattern);
  const isSize = typeof maxBytes === 'number' && Number.isSafeInteger(maxBytes) && maxBytes > 0;
  return [
    ...(types === undefined || isList
      ? []
      : ["has settings whose types are no list of media types, such as ['application/pdf', 'audio/*']"]),
    ...(maxBytes === undefined || isSize ? [] : ['has settings whose maxBytes is not a whole number from 1']),
    ...Object.keys(others).map((name) => `has the unknown setting ${name}; known are types, maxBytes`),
  ];
}

function read(value: unknown, field: KindField): ParsedValue<string> {
  const file = typeof value === 'string' ? parseFileAddress(value) : undefined;
  if (file === undefined || typeof value !== 'string') return wrong;
  const { types, maxBytes } = settingsOf(field);
  const { mediaType } = fileTypeOf(file.name);
  if (types !== undefined && !isAmong(mediaType, types)) {
    return refused('FILE_TYPE', `must be ${describeTypes(types)}; ${file.name} is of the type ${mediaType}`);
  }
  if (maxBytes !== undefined && file.bytes > maxBytes) {
    return refused('FILE_TOO_LARGE', `must be a file of at most ${maxBytes} bytes; ${file.name} has ${file.bytes}`);
  }
  return accepted(value);
}

function limitsOf(field: KindField): string {
  const { types, maxBytes } = settingsOf(field);
  const size = maxBytes === undefined ? '' : ` At most ${maxBytes} bytes.`;
  return types === undefined ? size : ` Of the type ${types.join(' or ')}.${size}`;
}
