import { isTypePattern, usualTypes } from './stored-files/file-types';

/** Where originals are kept when it is not the plugin's own folder. */
export interface BucketConfig {
  readonly bucket: string;
  /** Absent for Amazon's own service. */
  readonly endpoint?: string;
  readonly region: string;
  /** Prefix of every key, for example `images/`. */
  readonly prefix: string;
  /** Absent: from where the SDK usually takes them (AWS_ACCESS_KEY_ID, a profile, the machine's role). */
  readonly credentials?: { readonly accessKeyId: string; readonly secretAccessKey: string };
}

/** Settings of the images. */
export interface MediaConfig {
  /** Bytes of an upload at most. */
  readonly maxBytes: number;
  /** Pixels of an image at most, those of all frames together. */
  readonly maxPixels: number;
  /** Bytes of a file that is no image at most. */
  readonly maxFileBytes: number;
  /** Media types of such files. */
  readonly fileTypes: readonly string[];
  readonly bucket?: BucketConfig;
}

type Environment = Readonly<Record<string, string | undefined>>;

const mebibyte = 1024 * 1024;

/** Reads the variables `GANTRY_MEDIA_…`. @throws Error that names the variable that is wrong */
export function parseMediaConfig(environment: Environment): MediaConfig {
  const bucket = parseBucket(environment);
  return {
    maxBytes: wholeNumber(environment, 'GANTRY_MEDIA_MAX_BYTES', 20 * mebibyte, 1024 * mebibyte),
    maxPixels: wholeNumber(environment, 'GANTRY_MEDIA_MAX_PIXELS', 50_000_000, 1_000_000_000),
    maxFileBytes: wholeNumber(environment, 'GANTRY_MEDIA_FILE_MAX_BYTES', 50 * mebibyte, 10_240 * mebibyte),
    fileTypes: parseTypes(environment),
    ...(bucket === undefined ? {} : { bucket }),
  };
}

function wholeNumber(environment: Environment, name: string, fallback: number, most: number): number {
  const text = environment[name] || String(fallback);
  const value = Number(text);
  if (/^\d{1,12}$/.test(text) && value >= 1 && value <= most) return value;
  throw new Error(`${name} must be a whole number from 1 to ${most} (found "${text.slice(0, 40)}")`);
}

function parseTypes(environment: Environment): readonly string[] {
  const text = environment['GANTRY_MEDIA_FILE_TYPES'];
  if (!text) return usualTypes;
  const types = text.split(',').map((type) => type.trim());
  if (types.every(isTypePattern)) return types;
  throw new Error(
    `GANTRY_MEDIA_FILE_TYPES must be media types with commas between them, such as application/pdf, audio/* (found "${text.slice(0, 80)}")`,
  );
}

function parseBucket(environment: Environment): BucketConfig | undefined {
  const bucket = environment['GANTRY_MEDIA_S3_BUCKET'];
  if (!bucket) return undefined;
  const endpoint = environment['GANTRY_MEDIA_S3_ENDPOINT'];
  if (endpoint) assertEndpoint(endpoint);
  const prefix = environment['GANTRY_MEDIA_S3_PREFIX'] ?? '';
  if (!/^[\w!.*'()/-]*$/.test(prefix) || prefix.startsWith('/')) {
    throw new Error('GANTRY_MEDIA_S3_PREFIX must be made of letters, digits and - _ . / and must not begin with /');
  }
  const credentials = parseCredentials(environment);
  return {
    bucket,
    ...(endpoint ? { endpoint } : {}),
    region: environment['GANTRY_MEDIA_S3_REGION'] || environment['AWS_REGION'] || 'us-east-1',
    prefix,
    ...(credentials === undefined ? {} : { credentials }),
  };
}

/** The message leaves the value out, because it may hold a password. */
function assertEndpoint(endpoint: string): void {
  const url = URL.canParse(endpoint) ? new URL(endpoint) : undefined;
  if (url !== undefined && /^https?:$/.test(url.protocol) && url.username === '' && url.password === '') return;
  throw new Error('GANTRY_MEDIA_S3_ENDPOINT must look like https://storage.example:9000, without user and password');
}

function parseCredentials(environment: Environment): BucketConfig['credentials'] {
  const accessKeyId = environment['GANTRY_MEDIA_S3_ACCESS_KEY_ID'] ?? '';
  const secretAccessKey = environment['GANTRY_MEDIA_S3_SECRET_ACCESS_KEY'] ?? '';
  if (accessKeyId === '' && secretAccessKey === '') return undefined;
  if (accessKeyId !== '' && secretAccessKey !== '') return { accessKeyId, secretAccessKey };
  throw new Error('GANTRY_MEDIA_S3_ACCESS_KEY_ID and GANTRY_MEDIA_S3_SECRET_ACCESS_KEY must be set both or not at all');
}
