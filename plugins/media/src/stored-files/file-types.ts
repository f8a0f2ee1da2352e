import { recogniseFormat } from '../images/formats';

/** Types of files by the ending of their names. */
export interface FileType {
  readonly mediaType: string;
  /** Whether the first bytes can be those of such a file; absent where they say nothing. */
  readonly begins?: (head: Buffer) => boolean;
  /** Set where a browser may show it as a page: nothing in it can run. */
  readonly isInline?: true;
  /** Set where it can carry scripts; only a setting allows it. */
  readonly isActive?: true;
}

const text = (head: Buffer, start: number, end: number): string => head.toString('latin1', start, end);
const zip = (head: Buffer): boolean => /^PK(?:\u0003\u0004|\u0005\u0006)/.test(text(head, 0, 4));
const ole = (head: Buffer): boolean => text(head, 0, 4) === '\u00d0\u00cf\u0011\u00e0';
const mp4 = (head: Buffer): boolean => text(head, 4, 8) === 'ftyp';
const image = (format: string) => (head: Buffer) => recogniseFormat(head) === format;
const office = 'application/vnd.openxmlformats-officedocument';
const open = 'application/vnd.oasis.opendocument';

/** By the ending of the name, in small letters. */
const types: Readonly<Record<string, FileType>> = {
  pdf: { mediaType: 'application/pdf', begins: (head) => head.includes('%PDF-') },
  txt: { mediaType: 'text/plain', isInline: true },
  md: { mediaType: 'text/markdown' },
  csv: { mediaType: 'text/csv' },
  json: { mediaType: 'application/json' },
  rtf: { mediaType: 'application/rtf', begins: (head) => text(head, 0, 5) === '{\\rtf' },
  doc: { mediaType: 'application/msword', begins: ole },
  xls: { mediaType: 'application/vnd.ms-excel', begins: ole },
  ppt: { mediaType: 'application/vnd.ms-powerpoint', begins: ole },
  docx: { mediaType: `${office}.wordprocessingml.document`, begins: zip },
  xlsx: { mediaType: `${office}.spreadsheetml.sheet`, begins: zip },
  pptx: { mediaType: `${office}.presentationml.presentation`, begins: zip },
  odt: { mediaType: `${open}.text`, begins: zip },
  ods: { mediaType: `${open}.spreadsheet`, begins: zip },
  odp: { mediaType: `${open}.presentation`, begins: zip },
  epub: { mediaType: 'application/epub+zip', begins: zip },
  zip: { mediaType: 'application/zip', begins: zip },
  gz: { mediaType: 'application/gzip', begins: (head) => text(head, 0, 2) === '\u001f\u008b' },
  png: { mediaType: 'image/png', begins: image('png'), isInline: true },
  jpg: { mediaType: 'image/jpeg', begins: image('jpg'), isInline: true },
  jpeg: { mediaType: 'image/jpeg', begins: image('jpg'), isInline: true },
  gif: { mediaType: 'image/gif', begins: image('gif'), isInline: true },
  webp: { mediaType: 'image/webp', begins: image('webp'), isInline: true },
  avif: { mediaType: 'image/avif', begins: image('avif'), isInline: true },
  mp3: {
    mediaType: 'audio/mpeg',
    begins: (head) => text(head, 0, 3) === 'ID3' || /^\u00ff[\u00e0-\u00ff]/.test(text(head, 0, 2)),
  },
  m4a: { mediaType: 'audio/mp4', begins: mp4 },
  ogg: { mediaType: 'audio/ogg', begins: (head) => text(head, 0, 4) === 'OggS' },
  wav: { mediaType: 'audio/wav', begins: (head) => text(head, 0, 4) === 'RIFF' && text(head, 8, 12) === 'WAVE' },
  mp4: { mediaType: 'video/mp4', begins: mp4 },
  mov: { mediaType: 'video/quicktime' },
  webm: { mediaType: 'video/webm', begins: (head) => text(head, 0, 4) === '\u001aE\u00df\u00a3' },
  svg: { mediaType: 'image/svg+xml', isActive: true },
  html: { mediaType: 'text/html', isActive: true },
  htm: { mediaType: 'text/html', isActive: true },
  xhtml: { mediaType: 'application/xhtml+xml', isActive: true },
  xml: { mediaType: 'application/xml', isActive: true },
  js: { mediaType: 'text/javascript', isActive: true },
  mjs: { mediaType: 'text/javascript', isActive: true },
  css: { mediaType: 'text/css', isActive: true },
};

/** The type of unknown files. */
const unknown: FileType = { mediaType: 'application/octet-stream' };

/** The ending of a name, without the point and in small letters; empty for a name without one. */
function endingOf(name: string): string {
  return /[^.]\.([A-Za-z0-9]{1,16})$/.exec(name)?.[1]?.toLowerCase() ?? '';
}

/** By the ending of the name: what a client says of the type is only a claim, and so is the name. */
export function fileTypeOf(name: string): FileType {
  const ending = endingOf(name);
  return Object.hasOwn(types, ending) ? (types[ending] ?? unknown) : unknown;
}

/** The media types that are taken unless a setting says otherwise: those of which something is known and that carry no scripts. */
export const usualTypes: readonly string[] = [
  ...new Set(Object.values(types).flatMap(({ mediaType, isActive }) => (isActive === true ? [] : [mediaType]))),
];

/** Whether a media type is one of the patterns, such as `application/pdf`, `audio/*` and any. */
export function isAmong(mediaType: string, patterns: readonly string[]): boolean {
  return patterns.some(
    (pattern) =>
      pattern === '*/*' ||
      pattern === mediaType ||
      (pattern.endsWith('/*') && mediaType.startsWith(pattern.slice(0, -1))),
  );
}

/** The endings of names, such as `.pdf`, whose media types are among the patterns. */
export function endingsOf(patterns: readonly string[]): readonly string[] {
  return Object.entries(types).flatMap(([ending, { mediaType }]) =>
    isAmong(mediaType, patterns) ? [`.${ending}`] : [],
  );
}

export function isTypePattern(value: unknown): value is string {
  return typeof value === 'string' && /^(?:\*\/\*|[a-z]+\/(?:\*|[a-z0-9][a-z0-9.+-]{0,100}))$/.test(value);
}

/** For a message: `.pdf, .zip`; the patterns where no ending is known. */
export function describeTypes(patterns: readonly string[]): string {
  if (patterns.includes('*/*')) return 'any file';
  const endings = endingsOf(patterns);
  return endings.length === 0 ? patterns.join(', ') : endings.join(', ');
}
